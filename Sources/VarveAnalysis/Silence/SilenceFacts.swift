public import VarveFormat
internal import VarveProbe

/// What is looked up again and again to find out why streams are silent.
public struct SilenceFacts: Sendable {
  /// What a stream is fed by.
  public struct Input: Sendable, Hashable {
    /// The stream.
    public var stream: UInt32
    /// Its place among the operator's inputs, from 0; nil for an inner stream of a flattening.
    public var position: Int?
  }

  let history: TraceHistory
  private let definitions: TraceDefinitions
  /// Whether only streams that were named were recorded.
  private let isNamedOnly: Bool
  private let queued: [QueuedWork]
  private let inner: [UInt32: [UInt32]]
  /// Of streams that were not recorded, those that feed them.
  private var feeding: [UInt32: UInt32] = [:]

  /// Gathers the facts of a trace.
  ///
  /// - Parameters:
  ///   - history: what each stream did.
  ///   - definitions: what is known of all streams.
  ///   - lookup: finds out what gave work to schedulers that they never began.
  public init(_ history: TraceHistory, _ definitions: TraceDefinitions, lookup: EventLookup) {
    self.history = history
    self.definitions = definitions
    isNamedOnly = !history.streams.contains { definitions.streams[$0.stream]?.isNamed == false }
    queued = QueuedWork.all(history, definitions, lookup)
    var inner: [UInt32: [UInt32]] = [:]
    for pair in history.subscriptions.connected where pair.to != 0 {
      if definitions.streams[pair.to]?.parents.contains(pair.from) != true {
        inner[pair.to, default: []].append(pair.from)
      }
    }
    for stream in inner.keys { inner[stream]?.sort() }
    self.inner = inner
    findRecorded()
  }

  func definition(_ stream: UInt32) -> StreamDefinition? { definitions.streams[stream] }

  func values(of stream: UInt32) -> UInt64 { history.stream(stream)?.values ?? 0 }

  func ended(_ stream: UInt32) -> Bool { history.stream(stream)?.firstEnd != nil }

  /// What feeds a stream: its inputs in their order, then its inner streams. Of streams that were not
  /// recorded, those that feed them.
  func inputs(of stream: UInt32) -> [Input] {
    let parents = (definition(stream)?.parents ?? []).enumerated().map {
      Input(stream: recorded($1), position: $0)
    }
    return parents + (inner[stream] ?? []).map { Input(stream: $0, position: nil) }
  }

  private func recorded(_ stream: UInt32) -> UInt32 { feeding[stream] ?? stream }

  /// Finds what feeds each stream that was not recorded, passing by none of them twice.
  private mutating func findRecorded() {
    for start in definitions.streams.keys.sorted() where isUnseen(start) {
      var stream = start
      // A damaged trace may tell of streams that lead to themselves.
      var passed: Set<UInt32> = []
      while feeding[stream] == nil, isUnseen(stream), passed.insert(stream).inserted,
        let parent = definition(stream)?.parents.first
      { stream = parent }
      let found = recorded(stream)
      for unseen in passed where feeding[unseen] == nil { feeding[unseen] = found }
    }
  }

  /// Whether records of a stream cannot be expected: only named ones were recorded, or it stands for
  /// a signal or a property that a producer observes and has no events of its own.
  private func isUnseen(_ stream: UInt32) -> Bool {
    guard let definition = definition(stream) else { return false }
    if isNamedOnly { return !definition.isNamed }
    return definition.traits?.contains(.standsIn) == true && definition.parents.count == 1
      && history.stream(stream)?.values ?? 0 == 0
  }

  /// How many values `to` got from `from`.
  func delivered(from: UInt32, to: UInt32) -> UInt64 {
    let values = values(of: from)
    guard !isNamedOnly, history.subscriptions.pair(StreamEdge(from: from, to: to)) != nil else {
      // The observation was not recorded: it began before the recording, or goes by a stream that
      // has no events of its own.
      return values
    }
    return history.subscriptions.delivered(from: from, to: to, of: values)
  }

  /// Whether `to` observed `from`, as far as that can be known.
  func isAttached(_ from: UInt32, to: UInt32) -> Bool {
    if isNamedOnly || history.subscriptions.pair(StreamEdge(from: from, to: to)) != nil {
      return true
    }
    // Through a stream that has no events of its own.
    return definition(to)?.parents.contains { $0 != from && recorded($0) == from } ?? false
  }

  /// Whether a stream is what these bits say; no when nobody knows.
  func `is`(_ stream: UInt32, _ traits: StreamTraits) -> Bool {
    definition(stream)?.traits?.isSuperset(of: traits) == true
  }

  /// Whether the trace defines a stream and does not say what kind it is: a version of before has
  /// written it.
  func isOfUnknownKind(_ stream: UInt32) -> Bool {
    definition(stream).map { $0.traits == nil } ?? false
  }

  /// Whether a stream does nothing until it is started.
  func isCold(_ stream: UInt32) -> Bool {
    definition(stream)?.traits.map { !$0.contains(.hot) } ?? false
  }

  /// Whether an operator delivers nothing before each of its inputs has.
  func needsAll(_ stream: UInt32) -> Bool {
    `is`(stream, .needsAllInputs) && definition(stream)?.parents.count ?? 0 > 1
  }

  /// Whether nobody can ask for a stream: it stands for a signal that a producer observes.
  public func isStandIn(_ stream: UInt32) -> Bool { !isNamedOnly && isUnseen(stream) }

  /// Work of the operator that never began: given to a scheduler by a value of one of its inputs, or,
  /// where the work is to start the input, as the operator itself was started.
  func queuedWork(of stream: UInt32, _ inputs: [UInt32]) -> Silence.Reason? {
    let delivers = `is`(stream, .hops)
    guard delivers || `is`(stream, .startsElsewhere) else { return nil }
    let work = queued.filter { work in
      work.started == stream || delivers && !work.causes.isDisjoint(with: inputs)
    }
    guard let first = work.first?.hop else { return nil }
    return .queued(UInt64(work.count), scheduler: first.scheduler, since: first.scheduled)
  }
}
