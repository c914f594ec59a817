public import VarveFormat
public import VarveProbe

/// What one stream did in a trace.
public struct StreamSummary: Sendable {
  /// The stream; made up from its id when the trace does not define it.
  public var definition: StreamDefinition
  /// Edges that were attached to it.
  public var subscriptions: UInt64 = 0
  /// Of these, those that had not gone when the trace ended.
  public var open: UInt64 = 0
  /// Values that it delivered.
  public var values: UInt64 = 0
  /// How often it failed; more than once only for a stage of a producer.
  public var failed: UInt64 = 0
  /// How often it completed.
  public var completed: UInt64 = 0
  /// How often it was interrupted.
  public var interrupted: UInt64 = 0
  /// Values that it swallowed.
  public var absorbed: UInt64 = 0
  /// Tick of the first value or end; nil when it delivered none.
  public var firstTick: UInt64?
  /// Tick of the last value or end.
  public var lastTick: UInt64?

  /// Values and ends.
  public var events: UInt64 { values + failed + completed + interrupted }

  init(_ definition: StreamDefinition) { self.definition = definition }
}

/// Counts what each stream did.
public struct StreamCensus {
  /// One for each stream that is defined or occurs, by id.
  public private(set) var streams: [StreamSummary] = []
  /// Which streams were fed by which others while the program ran, beyond those that they were made
  /// from: the inner streams of a flattening.
  public private(set) var feeds: Set<StreamEdge> = []
  /// Damaged blocks that were passed over.
  public private(set) var damage: [TraceFileError] = []

  private var slots: [UInt32: Int] = [:]
  private var counts: [Counts] = []
  private var lastStream: UInt32 = 0
  private var lastSlot = 0

  private struct Counts {
    var byKind = (0..<16).map { _ in UInt64(0) }
    var first = UInt64.max
    var last: UInt64 = 0
  }

  /// Counts the events of a selection.
  ///
  /// - Throws: a `SelectionError` whenever the selection names an event that is not there.
  public init<Source: EventSource>(_ selection: Selection, in source: Source)
    throws(SelectionError)
  {
    var query = try EventQuery(selection, in: source, columns: [.kinds, .streams, .payloads])
    let defined = query.filter.chosen ?? source.definitions.streams.values.sorted { $0.id < $1.id }
    for stream in defined where selection.matches(stream) { _ = slot(of: stream) }
    query.run { page in
      page.forEach { count($0, $1) }
      return true
    }
    damage = query.damage
    finish(source.definitions)
  }

  private mutating func slot(of stream: StreamDefinition) -> Int {
    slots[stream.id] = streams.count
    streams.append(StreamSummary(stream))
    counts.append(Counts())
    return streams.count - 1
  }

  private mutating func count(_ batch: EventBatch, _ index: Int) {
    let kind = batch.columns.kinds[index]
    let stream = batch.columns.streams[index]
    guard stream != 0, kind < 16, !Self.isHop(kind) else { return }
    if stream != lastStream {
      lastSlot = slots[stream] ?? slot(of: Self.unknown(stream))
      lastStream = stream
    }
    let slot = lastSlot
    counts[slot].byKind[Int(kind)] += 1
    if (RecordKind.value.rawValue...RecordKind.interrupted.rawValue).contains(kind) {
      let tick = batch.columns.ticks[index]
      counts[slot].first = min(counts[slot].first, tick)
      counts[slot].last = max(counts[slot].last, tick)
    } else if kind == RecordKind.subscribed.rawValue {
      let fed = UInt32(truncatingIfNeeded: batch.columns.words[index])
      if fed != 0 { feeds.insert(StreamEdge(from: stream, to: fed)) }
    }
  }

  private static func isHop(_ kind: UInt8) -> Bool {
    (RecordKind.hopScheduled.rawValue...RecordKind.hopCancelled.rawValue).contains(kind)
  }

  static func unknown(_ id: UInt32) -> StreamDefinition {
    StreamDefinition(
      id: id, name: "stream \(id)", derivation: "stream \(id)", operation: "", parents: [],
      place: nil, valueType: "", born: 0)
  }

  private mutating func finish(_ definitions: TraceDefinitions) {
    for (slot, counts) in counts.enumerated() {
      func number(_ kind: RecordKind) -> UInt64 { counts.byKind[Int(kind.rawValue)] }
      streams[slot].subscriptions = number(.subscribed)
      let ended = number(.ended)
      streams[slot].open = number(.subscribed) - min(ended, number(.subscribed))
      streams[slot].values = number(.value)
      streams[slot].failed = number(.failed)
      streams[slot].completed = number(.completed)
      streams[slot].interrupted = number(.interrupted)
      streams[slot].absorbed = number(.absorbed)
      guard streams[slot].events > 0 else { continue }
      streams[slot].firstTick = counts.first
      streams[slot].lastTick = counts.last
    }
    streams.sort { $0.definition.id < $1.definition.id }
    feeds = feeds.filter { definitions.streams[$0.to]?.parents.contains($0.from) != true }
  }
}

/// One stream feeds another.
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
