public import VarveFormat
internal import VarveProbe

/// Tells of single events whether a selection contains them, for analyses that find events in
/// another way than by reading all of them.
///
/// The numbers of first and last events in the selection are not kept to: they are about lists.
public final class EventChoice {
  /// Whether every event is chosen.
  public let isEverything: Bool
  /// Blocks that could not be read. None of their events is chosen.
  public var damage: [TraceFileError] { walk.damage }
  /// What was passed over because it would have taken too much memory.
  public var passedOver: PassedOver { test?.passedOver ?? PassedOver() }

  private let source: any EventSource
  private let blocks: [BlockSummary]
  private let filter: EventFilter
  private let test: RowTest?
  private let walk: TraceWalk
  /// The selection, with its names resolved in the trace.
  public let selection: Selection
  /// Whether events are chosen by nothing but their streams.
  public let isByStreamAlone: Bool

  /// The chosen events of a block.
  private struct Shelf {
    var block: Int
    var indices: [UInt32]
  }

  /// The blocks that were asked about last, the latest first.
  private var shelves: [Shelf] = []
  private static let mostShelves = 16
  private var columns = EventColumns()

  /// Prepares a selection for a trace.
  ///
  /// - Throws: a `SelectionError` whenever the selection names an event that is not there.
  public init(_ selection: Selection, in source: any EventSource) throws(SelectionError) {
    let selection = try selection.resolved(in: source)
    self.selection = selection
    self.source = source
    blocks = source.blocks
    filter = try EventFilter(selection, in: source)
    test = try RowTest(selection, in: source)
    walk = TraceWalk(bytes: source.bytes)
    isEverything =
      filter.passesAll && test == nil && selection.since == nil && selection.until == nil
      && selection.ticks == nil
    isByStreamAlone =
      selection.kinds.isAll && test == nil && selection.since == nil && selection.until == nil
      && selection.ticks == nil
  }

  /// Returns whether an event is chosen.
  public func contains(_ event: EventName) -> Bool {
    if isEverything { return true }
    guard let block = source.block(of: event), let index = blocks[block].index(of: event),
      filter.mayMatch(blocks[block]), test?.mayMatch(blocks[block]) ?? true
    else { return false }
    let indices = chosen(in: block)
    let wanted = UInt32(truncatingIfNeeded: index)
    let place = indices.partitionPoint { $0 >= wanted }
    return place < indices.count && indices[place] == wanted
  }

  /// Returns whether work is chosen, by the event that scheduled it. Work belongs to no stream: it is
  /// chosen, too, by what made it be scheduled.
  public func contains(work event: EventName, _ lookup: EventLookup) -> Bool {
    contains(event)
      || (lookup[event]?.causes.contains { cause in
        contains(cause)
          // The beginning of work names the event that scheduled it.
          || lookup[cause].map { $0.isHop && $0.causes.contains { contains($0) } } ?? false
      } ?? false)
  }

  /// Returns whether a finding is chosen: by an event that is evidence of it, or by its stream.
  public func contains(_ finding: Finding) -> Bool {
    if isEverything || finding.evidence.contains(where: { contains($0) }) { return true }
    guard isByStreamAlone || finding.evidence.isEmpty else { return false }
    if let stream = finding.stream { return contains(stream: stream) }
    return !selection.choosesStreams && finding.ring.map { contains(ring: $0) } ?? false
  }

  /// Returns whether a stream is chosen by its name.
  public func contains(stream: UInt32) -> Bool {
    selection.matches(source.definitions.streams[stream] ?? StreamCensus.unknown(stream))
  }

  /// Returns whether a thread is chosen, whatever it recorded.
  public func contains(ring: UInt32) -> Bool {
    selection.threads.isEmpty || RowTest.rings(selection.threads, in: source).contains(ring)
  }

  private func chosen(in block: Int) -> [UInt32] {
    if let place = shelves.firstIndex(where: { $0.block == block }) {
      if place > 0 { shelves.insert(shelves.remove(at: place), at: 0) }
      return shelves[0].indices
    }
    var indices: [UInt32] = []
    do throws(TraceFileError) {
      try select(block, into: &indices)
    } catch {
      walk.passOver(block: block, error)
    }
    if shelves.count == Self.mostShelves { shelves.removeLast() }
    shelves.insert(Shelf(block: block, indices: indices), at: 0)
    return indices
  }

  private func select(_ block: Int, into indices: inout [UInt32]) throws(TraceFileError) {
    var wanted: ColumnSet = [.streams, .kinds, .ticks]
    if filter.needsReasons { wanted.insert(.payloads) }
    if let test { wanted.formUnion(test.columns.union(test.late?.columns ?? [])) }
    try source.decode(block, into: &columns, columns: wanted)
    filter.select(from: columns, checksTicks: true, into: &indices)
    guard let test else { return }
    columns.withPointers { columns in
      test.sift(&indices, columns)
      test.late?.sift(&indices, columns)
    }
  }
}
