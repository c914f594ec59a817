public import VarveFormat
public import VarveProbe

/// A trace told line by line, for tests: what was sent by which stream, when, on which thread.
///
/// Times are milliseconds of a clock that is turned by hand, so that what a test expects to be
/// printed can be read off its script.
public struct TraceScript {
  private var definitions: [TraceDefinition] = []
  private var records: [UInt32: [ScriptedRecord]] = [:]
  private var streams: UInt32 = 0
  private var schedulers: UInt32 = 0
  private var losses: [TraceLoss] = []
  private var lastEdge: UInt64 = 0

  /// Whether the trace says what kinds its streams are of; those of format 1.0 do not.
  public var tellsKinds = true

  /// Of which recording the trace claims to be: files of one recording are one trace.
  public var id = TraceID(low: 1, high: 2)

  /// The process that the trace claims to be of.
  public var process = ProcessDescription(
    program: "/usr/bin/shop", arguments: ["shop", "--verbose"], pid: 4711, host: "till",
    started: 1_700_000_000_000_000_000)

  /// What the clock shows when the recording begins.
  public var anchor = Self.start

  /// When the recorder looked at the clock for the last time, in milliseconds, if it did so after the
  /// last event.
  public var lastLook: Double?

  /// A trace without events, of one thread, `main`, whose ring is 1.
  public init() {
    definitions.append(.thread(ThreadDefinition(ring: 1, systemID: 4711, name: "")))
  }

  // MARK: - Definitions

  /// Adds a thread and returns its ring.
  public mutating func thread(_ name: String, ring: UInt32) -> UInt32 {
    definitions.append(
      .thread(ThreadDefinition(ring: ring, systemID: 4711 + UInt64(ring), name: name)))
    return ring
  }

  /// Adds a stream and returns its id. A stream is named unless it is `derived`. What kind it is
  /// follows from what is `operation`'s usual one where `traits` do not say it.
  public mutating func stream(
    _ name: String, _ operation: String = "pipe", from parents: [UInt32] = [],
    type: String = "String", derived: Bool = false, line: UInt32 = 0, traits: StreamTraits? = nil,
    absorbs: AbsorptionReason? = nil, stack: UInt32 = 0, file: String = "Shop/Shop.swift"
  ) -> UInt32 {
    streams += 1
    definitions.append(
      .stream(
        StreamDefinition(
          id: streams, name: name, derivation: derived ? name : "\(operation)@Shop.swift:\(line)",
          operation: operation, parents: parents,
          place: line == 0 ? nil : Place(file: file, line: line), valueType: type,
          born: 0, absorbs: absorbs, traits: traits ?? Self.usualTraits[operation] ?? [],
          stack: stack)))
    return streams
  }

  /// What kinds of streams the operators are that scripts mention: no label means anything to who
  /// reads a trace.
  private static let usualTraits: [String: StreamTraits] = [
    "pipe": .hot, "signal": .hot, "property": [.hot, .replays],
    "combineLatest": [.joins, .needsAllInputs, .holds],
    "combineLatest(_:_:)": [.joins, .needsAllInputs, .holds],
    "debounce": [.hops, .holds, .replaces, .swallows], "filter(_:)": .swallows,
    "throttle": [.hops, .holds, .replaces, .swallows, .samples],
    "observe(on:)": [.hops, .holds], "start(on:)": .startsElsewhere,
    "flatMap": [.makesStreams, .joins], "flatMap(_:_:)": [.makesStreams, .joins],
    "flatMap(.merge)": [.makesStreams, .joins, .runsSideBySide],
    "flatMap(.latest)": [.makesStreams, .joins, .replaces],
    "flatMapError(_:)": .handlesFailure, "named(_:)": .renames,
  ]

  /// Adds a scheduler and returns its id.
  ///
  /// - Parameter id: its ID; nil for the next one. Executors of tasks have IDs from 2³¹ on.
  public mutating func scheduler(_ name: String, id: UInt32? = nil) -> UInt32 {
    if id == nil { schedulers += 1 }
    definitions.append(.scheduler(SchedulerDefinition(id: id ?? schedulers, name: name)))
    return id ?? schedulers
  }

  /// Adds what tasks of one place have in common, under a number.
  public mutating func taskTemplate(
    _ id: UInt32, _ making: TaskMaking = .task, name: String = "", stack: UInt32 = 0
  ) {
    definitions.append(
      .taskTemplate(
        TaskTemplateDefinition(
          id: id, making: making.rawValue, priority: 21, name: name, stack: stack)))
  }

  /// Adds a stack of return addresses under a number.
  public mutating func stack(_ id: UInt32, _ addresses: [UInt64]) {
    let frames = addresses.map { StackFrame(address: $0) }
    definitions.append(.stack(StackDefinition(id: id, frames: frames)))
  }

  /// Says of which file the code at some addresses is.
  public mutating func module(_ id: UInt32, _ path: String, _ addresses: Range<UInt64>) {
    definitions.append(
      .module(ModuleDefinition(id: id, path: path, buildID: [], bias: 0, addresses: addresses)))
  }

  /// Names the code to which an address of a stack returns.
  public mutating func code(
    _ address: UInt64, _ function: String, line: UInt32, of file: String = "/src/Shop/Shop.swift"
  ) {
    let place = FunctionPlace(function: function, file: file, line: line)
    let symbol = SymbolDefinition(address: StackFrame(address: address).lookup, functions: [place])
    definitions.append(.symbol(symbol))
  }

  // MARK: - Events

  /// Adds a record and returns how others may refer to it. Records of one ring must be added in
  /// the order of their times.
  @discardableResult
  public mutating func record(
    _ kind: RecordKind, of stream: UInt32, _ payload: ScriptedPayload = .absent,
    at milliseconds: Double, ring: UInt32 = 1, subscription: UInt64 = 0, back: UInt32 = 0,
    causes: [EventName] = []
  ) -> EventName {
    record(
      kind, of: stream, payload, ticks: Self.ticks(milliseconds), ring: ring,
      subscription: subscription, back: back, causes: causes)
  }

  /// Adds a record at a tick of the clock.
  @discardableResult
  public mutating func record(
    _ kind: RecordKind, of stream: UInt32, _ payload: ScriptedPayload = .absent, ticks: UInt64,
    ring: UInt32 = 1, subscription: UInt64 = 0, back: UInt32 = 0, causes: [EventName] = []
  ) -> EventName {
    let sequence = UInt64(records[ring, default: []].count) + 1
    records[ring, default: []].append(
      ScriptedRecord(
        kind: kind, payload: payload, stream: stream, ticks: ticks,
        sequence: UInt32(sequence), back: causes.isEmpty || back > 0 ? back : .max,
        subscription: subscription, causes: causes))
    return EventName(ring: ring, sequence: sequence)
  }

  /// The stream delivers a text.
  @discardableResult
  public mutating func value(
    _ stream: UInt32, _ text: String, at milliseconds: Double, ring: UInt32 = 1,
    subscription: UInt64 = 0, back: UInt32 = 0
  ) -> EventName {
    record(
      .value, of: stream, .string(text), at: milliseconds, ring: ring, subscription: subscription,
      back: back)
  }

  /// An edge from a stream to one that it feeds, or to an outside observer; `by` is the stack of
  /// the observing code.
  public mutating func subscribe(
    _ stream: UInt32, to fed: UInt32 = 0, at milliseconds: Double, ring: UInt32 = 1,
    by stack: UInt32 = 0
  ) -> UInt64 {
    lastEdge += 1
    record(
      .subscribed, of: stream, .subscription(SubscriptionPayload(stream: fed, stack: stack)),
      at: milliseconds, ring: ring, subscription: lastEdge)
    return lastEdge
  }

  /// An edge goes.
  public mutating func end(
    _ edge: UInt64, of stream: UInt32, _ reason: EndReason, at milliseconds: Double,
    ring: UInt32 = 1
  ) {
    record(
      .ended, of: stream, .reason(reason.rawValue), at: milliseconds, ring: ring,
      subscription: edge)
  }

  /// Events are missing.
  public mutating func lose(
    _ count: UInt64, from first: Double, to last: Double, ring: UInt32 = 1
  ) {
    losses.append(
      TraceLoss(ring: ring, count: count, ticks: Self.ticks(first)...Self.ticks(last)))
  }

  // MARK: - The file

  /// The trace's clock when the recording begins.
  public static let start: UInt64 = 1_000_000_000

  /// Ticks of a moment.
  public static func ticks(_ milliseconds: Double) -> UInt64 {
    start + UInt64((milliseconds * 1_000_000).rounded())
  }

  /// Writes the trace.
  ///
  /// - Parameters:
  ///   - blockEvents: how many events a block holds at most.
  ///   - ending: how the recording ended; nil leaves the file without an index, as a crash does.
  public func write(to path: String, blockEvents: Int = 4096, ending: TraceEnding? = .clean) throws
  {
    var header = TraceHeader(
      id: id, process: process, clock: .byHand,
      anchor: ClockAnchor(ticks: anchor, monotonic: anchor))
    if !tellsKinds { header.version = TraceVersion(major: 1, minor: 0) }
    let writer = try TraceWriter(creating: path, header: header)
    try writer.append(definitions: tellsKinds ? definitions : definitions.map(Self.withoutKind))
    for chunk in chunks(of: blockEvents) {
      let bytes = chunk.records.flatMap(\.bytes)
      try bytes.withUnsafeBytes {
        try writer.append(
          records: $0, ring: chunk.ring, firstSequence: UInt64(chunk.records[0].sequence))
      }
    }
    if !losses.isEmpty { try writer.append(losses: losses) }
    if let lastLook {
      let ticks = Self.ticks(lastLook)
      try writer.append(anchor: ClockAnchor(ticks: ticks, monotonic: ticks))
    }
    if let ending { try writer.finish(ending: ending) }
  }

  /// A definition as format 1.0 has it.
  private static func withoutKind(_ definition: TraceDefinition) -> TraceDefinition {
    guard case .stream(var stream) = definition else { return definition }
    stream.traits = nil
    return .stream(stream)
  }

  /// What a drain thread would have written, block by block: in the order of first events.
  private func chunks(of size: Int) -> [(ring: UInt32, records: [ScriptedRecord])] {
    var chunks: [(ring: UInt32, records: [ScriptedRecord])] = []
    for (ring, records) in records {
      for start in stride(from: 0, to: records.count, by: size) {
        chunks.append((ring, Array(records[start..<min(start + size, records.count)])))
      }
    }
    return chunks.sorted { ($0.records[0].ticks, $0.ring) < ($1.records[0].ticks, $1.ring) }
  }
}
