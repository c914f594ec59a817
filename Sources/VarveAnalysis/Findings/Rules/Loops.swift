internal import VarveFormat
internal import VarveProbe

/// Finds loops: streams with values each of which causes the next one of the same stream, by way of
/// bindings, or of code that observes one stream and sends to another. If what goes round is a failure
/// that starts again what failed, it is a repeated failure.
struct Loops: FindingRule {
  /// One turn of a loop.
  private struct Turn {
    /// Its events, from a value of a stream to the next value of the same stream.
    var events: [TraceEvent]
    /// The number of turns before it, and the value that the first one began with.
    var before: UInt64
    var first: EventName

    var streams: Set<UInt32> { Set(values.map(\.stream)) }
    var values: [TraceEvent] { events.filter { $0.kind == .value } }
    var last: TraceEvent { events[events.count - 1] }
    /// What fails in each turn, if that starts the next one.
    var failure: TraceEvent? { events.last { $0.kind == .failed } }
    /// The last value on the way from a failure to what is started again.
    var restart: TraceEvent? {
      let next = events.firstIndex { $0.kind == .failed } ?? 0
      return events[..<next].last { $0.kind == .value }
    }
  }

  /// A step from one stream to another that was not made from any: to a property or a pipe.
  private struct BindingStep: Hashable {
    var from: UInt32
    var to: UInt32
  }

  private let facts: FindingFacts
  private var turns: [Turn] = []
  /// The newest observation behind each step.
  private var bindings: [BindingStep: (ticks: UInt64, stack: UInt32)] = [:]
  private var sources: Set<UInt32> = []

  /// The smallest number of values of a stream that makes a loop, if few of them are of the loop …
  private static let fewestValues: UInt64 = 100
  /// … or if most of them are …
  private static let fewestOfLoop: UInt64 = 32
  /// … the smallest number of turns that led to its last one (fewer than values where each value
  /// causes several, fewer still where two streams that follow each other come to rest) …
  private static let fewestTurns: UInt64 = 6
  /// … and the longest that one may take on average, in nanoseconds. A program that asks again
  /// after each answer, every few seconds, intends it.
  private static let longestTurn: UInt64 = 250_000_000
  /// The number of streams, the busiest ones, whose last values are examined.
  private static let mostStreams = 40
  /// The number of them of which a value halfway is examined, too: a loop may have come to an end.
  private static let mostHalfway = 8
  private static let mostChains = 8
  /// The maximum number of events in a turn.
  private static let longestRound = 128
  /// The maximum number of events followed back.
  private static let mostSteps = 4_000

  init?(_ facts: FindingFacts) {
    self.facts = facts
    let busy = facts.history.streams.filter { $0.values >= Self.fewestOfLoop }
      .sorted { ($1.values, $0.stream) < ($0.values, $1.stream) }.prefix(Self.mostStreams)
    let chains = facts.history.hops.recursions.chains.prefix(Self.mostChains)
    for account in busy { add(account.lastValue?.name, of: account.stream) }
    for chain in chains { add(chain.last.name) }
    for account in busy.prefix(Self.mostHalfway) where !isKnown(account.stream) {
      add(halfway(account), of: account.stream)
    }
    if turns.isEmpty { return nil }
    sources = Set(turns.flatMap(bindingSteps).map(\.from))
    sources.formUnion(turns.compactMap(\.restart?.stream))
  }

  /// Adds the loop that led to an event, if one did. Streams along one loop are reported once.
  private mutating func add(_ end: EventName?, of stream: UInt32? = nil) {
    guard let end, stream.map(isKnown) != true else { return }
    for way in [EventLookup.Way.values, .outcomes] where comesAgain(end, way) {
      guard let turn = turn(endingAt: end, way) else { continue }
      if !turn.streams.contains(where: isKnown) { turns.append(turn) }
      return
    }
  }

  private func isKnown(_ stream: UInt32) -> Bool {
    turns.contains { $0.streams.contains(stream) }
  }

  /// Returns a stream's first value in the second half of the time in which it delivered.
  private func halfway(_ account: StreamAccount) -> EventName? {
    guard let first = account.firstValue?.ticks, let last = account.lastValue?.ticks, first < last
    else { return nil }
    var selection = Selection()
    selection.streams = [account.stream]
    selection.kinds = KindSelection([.value])
    selection.ticks = first + (last - first) / 2...last
    selection.head = 1
    guard var query = try? EventQuery(selection, in: facts.reader, columns: []) else { return nil }
    var found: EventName?
    query.run { page in
      page.forEach { batch, index in found = found ?? batch.columns.name(index) }
      return found == nil
    }
    return found
  }

  var kinds: Set<RecordKind> { [.subscribed] }
  var streams: Set<UInt32>? { sources }

  mutating func note(_ event: FindingEvent) {
    guard sources.contains(event.stream) else { return }
    let payload = SubscriptionPayload(word: event.word)
    let step = BindingStep(from: event.stream, to: payload.stream)
    bindings[step] = (event.ticks, payload.stack)
  }

  mutating func findings() -> [Finding] { turns.filter { !isRetried($0) }.map(finding) }

  /// Returns whether an operator goes round, which starts again what failed: the failures that it
  /// handled tell of that themselves.
  private func isRetried(_ turn: Turn) -> Bool {
    turn.events.contains { $0.kind == .failed && facts.silence.restarting($0.stream) != nil }
  }

  /// Returns whether a stream occurs twice among the last events that led to an event. Most streams
  /// are not in a loop, and this tells so at a small price.
  private func comesAgain(_ name: EventName, _ way: EventLookup.Way) -> Bool {
    let values = facts.lookup.way(to: name, way, most: Self.longestRound)
      .filter { $0.kind == .value }
    return Set(values.map(\.stream)).count < values.count
  }

  /// Returns the last turn of the loop that led to an event; nil if there was none.
  private func turn(endingAt name: EventName, _ way: EventLookup.Way) -> Turn? {
    let way = facts.lookup.way(to: name, way, most: Self.mostSteps)
    guard let stream = representative(of: way) else { return nil }
    let visits = way.indices.filter { way[$0].kind == .value && way[$0].stream == stream }
    let first = way[visits[visits.count - 1]]
    let turns = UInt64(visits.count - 1)
    let nanoseconds = facts.time.duration(from: first.ticks, to: way[visits[0]].ticks)
    guard nanoseconds / turns <= Self.longestTurn else { return nil }
    return Turn(
      events: way[visits[0]...visits[1]].reversed(), before: turns, first: first.name)
  }

  /// Returns the stream by which to tell the turns: one with a name if there is any; nil if no
  /// stream comes again often enough.
  private func representative(of way: [TraceEvent]) -> UInt32? {
    let values = way.filter { $0.kind == .value }
    let visits = values.reduce(into: [UInt32: UInt64]()) { $0[$1.stream, default: 0] += 1 }
    return
      visits
      .filter { stream, turns in
        let values = facts.history.stream(stream)?.values ?? 0
        let isOfLoop = turns * 2 > values && values >= Self.fewestOfLoop
        return turns > Self.fewestTurns && (isOfLoop || values >= Self.fewestValues)
      }.keys
      .min { (isNamed($0) ? 0 : 1, $0) < (isNamed($1) ? 0 : 1, $1) }
  }

  // MARK: - The line

  private func finding(_ turn: Turn) -> Finding {
    if let failure = turn.failure { return finding(turn, failure) }
    let stream = turn.last.stream
    let account = facts.history.stream(stream)
    let nanoseconds = account.flatMap { account in
      account.firstValue.flatMap { first in
        account.lastValue.map { facts.time.duration(from: first.ticks, to: $0.ticks) }
      }
    }
    let count = account?.values ?? turn.before
    let perSecond = Double(count) * 1e9 / Double(max(nanoseconds ?? 0, 1))
    var cycle: FindingSentence = "\(stream: stream)"
    for step in bindingSteps(turn) {
      let place = binding(step).map { FindingPlace.stack($0.stack) } ?? .stream(step.from)
      cycle = cycle + " → \(stream: step.to) (\(place: place))"
    }
    let changing = ValueRound(turn.values, facts.definitions).changing.map(\.stream)
    let closing = bindingSteps(turn).compactMap(binding).max { $0.ticks < $1.ticks }
    var place = closing.map { FindingPlace.stack($0.stack) } ?? .stream(stream)
    if let sender = sender(closing: turn, closing?.stack) { place = .stack(sender) }
    var what: FindingSentence = ""
    if let only = changing.first, changing.count == 1 {
      place = .stream(only)
      what = "; \(stream: only) changes the value in each turn, so that it never settles"
    }
    var finding = Finding(
      .feedback, weight: 90, place: place,
      """
      \(stream: stream) feeds itself: \(count, "value", "values") in \
      \(nanoseconds: nanoseconds ?? 0), \(UInt64(perSecond), "value", "values") a second, round and \
      round: \(cycle)\(what)
      """, stream: stream, evidence: [turn.last.name, turn.first])
    finding.count = count
    finding.nanoseconds = nanoseconds ?? 0
    return finding
  }

  /// The finding for a failure that starts again what failed.
  private func finding(_ turn: Turn, _ failure: TraceEvent) -> Finding {
    let stream =
      turn.events.first { $0.kind == .failed && isNamed($0.stream) }?.stream
      ?? failure.stream
    let nanoseconds = facts.time.duration(
      from: facts.lookup[turn.first]?.ticks ?? turn.last.ticks, to: turn.last.ticks)
    let restart = turn.restart?.stream ?? turn.last.stream
    let binding = bindings.filter { $0.key.from == restart && $0.value.stack != 0 }.values
      .max { $0.ticks < $1.ticks }
    let place = binding.map { FindingPlace.stack($0.stack) } ?? .stream(restart)
    var finding = Finding(
      .retries, weight: 90, place: place,
      """
      \(stream: stream) is started again by its own failure, at once and without end: \
      \(turn.before, "time", "times") in \(nanoseconds: nanoseconds), by way of \
      \(stream: restart) (\(place: place)); the last failure was \(value: failure.name)
      """, stream: stream, evidence: [failure.name, turn.first])
    finding.count = turn.before
    finding.nanoseconds = nanoseconds
    return finding
  }

  private func isNamed(_ stream: UInt32) -> Bool {
    facts.definitions.streams[stream]?.isNamed == true
  }

  /// Returns the stack of the code that sends the loop's values on, if an observer closed the loop
  /// and not a binding; nil if the trace does not tell.
  private func sender(closing turn: Turn, _ stack: UInt32?) -> UInt32? {
    let steps = zip(turn.values, turn.values.dropFirst())
    for (cause, effect) in steps
    where bindings[BindingStep(from: cause.stream, to: effect.stream)] == nil {
      guard let observed = bindings[BindingStep(from: cause.stream, to: 0)],
        observed.stack == stack, let sender = facts.lookup.sender(of: effect.name)
      else { continue }
      return sender
    }
    return nil
  }

  private func bindingSteps(_ turn: Turn) -> [BindingStep] {
    ValueRound(turn.values, facts.definitions).handovers.map { cause, effect in
      BindingStep(from: cause.stream, to: effect.stream)
    }
  }

  /// The observation by which a value crosses: a binding's, or that of an observer outside all
  /// streams.
  private func binding(_ step: BindingStep) -> (ticks: UInt64, stack: UInt32)? {
    let known = bindings[step] ?? bindings[BindingStep(from: step.from, to: 0)]
    return known.flatMap { $0.stack == 0 ? nil : $0 }
  }
}
