internal import VarveFormat
internal import VarveProbe

/// Finds loops: streams with values each of which causes the next one of the same stream, by way of
/// bindings, or of code that observes one stream and sends to another.
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

  /// The smallest number of values of a stream that makes a loop …
  private static let fewestValues: UInt64 = 100
  /// … the smallest number of turns that led to its last one (fewer than values where each value
  /// causes several, fewer still where two streams that follow each other come to rest) …
  private static let fewestTurns: UInt64 = 6
  /// … and the longest that one may take on average, in nanoseconds. A program that asks again
  /// after each answer, every few seconds, intends it.
  private static let longestTurn: UInt64 = 250_000_000
  /// The number of streams, the busiest ones, whose last values are examined.
  private static let mostStreams = 40
  private static let mostChains = 8
  /// The maximum number of events in a turn.
  private static let longestRound = 128
  /// The maximum number of events followed back.
  private static let mostSteps = 4_000

  init?(_ facts: FindingFacts) {
    self.facts = facts
    let busy = facts.history.streams.filter { $0.values >= Self.fewestValues }
      .sorted { ($1.values, $0.stream) < ($0.values, $1.stream) }.prefix(Self.mostStreams)
    let chains = facts.history.hops.recursions.chains.prefix(Self.mostChains)
    let known = busy.filter { $0.lastValue != nil }
    for (stream, end) in known.map({ ($0.stream, $0.lastValue?.name) })
      + chains.map({ (0, $0.last.name) })
    {
      guard let end, !turns.contains(where: { $0.streams.contains(stream) }), comesAgain(end),
        let turn = turn(endingAt: end)
      else { continue }
      // Streams along one loop are reported once.
      if !turns.contains(where: { !$0.streams.isDisjoint(with: turn.streams) }) {
        turns.append(turn)
      }
    }
    if turns.isEmpty { return nil }
    sources = Set(turns.flatMap(bindingSteps).map(\.from))
  }

  var kinds: Set<RecordKind> { [.subscribed] }
  var streams: Set<UInt32>? { sources }

  mutating func note(_ event: FindingEvent) {
    guard sources.contains(event.stream) else { return }
    let payload = SubscriptionPayload(word: event.word)
    let step = BindingStep(from: event.stream, to: payload.stream)
    bindings[step] = (event.ticks, payload.stack)
  }

  mutating func findings() -> [Finding] { turns.map(finding) }

  /// Returns whether a stream occurs twice among the last events that led to an event. Most streams
  /// are not in a loop, and this tells so at a small price.
  private func comesAgain(_ name: EventName) -> Bool {
    let values = facts.lookup.way(to: name, most: Self.longestRound).filter { $0.kind == .value }
    return Set(values.map(\.stream)).count < values.count
  }

  /// Returns the last turn of the loop that led to an event; nil if there was none.
  private func turn(endingAt name: EventName) -> Turn? {
    let way = facts.lookup.way(to: name, most: Self.mostSteps)
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
    func isNamed(_ stream: UInt32) -> Int {
      facts.definitions.streams[stream]?.isNamed == true ? 0 : 1
    }
    return
      visits
      .filter { stream, turns in
        turns > Self.fewestTurns
          && facts.history.stream(stream)?.values ?? 0 >= Self.fewestValues
      }.keys
      .min { (isNamed($0), $0) < (isNamed($1), $1) }
  }

  // MARK: - The line

  private func finding(_ turn: Turn) -> Finding {
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
    let changing = changingSteps(turn)
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
    let values = turn.values
    return zip(values, values.dropFirst()).compactMap { cause, effect in
      let isRoot = facts.definitions.streams[effect.stream]?.parents.isEmpty == true
      return isRoot ? BindingStep(from: cause.stream, to: effect.stream) : nil
    }
  }

  /// The observation by which a value crosses: a binding's, or that of an observer outside all
  /// streams.
  private func binding(_ step: BindingStep) -> (ticks: UInt64, stack: UInt32)? {
    let known = bindings[step] ?? bindings[BindingStep(from: step.from, to: 0)]
    return known.flatMap { $0.stack == 0 ? nil : $0 }
  }

  /// Returns the streams in the loop that turn a value into another one of the same type.
  private func changingSteps(_ turn: Turn) -> [UInt32] {
    let values = turn.values
    var found: [UInt32] = []
    for (cause, effect) in zip(values, values.dropFirst()) where cause.payload != effect.payload {
      let types = [cause, effect].map { facts.definitions.streams[$0.stream]?.valueType }
      if types[0] == types[1], !found.contains(effect.stream) { found.append(effect.stream) }
    }
    return found
  }
}
