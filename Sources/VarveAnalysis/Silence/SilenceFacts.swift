public import VarveFormat
internal import VarveProbe

/// The facts from which the reasons for silent streams are found.
public struct SilenceFacts: Sendable {
  /// An input of a stream.
  public struct Input: Sendable, Hashable {
    /// The stream.
    public var stream: UInt32
    /// Its position among the operator's inputs, from 0; nil for an inner stream of a flattening.
    public var position: Int?
  }

  let history: TraceHistory
  private let definitions: TraceDefinitions
  /// Whether only named streams were recorded.
  private let isNamedOnly: Bool
  private let queued: [QueuedWork]
  private let inner: [UInt32: [UInt32]]
  /// For each stream without records, the recorded stream that feeds it.
  private var feeding: [UInt32: UInt32] = [:]

  /// Gathers the facts of a trace.
  ///
  /// - Parameters:
  ///   - history: what each stream did.
  ///   - definitions: the definitions of all streams.
  ///   - lookup: finds what scheduled the work that never began.
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

  /// Returns the streams that feed a stream: its inputs in order, then its inner streams. A stream
  /// without records is replaced by the one that feeds it.
  func inputs(of stream: UInt32) -> [Input] {
    let parents = (definition(stream)?.parents ?? []).enumerated().map {
      Input(stream: recorded($1), position: $0)
    }
    return parents + (inner[stream] ?? []).map { Input(stream: $0, position: nil) }
  }

  private func recorded(_ stream: UInt32) -> UInt32 { feeding[stream] ?? stream }

  /// Finds what feeds each stream without records, visiting each of them at most once.
  private mutating func findRecorded() {
    for start in definitions.streams.keys.sorted() where isUnseen(start) {
      var stream = start
      // In a damaged trace, streams may lead to themselves.
      var passed: Set<UInt32> = []
      while feeding[stream] == nil, isUnseen(stream), passed.insert(stream).inserted,
        let parent = definition(stream)?.parents.first
      { stream = parent }
      let found = recorded(stream)
      for unseen in passed where feeding[unseen] == nil { feeding[unseen] = found }
    }
  }

  /// Returns whether no records of a stream can be expected: only named streams were recorded, or
  /// it stands for a signal or property that a producer observes and has no events of its own.
  private func isUnseen(_ stream: UInt32) -> Bool {
    guard let definition = definition(stream) else { return false }
    if isNamedOnly { return !definition.isNamed }
    return definition.traits?.contains(.standsIn) == true && definition.parents.count == 1
      && history.stream(stream)?.values ?? 0 == 0
  }

  /// Returns the number of values that `to` received from `from`.
  func delivered(from: UInt32, to: UInt32) -> UInt64 {
    let values = values(of: from)
    guard !isNamedOnly, history.subscriptions.pair(StreamEdge(from: from, to: to)) != nil else {
      // The observation was not recorded: it began before the recording, or passes through a stream
      // without events of its own.
      return values
    }
    return history.subscriptions.delivered(from: from, to: to, of: values)
  }

  /// Returns whether `to` observed `from`, as far as is known.
  func isAttached(_ from: UInt32, to: UInt32) -> Bool {
    if isNamedOnly || history.subscriptions.pair(StreamEdge(from: from, to: to)) != nil {
      return true
    }
    // It may have done so through a stream without events of its own.
    return definition(to)?.parents.contains { $0 != from && recorded($0) == from } ?? false
  }

  /// Returns whether a stream has the given traits; false when its traits are unknown.
  func `is`(_ stream: UInt32, _ traits: StreamTraits) -> Bool {
    definition(stream)?.traits?.isSuperset(of: traits) == true
  }

  /// Returns whether the trace defines a stream without recording its kind, as older versions did.
  func isOfUnknownKind(_ stream: UInt32) -> Bool {
    definition(stream).map { $0.traits == nil } ?? false
  }

  /// Returns whether a stream does nothing until it is started.
  func isCold(_ stream: UInt32) -> Bool {
    definition(stream)?.traits.map { !$0.contains(.hot) } ?? false
  }

  /// Returns whether an operator delivers nothing until each of its inputs has delivered a value.
  func needsAll(_ stream: UInt32) -> Bool {
    `is`(stream, .needsAllInputs) && definition(stream)?.parents.count ?? 0 > 1
  }

  /// Returns whether users cannot refer to a stream because it only stands for a signal that a
  /// producer observes.
  public func isStandIn(_ stream: UInt32) -> Bool { !isNamedOnly && isUnseen(stream) }

  /// Returns the operator's work that never began: scheduled by a value of one of its inputs or, if
  /// the work starts the input, when the operator itself was started.
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
