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
  private var inner: [UInt32: [UInt32]]
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

  /// The observations that had not ended when the program did, by who observes what.
  var openObservations: [OpenObservations.Group] {
    OpenObservations(history, definitions, tillEnd: true).groups
  }

  var allDefinitions: some Collection<StreamDefinition> { definitions.streams.values }

  /// Returns streams and those that they were made from.
  func above(_ streams: [UInt32]) -> Set<UInt32> {
    var found = Set(streams)
    var open = streams
    while let next = open.popLast(), found.count < Self.mostLearnt {
      open += (definition(next)?.parents ?? []).filter { found.insert($0).inserted }
    }
    return found
  }

  /// Whether one of two streams was made from the other.
  public func areInOneFlow(_ one: UInt32, _ other: UInt32) -> Bool {
    above([one]).contains(other) || above([other]).contains(one)
  }

  /// Returns the observations of one stream by another, or by observers outside all streams (0).
  func pair(_ from: UInt32, _ to: UInt32) -> SubscriptionHistory.Pair? {
    history.subscriptions.pair(StreamEdge(from: from, to: to))
  }

  /// Returns whether a stream was observed in a way that its own account does not show.
  func feedsAnother(_ stream: UInt32) -> Bool {
    inner.values.contains { $0.contains(stream) }
  }

  /// Returns the stream that starts another one again when that fails; nil if there is none.
  func restarting(_ stream: UInt32) -> UInt32? {
    allDefinitions.first {
      $0.traits?.contains(.restarts) == true && $0.parents.contains(stream)
    }?.id
  }

  /// Returns whether a stream no longer receives anything, because each of its observations was
  /// disposed of: its own silence does not say whether more came.
  func isDetached(_ stream: UInt32) -> Bool {
    // The runs of a flattening may have ended by themselves before.
    let attached = inputs(of: stream).filter {
      $0.position != nil && isAttached($0.stream, to: stream)
    }
    return !attached.isEmpty
      && attached.allSatisfy {
        guard let pair = pair($0.stream, stream) else { return false }
        return pair.open == 0 && (pair.lastReason == .disposed || pair.lastReason == .released)
          && pair.lastEnd.map(history.isTakenDown) != true
      }
  }

  func values(of stream: UInt32) -> UInt64 { history.stream(stream)?.values ?? 0 }

  func ended(_ stream: UInt32) -> Bool { history.stream(stream).flatMap(end) != nil }

  /// Returns a stream's first end, unless it was interrupted only because the program was taken
  /// down.
  func end(of account: StreamAccount) -> (kind: RecordKind, moment: EventMoment)? {
    account.firstEnd.flatMap { end in
      end.kind == .interrupted && history.isTakenDown(end.moment) ? nil : end
    }
  }

  /// Returns the streams that feed a stream: its inputs in order, then its inner streams. A stream
  /// without records is replaced by the one that feeds it.
  func inputs(of stream: UInt32) -> [Input] {
    let parents = (definition(stream)?.parents ?? []).enumerated().map {
      Input(stream: recorded($1), position: $0)
    }
    // What a parent stands in for feeds the stream by itself: it is one input.
    let inner = (inner[stream] ?? []).filter { one in !parents.contains { $0.stream == one } }
    return parents + inner.map { Input(stream: $0, position: nil) }
  }

  /// Finds which streams above `stream` feed sources by way of the program's code: a source has no
  /// inputs, but its values may be caused by those of other streams.
  public mutating func learnFeeds(upstreamOf stream: UInt32, _ lookup: EventLookup) {
    var seen: Set<UInt32> = [stream]
    var open = [stream]
    while let next = open.popLast(), seen.count < Self.mostLearnt {
      let known = inputs(of: next)
      if known.allSatisfy({ $0.position == nil }), !createsStreams(next) {
        for feed in feeds(of: next, lookup) where feed != next {
          if inner[next]?.contains(feed) != true { inner[next, default: []].append(feed) }
        }
      }
      open += inputs(of: next).map(\.stream).filter { seen.insert($0).inserted }
    }
  }

  /// The maximum number of streams whose feeds are looked up.
  private static let mostLearnt = 4_096
  /// The maximum number of events between a value and what fed its source, most of them hops.
  private static let mostBetween = 8

  /// Returns the streams whose events caused the first and the last value of a source.
  private func feeds(of stream: UInt32, _ lookup: EventLookup) -> Set<UInt32> {
    guard let account = history.stream(stream) else { return [] }
    let moments = [account.firstValue, account.lastValue].compactMap { $0 }
    return Set(moments.compactMap { feed(of: $0.name, lookup) })
  }

  private func feed(of value: EventName, _ lookup: EventLookup) -> UInt32? {
    var event = lookup[value]
    for _ in 0..<Self.mostBetween {
      guard let cause = event?.causes.first, let next = lookup[cause] else { return nil }
      if !next.isHop { return recorded(next.stream) }
      event = next
    }
    return nil
  }

  /// Returns whether other streams than its inputs feed a stream: the inner streams of a
  /// flattening, or what replaces a failed input.
  func createsStreams(_ stream: UInt32) -> Bool {
    let traits = definition(stream)?.traits ?? []
    return !traits.isDisjoint(with: [.makesStreams, .handlesFailure, .restarts])
  }

  /// Returns whether late observers of a stream receive earlier values, which it or the stream that
  /// it stands for keeps.
  func replaysValues(_ stream: UInt32) -> Bool {
    if `is`(stream, .standsIn) {
      return definition(stream)?.parents.contains { `is`($0, .replays) } ?? false
    }
    return `is`(stream, .replays)
  }

  /// Returns the streams that the same code made, by its stack, oldest first: those with one of the
  /// given stacks.
  func streams(madeBy stacks: Set<UInt32>) -> [UInt32: [UInt32]] {
    let made = definitions.streams.values.filter { $0.stack != 0 && stacks.contains($0.stack) }
    return Dictionary(grouping: made, by: \.stack).mapValues { $0.map(\.id).sorted() }
  }

  /// Returns whether the same code as its input made a stream: it is a part of what the program
  /// made there, not an operator of its own.
  func isPart(_ stream: UInt32) -> Bool {
    guard let definition = definition(stream) else { return false }
    return definition.parents.contains { parent in
      guard let parent = self.definition(parent) else { return false }
      return definition.stack != 0 && definition.stack == parent.stack
        || definition.place != nil && definition.place == parent.place
    }
  }

  /// Returns whether a stream delivers events as values, as an action does of all its runs.
  func deliversEvents(_ stream: UInt32) -> Bool {
    guard let type = definition(stream)?.valueType else { return false }
    return type.hasPrefix("VarveReactive.Signal<") && type.hasSuffix(">.Event")
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

  /// Orders streams for an answer: the last in the flow first, the newest of several. Those that
  /// only stand for others are left out if there are others.
  public func inFlowOrder(_ streams: [UInt32]) -> [UInt32] {
    let own = streams.filter { !isStandIn($0) }
    let asked = own.isEmpty ? streams : own
    let examined = asked.sorted(by: >).prefix(Self.mostExamined)
    var upper: Set<UInt32> = []
    for stream in examined {
      upper.formUnion(Upstream(of: stream, in: self).members.dropFirst().map(\.stream))
    }
    func rank(_ stream: UInt32) -> (Int, Int, UInt32) {
      let isObserved = history.stream(stream)?.subscriptions ?? 0 > 0
      return (upper.contains(stream) ? 0 : 1, isObserved ? 1 : 0, stream)
    }
    return asked.sorted { rank($0) > rank($1) }
  }

  /// The maximum number of streams whose order in the flow is found out.
  private static let mostExamined = 64

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
