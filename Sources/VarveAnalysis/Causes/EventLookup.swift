public import VarveFormat

/// Finds single events by their names.
///
/// Blocks that were looked into last are kept, so that a chain that runs through a few of them
/// decodes each once.
public final class EventLookup {
  private struct Shelf {
    var block: Int
    var columns: EventColumns
    var used: UInt64
    var bytes = 0
  }

  /// So many decoded blocks are kept at most …
  private static let mostShelves = 24
  /// … and no further one is decoded beside those that take more memory than this.
  package static let mostBytes = 16 << 20

  private let source: any EventSource
  private let blocks: [BlockSummary]
  private var shelves: [Shelf] = []
  private var clock: UInt64 = 0
  /// Damaged blocks that events were looked for in.
  public var damage: [TraceFileError] { walk.damage }
  private var decodedBlocks: Set<Int> = []
  private let walk: TraceWalk
  private var hasGivenUp = false

  /// Prepares to look events up.
  public convenience init(_ source: any EventSource) {
    self.init(source, TraceWalk(bytes: source.bytes))
  }

  init(_ source: any EventSource, _ walk: TraceWalk) {
    self.source = source
    self.walk = walk
    blocks = source.blocks
  }

  /// The event of a name; nil when no intact block holds it.
  public subscript(name: EventName) -> TraceEvent? {
    guard let block = source.block(of: name), let index = blocks[block].index(of: name),
      let shelf = shelf(of: block)
    else { return nil }
    return shelves[shelf].columns.event(at: index)
  }

  /// Whether some block holds an event, intact or not.
  func holds(_ name: EventName) -> Bool { source.block(of: name) != nil }

  /// The event that the same thread wrote next; nil when the trace holds none.
  public func next(after event: TraceEvent) -> TraceEvent? {
    self[EventName(ring: event.ring, sequence: event.name.sequence + 1)]
  }

  /// The event that the same thread wrote before; nil when the trace holds none.
  func previous(before event: TraceEvent) -> TraceEvent? {
    self[EventName(ring: event.ring, sequence: event.name.sequence - 1)]
  }

  /// Where a block lies decoded, after it has been decoded where it was not.
  private func shelf(of block: Int) -> Int? {
    clock += 1
    if let known = shelves.firstIndex(where: { $0.block == block }) {
      shelves[known].used = clock
      return known
    }
    guard decodedBlocks.insert(block).inserted || mayRepeat(block) else { return nil }
    // What was not used for longest makes room, and its memory is used again.
    var columns = EventColumns()
    while shelves.count == Self.mostShelves || heldBytes > Self.mostBytes,
      let oldest = shelves.indices.min(by: { shelves[$0].used < shelves[$1].used })
    {
      columns = shelves.remove(at: oldest).columns
    }
    do {
      try source.decode(block, into: &columns, columns: .all)
    } catch {
      walk.passOver(block: block, error)
      return nil
    }
    shelves.append(
      Shelf(block: block, columns: columns, used: clock, bytes: columns.heldBytes))
    return shelves.count - 1
  }

  /// Whether a block may be decoded once more; tells it when not.
  private func mayRepeat(_ block: Int) -> Bool {
    if walk.mayRepeat(blocks[block].count) { return true }
    if !hasGivenUp {
      walk.passOver(
        TraceFileError(
          .damaged,
          """
          some of its events: causes lie so far apart in a file so small that to look all of them up \
          would take too long
          """, offset: blocks[block].offset, block: block))
    }
    hasGivenUp = true
    return false
  }

  /// How much memory the decoded blocks take.
  package var heldBytes: Int { shelves.reduce(0) { $0 + $1.bytes } }
}
