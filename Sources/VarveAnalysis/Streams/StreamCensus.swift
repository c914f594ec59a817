public import VarveFormat
public import VarveProbe

/// What one stream did in a trace.
public struct StreamSummary: Sendable {
  /// The stream; made up from its ID if the trace does not define it.
  public var definition: StreamDefinition
  /// The number of edges attached to it.
  public fileprivate(set) var subscriptions: UInt64 = 0
  /// The number of values that it delivered.
  public fileprivate(set) var values: UInt64 = 0
  /// The number of times it failed; more than one only for a stage of a producer.
  public fileprivate(set) var failed: UInt64 = 0
  /// The number of times it completed.
  public fileprivate(set) var completed: UInt64 = 0
  /// The number of times it was interrupted.
  public fileprivate(set) var interrupted: UInt64 = 0
  /// The number of values that it absorbed.
  public fileprivate(set) var absorbed: UInt64 = 0

  /// The number of the recording whose events it has, in a trace of several; otherwise 0.
  public fileprivate(set) var recording: UInt32 = 0

  private var ended: UInt64 = 0
  private var first = UInt64.max
  private var last: UInt64 = 0

  /// The number of edges attached to it that were still there when the trace ended.
  public var open: UInt64 { subscriptions - min(ended, subscriptions) }
  /// The number of values and ends.
  public var events: UInt64 { values + failed + completed + interrupted }
  /// The tick of the first value or end; nil when there is none.
  public var firstTick: UInt64? { events > 0 ? first : nil }
  /// The tick of the last value or end; nil when there is none.
  public var lastTick: UInt64? { events > 0 ? last : nil }

  init(_ definition: StreamDefinition) { self.definition = definition }

  /// Adds what a thread has counted.
  fileprivate mutating func add(_ tally: CensusPart.Tally, _ count: (RecordKind) -> UInt64) {
    values += count(.value)
    failed += count(.failed)
    completed += count(.completed)
    interrupted += count(.interrupted)
    absorbed += count(.absorbed)
    subscriptions += count(.subscribed)
    ended += count(.ended)
    first = min(first, tally.first)
    last = max(last, tally.last)
    recording = max(recording, tally.recording)
  }

  fileprivate mutating func count(_ kind: RecordKind, at tick: UInt64, of recording: UInt32) {
    self.recording = recording
    switch kind {
    case .value: values += 1
    case .failed: failed += 1
    case .completed: completed += 1
    case .interrupted: interrupted += 1
    case .absorbed: return absorbed += 1
    case .subscribed: return subscriptions += 1
    case .ended: return ended += 1
    case .assembled, .hopScheduled, .hopBegan, .hopEnded, .hopCancelled, .log, .mark, .skipped,
      .sent, .waitBegan, .waitEnded, .read, .taskCreated, .taskCancelled, .taskFailed,
      .taskFailureRead, .hopSampled, .errorThrown:
      return
    }
    first = min(first, tick)
    last = max(last, tick)
  }
}

/// Counts what each stream did.
public struct StreamCensus {
  /// A summary of each stream that is defined or occurs, by ID.
  public var streams: [StreamSummary] = []
  /// The number of events whose streams are not defined in the trace and not listed in `streams`: a
  /// few bytes of a trace can name any number of streams.
  public var leftOut: UInt64 { walk.passedOver.ofStreams }
  /// Damaged blocks that were passed over.
  public private(set) var damage: [TraceFileError] = []

  /// The maximum number of streams that several threads count.
  private static let mostTallied = 16_384

  private var slots = StreamSlots()
  private let walk: TraceWalk
  private var lastStream: UInt32 = 0
  private var lastSlot = 0

  /// Counts the events of a selection.
  ///
  /// - Throws: a `SelectionError` whenever the selection names an event that is not there.
  public init<Source: EventSource>(_ selection: Selection, in source: Source)
    throws(SelectionError)
  {
    walk = TraceWalk(source)
    var sweep = try EventSweep(selection, in: source, columns: [.ticks, .kinds, .streams])
    let defined = sweep.filter.chosen ?? source.definitions.streams.values.sorted { $0.id < $1.id }
    streams.reserveCapacity(defined.count)
    for stream in defined where selection.matches(stream) { _ = slot(of: stream) }
    let (known, slots) = (streams.count, slots)
    // Each thread has a tally for each stream, and a few bytes of a trace define one.
    guard known <= Self.mostTallied else {
      try countInOrder(selection, source)
      return
    }
    let parts = try sweep.run({ CensusPart(slots, count: known) }) { $0.count($1, $2) }
    guard parts.contains(where: \.hasUndefined) else {
      for part in parts { for slot in 0..<known { part.add(slot, to: &streams[slot]) } }
      damage = sweep.damage
      self.slots = StreamSlots()
      return
    }
    try countInOrder(selection, source)
  }

  /// Counts events of which some belong to streams that the trace does not define: of these, the first
  /// ones are kept.
  private mutating func countInOrder(
    _ selection: Selection, _ source: some EventSource
  ) throws(SelectionError) {
    let known = streams.count
    var query = try EventQuery(selection, in: source, columns: [.kinds, .streams])
    query.run { page in
      page.forEachRun { entries, columns in
        for entry in entries { count(columns, Int(entry.index)) }
      }
      return true
    }
    damage = query.damage
    slots = StreamSlots()
    if streams.count > known { streams.sort { $0.definition.id < $1.definition.id } }
  }

  private mutating func slot(of stream: StreamDefinition) -> Int {
    slots.add(stream.id, slot: streams.count)
    streams.append(StreamSummary(stream))
    return streams.count - 1
  }

  @inline(__always)
  private mutating func count(_ columns: ColumnPointers, _ index: Int) {
    let stream = columns.streams[index]
    guard stream != 0, let kind = RecordKind(rawValue: columns.kinds[index]), !kind.isHop
    else { return }
    if stream != lastStream {
      guard let slot = slots.find(stream) ?? undefinedSlot(of: stream) else {
        return
      }
      lastSlot = slot
      lastStream = stream
    }
    streams[lastSlot].count(
      kind, at: columns.ticks[index], of: EventName.recording(columns.ring))
  }

  private mutating func undefinedSlot(of stream: UInt32) -> Int? {
    walk.admitUndefinedStream() ? slot(of: Self.unknown(stream)) : nil
  }

  static func unknown(_ id: UInt32) -> StreamDefinition {
    let name = "stream \(id)"
    return StreamDefinition(
      id: id, name: name, derivation: name, operation: "", parents: [], place: nil,
      valueType: "", born: 0)
  }
}

/// What one thread has counted.
private final class CensusPart {
  fileprivate struct Tally {
    var first = UInt64.max
    var last: UInt64 = 0
    var recording: UInt32 = 0
  }

  private(set) var hasUndefined = false
  private let slots: StreamSlots
  private var tallies: [Tally]
  /// The number of events of each slot and kind.
  private var counts: [UInt64]

  private static let kinds = 32
  /// For each kind, 1 if it is counted, and 2 if it is a value or an end of a stream.
  private static let uses: [UInt8] = (0...255).map { number in
    guard number < kinds, let kind = RecordKind(rawValue: UInt8(number)), !kind.isHop else {
      return 0
    }
    switch kind {
    case .value, .failed, .completed, .interrupted: return 2
    default: return 1
    }
  }

  init(_ slots: StreamSlots, count: Int) {
    self.slots = slots
    tallies = Array(repeating: Tally(), count: count)
    counts = Array(repeating: 0, count: count * Self.kinds)
  }

  func count(_ columns: ColumnPointers, _ rows: UnsafeBufferPointer<UInt32>?) {
    counts.withUnsafeMutableBufferPointer { counts in
      tallies.withUnsafeMutableBufferPointer { tallies in
        slots.dense.withUnsafeBufferPointer { dense in
          Self.uses.withUnsafeBufferPointer { uses in
            let block = Block(
              columns: columns, counts: counts, tallies: tallies, dense: dense, uses: uses,
              recording: EventName.recording(columns.ring))
            if let rows {
              for row in rows { count(Int(row), block) }
            } else {
              for index in 0..<columns.kinds.count { count(index, block) }
            }
          }
        }
      }
    }
  }

  /// What is used for every event of a block.
  private struct Block {
    let columns: ColumnPointers
    let counts: UnsafeMutableBufferPointer<UInt64>
    let tallies: UnsafeMutableBufferPointer<Tally>
    let dense: UnsafeBufferPointer<UInt32>
    let uses: UnsafeBufferPointer<UInt8>
    let recording: UInt32
  }

  @inline(__always)
  private func count(_ index: Int, _ block: Block) {
    let stream = block.columns.streams[index]
    let kind = Int(block.columns.kinds[index])
    let use = block.uses[kind]
    guard stream != 0, use > 0 else { return }
    var slot = Int(UInt32.max)
    if Int(stream) < block.dense.count {
      slot = Int(block.dense[Int(stream)])
    } else if let known = slots.find(stream) {
      slot = known
    }
    guard slot != Int(UInt32.max) else { return hasUndefined = true }
    block.counts[slot &* Self.kinds &+ kind] &+= 1
    if block.recording != 0 { block.tallies[slot].recording = block.recording }
    guard use == 2 else { return }
    let tick = block.columns.ticks[index]
    block.tallies[slot].first = min(block.tallies[slot].first, tick)
    block.tallies[slot].last = max(block.tallies[slot].last, tick)
  }

  /// Adds what was counted of a stream.
  func add(_ slot: Int, to summary: inout StreamSummary) {
    summary.add(tallies[slot]) { counts[slot * Self.kinds + Int($0.rawValue)] }
  }
}

/// A pair of streams, one of which feeds the other.
public struct StreamEdge: Hashable, Sendable {
  /// The stream that is observed.
  public var from: UInt32
  /// The stream that it feeds.
  public var to: UInt32

  /// Creates an edge.
  public init(from: UInt32, to: UInt32) {
    self.from = from
    self.to = to
  }
}

extension StreamEdge: WalkKey {
  /// Both streams.
  @inlinable package var word: UInt64 { UInt64(from) << 32 | UInt64(to) }
}
