public import VarveFormat
internal import VarveProbe

/// Looks up single events by their names.
///
/// The most recently used blocks are kept, so that following a chain through a few blocks decodes
/// each of them once.
public final class EventLookup {
  private struct Shelf {
    var block: Int
    var columns: EventColumns
    var used: UInt64
    var bytes = 0
  }

  /// The maximum number of decoded blocks kept …
  private static let mostShelves = 24
  /// … and the memory, in bytes, above which blocks are dropped before another is decoded.
  package static let mostBytes = 6 << 20

  let source: any EventSource
  private let blocks: [BlockSummary]
  private var shelves: [Shelf] = []
  private var clock: UInt64 = 0
  /// The damage found in blocks that were searched for events.
  public var damage: [TraceFileError] { walk.damage }
  private var decodedBlocks: Set<Int> = []
  private let walk: TraceWalk
  private var hasGivenUp = false

  /// Creates a lookup.
  public convenience init(_ source: any EventSource) {
    self.init(source, TraceWalk(bytes: source.bytes))
  }

  init(_ source: any EventSource, _ walk: TraceWalk) {
    self.source = source
    self.walk = walk
    blocks = source.blocks
  }

  /// The event with a name; nil when no intact block holds it.
  public subscript(name: EventName) -> TraceEvent? {
    guard let block = source.block(of: name), let index = blocks[block].index(of: name),
      let shelf = shelf(of: block)
    else { return nil }
    return shelves[shelf].columns.event(at: index)
  }

  /// Returns whether any block, intact or not, holds an event.
  func holds(_ name: EventName) -> Bool { source.block(of: name) != nil }

  /// Returns the event that the same thread wrote next; nil when the trace holds none.
  public func next(after event: TraceEvent) -> TraceEvent? {
    self[EventName(ring: event.ring, sequence: event.name.sequence + 1)]
  }

  /// Returns the stack of the code that sent an event from outside all streams; nil if the trace
  /// does not tell.
  public func sender(of name: EventName) -> UInt32? {
    guard let event = self[name], let sent = next(after: event), sent.kind == .sent,
      sent.causes.contains(name)
    else { return nil }
    let stack = HopPayload(word: sent.payload.word).stack
    return stack == 0 ? nil : stack
  }

  /// Returns the stack of the code that began an observation; nil if the trace does not tell.
  public func observer(of name: EventName) -> UInt32? {
    guard let event = self[name], event.kind == .subscribed else { return nil }
    let stack = SubscriptionPayload(word: event.payload.word).stack
    return stack == 0 ? nil : stack
  }

  /// Returns the stack of the code that sent a value, began an observation, or scheduled work; nil if the trace
  /// does not tell.
  public func code(behind event: TraceEvent) -> UInt32? {
    guard event.kind == .hopScheduled, event.payload.kind == .cause else {
      return sender(of: event.name) ?? observer(of: event.name)
    }
    let stack = HopPayload(word: event.payload.word).stack
    return stack == 0 ? nil : stack
  }

  /// Returns the event that the same thread wrote before it; nil when the trace holds none.
  func previous(before event: TraceEvent) -> TraceEvent? {
    self[EventName(ring: event.ring, sequence: event.name.sequence - 1)]
  }

  /// Returns the index of a block's shelf. Decodes the block if necessary.
  private func shelf(of block: Int) -> Int? {
    clock += 1
    if let known = shelves.firstIndex(where: { $0.block == block }) {
      shelves[known].used = clock
      return known
    }
    guard decodedBlocks.insert(block).inserted || mayRepeat(block) else { return nil }
    // The least recently used block makes room, and its memory is reused.
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

  /// Returns whether a block may be decoded again. If not, the first refusal is reported as damage.
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

  /// The memory that the decoded blocks take, in bytes.
  package var heldBytes: Int { shelves.reduce(0) { $0 + $1.bytes } }
}
