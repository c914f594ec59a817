internal import VarveFormat
internal import VarveProbe

/// Finds answers to older requests that replaced those to newer ones, as happens when a program
/// flattens with `.merge` where `.latest` was meant.
///
/// Where answers are gathered, none replaces another, and their order is no problem. Nor is it where
/// requests are made in one go, or wait for their turn: they are pieces of work of their own. And
/// streams that deliver on and on are no answers.
struct StaleResults: FindingRule {
  /// A result that came too late.
  private struct Late {
    /// The result.
    var result: EventName
    /// The request that it answers.
    var request: EventName
    /// The newer request, whose result had already arrived.
    var newer: EventName
  }

  private let facts: FindingFacts
  private var results: [UInt32: LastEvents] = [:]

  /// What the last inner streams were begun because of, by their edges, oldest first: what sends into
  /// an inner stream may come from where the trace knows nothing, such as a callback.
  private var begun: [(edge: UInt64, cause: EventName)] = []
  /// The inner streams.
  private let inner: Set<UInt32>

  let readsCauses = true
  let kinds: Set<RecordKind> = [.value, .subscribed]
  var streams: Set<UInt32>? { inner.union(results.keys) }

  /// The number of last results examined for each stream …
  private static let mostResults = 400
  /// … and for all streams together.
  private static let mostOfAll = 40_000
  /// The maximum number of events followed from a result back to its request.
  private static let mostEvents = 300
  /// The maximum number of inner streams whose beginnings are kept.
  private static let mostBegun = 4_096
  private static let fewestInBurst = 3
  /// The longest time between requests that are made in one go, in nanoseconds.
  private static let longestPause: UInt64 = 2_000_000

  init?(_ facts: FindingFacts) {
    self.facts = facts
    let flattenings = facts.history.streams.map(\.stream).filter { stream in
      facts.is(stream, [.makesStreams, .runsSideBySide]) && !facts.is(stream, .holds)
        && !facts.links.isGathered(stream)
    }
    if flattenings.isEmpty { return nil }
    inner = Set(flattenings.flatMap { facts.links.inner(of: $0) })
    let most = max(1, min(Self.mostResults, Self.mostOfAll / flattenings.count))
    for stream in flattenings where results.count < Self.mostOfAll {
      results[stream] = LastEvents(most)
    }
  }

  mutating func note(_ event: FindingEvent) {
    guard event.kind == .subscribed else {
      results[event.stream]?.append(event.name)
      return
    }
    guard results[SubscriptionPayload(word: event.word).stream] != nil,
      let cause = event.causes.first
    else { return }
    if begun.count == 2 * Self.mostBegun { begun.removeFirst(Self.mostBegun) }
    begun.append((event.subscription, cause))
  }

  mutating func findings() -> [Finding] {
    results.sorted { $0.key < $1.key }.compactMap { stream, results in
      guard let definition = facts.definitions.streams[stream],
        let outer = definition.parents.first
      else { return nil }
      return finding(results.names, in: stream, from: outer)
    }
  }

  private func finding(
    _ results: [EventName], in stream: UInt32, from outer: UInt32
  ) -> Finding? {
    let answers = results.compactMap { result in
      request(of: result, from: outer).map { (result: result, request: $0) }
    }
    // Each request has one answer, or two if the first one is preliminary.
    guard answers.count <= 2 * Set(answers.map(\.request.name)).count else { return nil }
    let late = late(answers, bursts(of: answers.map(\.request)))
    guard let last = late.last else { return nil }
    var finding = Finding(.stale)
    finding.stream = stream
    finding.other = outer
    finding.place = .stream(stream)
    // What comes last stays.
    finding.weight = last.result == results.last ? 85 : 65
    finding.count = UInt64(late.count)
    finding.evidence = [last.result, last.request, last.newer]
    return finding
  }

  /// Returns the numbers of the bursts that requests belong to: of at least three, made one right
  /// after the other.
  private func bursts(of requests: [TraceEvent]) -> [EventName: Int] {
    var bursts: [[TraceEvent]] = []
    for request in Set(requests).sorted(by: { $0.isBefore($1) }) {
      if let last = bursts.last?.last, last.ring == request.ring,
        facts.time.duration(from: last.ticks, to: request.ticks) <= Self.longestPause
      {
        bursts[bursts.count - 1].append(request)
      } else {
        bursts.append([request])
      }
    }
    return bursts.enumerated().reduce(into: [:]) { numbers, burst in
      guard burst.element.count >= Self.fewestInBurst else { return }
      for request in burst.element { numbers[request.name] = burst.offset }
    }
  }

  private func late(
    _ answers: [(result: EventName, request: TraceEvent)], _ bursts: [EventName: Int]
  ) -> [Late] {
    var late: [Late] = []
    var newest: TraceEvent?
    for (result, request) in answers {
      guard let newer = newest, request.ticks < newer.ticks else {
        newest = request
        continue
      }
      if bursts[request.name] == nil || bursts[request.name] != bursts[newer.name] {
        late.append(Late(result: result, request: request.name, newer: newer.name))
      }
    }
    return late
  }

  /// Returns the latest value of `outer` that led to a result.
  private func request(of result: EventName, from outer: UInt32) -> TraceEvent? {
    let graph = CausalGraph(
      of: result, in: facts.lookup, most: Self.mostEvents, tellsCauses: false)
    guard let graph else { return nil }
    let found = graph.events.values.filter { $0.kind == .value && $0.stream == outer }
      .max { $0.ticks < $1.ticks }
    if let found { return found }
    let edge = facts.lookup[result]?.subscription
    let request = begun.last { $0.edge == edge }.flatMap { facts.lookup[$0.cause] }
    return request?.kind == .value && request?.stream == outer ? request : nil
  }
}
