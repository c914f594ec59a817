internal import VarveFormat
internal import VarveProbe

/// Finds values that overtake each other: two ways lead from one stream to a property or a join, and
/// what was sent earlier arrives later, because its way takes longer.
struct Overtakings: FindingRule {
  /// A value, and how it came there.
  private struct Arrival {
    var name: EventName
    /// The stream that handed it over.
    var input: UInt32
    /// The first value on its way.
    var first: TraceEvent
    var payload: EventPayload
  }

  /// A value that came too late.
  private struct Late {
    var late: Arrival
    var earlier: Arrival
  }

  private let facts: FindingFacts
  private var arrived = StreamTable<LastEvents>()
  /// The streams that are examined.
  private let examined: Set<UInt32>
  /// The stacks of the code that bound inputs to them.
  private var bound: [StreamEdge: UInt32] = [:]

  /// The number of last values examined for each stream …
  private static let mostValues = 400
  /// … and for all streams together.
  private static let mostOfAll = 20_000
  /// The number of values after which a stream is given up of which no way has a beginning nearby, as in
  /// loops: each way there leads through the blocks of many threads.
  private static let mostInVain = 24
  /// The maximum number of bindings whose code is kept.
  private static let mostBound = 1_024
  /// The maximum number of events followed from a value back to the first one on its way.
  private static let mostSteps = 64

  init?(_ facts: FindingFacts) {
    self.facts = facts
    let merging = facts.history.streams.filter { account in
      account.values >= 2 && Self.takesSeveral(account.stream, facts)
    }
    // Without work on schedulers, everything arrives in the order in which it was sent.
    guard !merging.isEmpty, facts.history.hops.schedulers.contains(where: { $0.given > 0 }) else {
      return nil
    }
    let most = max(8, min(Self.mostValues, Self.mostOfAll / merging.count))
    let first = merging.prefix(Self.mostOfAll / 8)
    for account in first { arrived.add(account.stream, LastEvents(most)) }
    examined = Set(first.map(\.stream))
  }

  /// Returns whether values may reach a stream on several ways: a root that code or bindings write
  /// to, or a join that passes on whatever comes.
  private static func takesSeveral(_ stream: UInt32, _ facts: FindingFacts) -> Bool {
    guard let definition = facts.definitions.streams[stream], let traits = definition.traits else {
      return false
    }
    if traits.contains(.makesStreams) || traits.contains(.needsAllInputs) { return false }
    return traits.contains(.hot) && definition.parents.isEmpty
      || traits.contains(.joins) && definition.parents.count > 1
  }

  var kinds: Set<RecordKind> { [.value, .subscribed] }
  var streams: Set<UInt32>? {
    examined.union(examined.flatMap { facts.links.observed(by: $0) })
  }

  mutating func note(_ event: FindingEvent) {
    if event.kind == .subscribed {
      let payload = SubscriptionPayload(word: event.word)
      guard payload.stack != 0, examined.contains(payload.stream), bound.count < Self.mostBound
      else { return }
      bound[StreamEdge(from: event.stream, to: payload.stream)] = payload.stack
      return
    }
    guard examined.contains(event.stream) else { return }
    arrived.change(event.stream) { $0.append(event.name) }
  }

  mutating func findings() -> [Finding] {
    arrived.inOrder.compactMap { stream, values in
      let late = late(values.names, in: stream)
      return late.last.map { finding(stream, late.count, $0) }
    }
  }

  private func late(_ values: [EventName], in stream: UInt32) -> [Late] {
    var late: [Late] = []
    /// The latest arrival from each first stream.
    var newest: [UInt32: Arrival] = [:]
    for (index, name) in values.enumerated() {
      guard let arrival = arrival(name) else {
        if index >= Self.mostInVain, newest.isEmpty { break }
        continue
      }
      let source = arrival.first.stream
      guard let before = newest[source], arrival.first.isBefore(before.first) else {
        newest[source] = arrival
        continue
      }
      // What shows the same is not seen.
      guard arrival.input != before.input, arrival.payload != before.payload else { continue }
      late.append(Late(late: arrival, earlier: before))
    }
    return late
  }

  private func arrival(_ name: EventName) -> Arrival? {
    let way = facts.lookup.way(to: name, .pastWork, most: Self.mostSteps)
    // Of a way that was cut, the beginning is unknown.
    guard way.count > 1, way.count < Self.mostSteps, way[1].kind == .value,
      let first = way.last(where: { $0.kind == .value }), first.name != name
    else { return nil }
    return Arrival(
      name: name, input: way[1].stream, first: first, payload: way[0].payload)
  }

  private func finding(_ stream: UInt32, _ count: Int, _ last: Late) -> Finding {
    let slow = slowest(on: last.late.name)
    let times: FindingSentence = count == 1 ? "once" : "\(count, "time", "times")"
    let because: FindingSentence =
      slow.map { "; \(stream: $0.stream) held it back for \(nanoseconds: $0.nanoseconds)" } ?? ""
    let flattening = flattening(on: last.late.name)
    let code = flattening == nil ? code(thatBegan: last) : nil
    let held = (flattening ?? slow?.stream).map { FindingPlace.stream($0) }
    // Where no operator held it back, what is to be looked at is that it comes this way, too.
    let binding = bound[StreamEdge(from: last.late.input, to: stream)].map {
      FindingPlace.stack($0)
    }
    let place = code ?? held ?? binding ?? .stream(last.late.input)
    let sideBySide: FindingSentence =
      if let flattening {
        ", while \(stream: flattening) had begun the next one"
      } else if code != nil {
        ": the next one was begun before it had ended"
      } else {
        ""
      }
    var finding = Finding(
      .overtaken, weight: 85, place: place,
      """
      \(stream: stream) got an older value after a newer one, \(times): \
      #\(last.late.name.description) \(value: last.late.name), from \
      \(event: last.late.first.name), came after #\(last.earlier.name.description) \
      \(value: last.earlier.name), from \(event: last.earlier.first.name)
      """ + because + sideBySide, stream: stream,
      evidence: [
        last.late.name, last.earlier.name, last.late.first.name, last.earlier.first.name,
      ])
    finding.other = last.late.first.stream
    finding.count = UInt64(count)
    finding.nanoseconds = slow?.nanoseconds ?? 0
    return finding
  }

  /// Returns the flattening that runs the streams side by side of which one delivered the value: then
  /// they overtake each other because of it, whatever each of them waits for.
  private func flattening(on name: EventName) -> UInt32? {
    let way = facts.lookup.way(to: name, .pastWork, most: Self.mostSteps)
    let streams = Set(way.filter { $0.kind == .value }.map(\.stream))
    return streams.lazy.flatMap { facts.links.made(from: $0) }.first { next in
      facts.is(next, [.makesStreams, .runsSideBySide])
        && streams.contains {
          facts.history.subscriptions.pair(StreamEdge(from: $0, to: next)) != nil
        }
    }
  }

  /// Returns the line of code that began both runs: it could have ended the first one when it began
  /// the second.
  private func code(thatBegan last: Late) -> FindingPlace? {
    let stacks = [last.late, last.earlier].map { arrival -> UInt32 in
      let run = facts.lookup[arrival.name]?.causes.first.flatMap { facts.lookup[$0] }
      let work = run?.causes.first.flatMap { facts.lookup[$0] }
      let start = work.flatMap { facts.lookup.start(behind: $0) }
      return start.map { SubscriptionPayload(word: $0.payload.word).stack } ?? 0
    }
    return stacks[0] != 0 && stacks[0] == stacks[1] ? .stack(stacks[0]) : nil
  }

  /// Returns the stream that kept a value longest on its way.
  private func slowest(on name: EventName) -> (stream: UInt32, nanoseconds: UInt64)? {
    let way = facts.lookup.way(to: name, .pastWork, most: Self.mostSteps)
    let steps = zip(way, way.dropFirst()).filter { effect, _ in
      effect.kind == .value && facts.is(effect.stream, .hops)
    }
    let waited = steps.map { effect, cause in
      (effect.stream, facts.time.duration(from: cause.ticks, to: effect.ticks))
    }
    return waited.max { $0.1 < $1.1 }
  }
}
