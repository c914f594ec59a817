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

  fileprivate mutating func count(_ kind: RecordKind, at tick: UInt64) {
    switch kind {
    case .value: values += 1
    case .failed: failed += 1
    case .completed: completed += 1
    case .interrupted: interrupted += 1
    case .absorbed: return absorbed += 1
    case .subscribed: return subscriptions += 1
    case .ended: return ended += 1
    case .assembled, .hopScheduled, .hopBegan, .hopEnded, .hopCancelled, .log, .mark, .skipped,
      .sent, .waitBegan, .waitEnded, .read, .taskCreated, .taskCancelled:
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
    var query = try EventQuery(selection, in: source, columns: [.kinds, .streams])
    let defined = query.filter.chosen ?? source.definitions.streams.values.sorted { $0.id < $1.id }
    streams.reserveCapacity(defined.count)
    for stream in defined where selection.matches(stream) { _ = slot(of: stream) }
    let known = streams.count
    query.run { page in
      page.forEachRun { entries, columns, _ in
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
    streams[lastSlot].count(kind, at: columns.ticks[index])
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
