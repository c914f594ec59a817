internal import VarveFormat
internal import VarveProbe

/// Finds the places at which values stopped on the way to a stream, and weighs them.
///
/// An end that cut values off weighs most, then a failure that was handled or not, then values
/// swallowed: the later, and the greater their share, the more. What only waits, or swallows by its
/// nature, weighs least. Near the stream a stop weighs more than far away.
struct StopFinder {
  let asked: UInt32
  let upstream: Upstream
  let tales: StreamTales
  let facts: SilenceFacts
  let lookup: EventLookup

  private var found: [Stop] = []
  private var handlers = StartHandlers()
  /// The streams made by the same code as those upstream, by its stack.
  private let alike: [UInt32: [UInt32]]

  init(
    _ asked: UInt32, _ upstream: Upstream, _ tales: StreamTales, _ facts: SilenceFacts,
    _ lookup: EventLookup
  ) {
    self.asked = asked
    self.upstream = upstream
    self.tales = tales
    self.facts = facts
    self.lookup = lookup
    alike = facts.streams(
      madeBy: Set(upstream.members.compactMap { facts.definition($0.stream)?.stack }))
  }

  /// Returns the streams that the same code made by the same operator, itself included.
  private func siblings(of stream: UInt32) -> [UInt32] {
    guard let definition = facts.definition(stream) else { return [stream] }
    let likeness = StreamLikeness(definition)
    return alike[definition.stack]?.filter {
      facts.definition($0).map(StreamLikeness.init) == likeness
    } ?? [stream]
  }

  /// Returns the stops, the most telling first.
  mutating func found(isSilent: Bool) -> [Stop] {
    for member in upstream.members {
      let tale = tales[member.stream]
      add(swallows(member.stream, tale), member)
      add(ending(member.stream, tale), member)
      add(failing(member.stream, tale), member)
      add(creating(member.stream, tale), member)
      add(replaying(member.stream, tale), member)
      add(waiting(member.stream), member)
    }
    if isSilent { addSilence() }
    addStuck()
    for member in upstream.members.prefix(Self.mostWithSiblings) { addForgotten(member) }
    found = Stop.grouped(found, facts)
    if !found.contains(where: { $0.weight >= StopWeight.unstarted }) { found += unstarted() }
    return found.enumerated().sorted {
      (-$0.element.weight, $0.offset) < (-$1.element.weight, $1.offset)
    }.map(\.element)
  }

  private mutating func add(_ stops: [Stop], _ member: Upstream.Member) {
    for var stop in stops {
      stop.distance = member.distance
      stop.weight -= min(member.distance, StopWeight.farthest)
      if facts.isPart(member.stream) {
        stop.weight -= StopWeight.part
      }
      stop.below = member.below
      if stop.reason == .ended && (member.isInner || isStartedOften(member.stream))
        || stop.reason == .sourceEnded && member.isInner
      {
        stop.weight -= StopWeight.innerEnd
      }
      found.append(stop)
    }
  }

  /// Returns whether a stream was started, or made, more often than the asked one, so that the end
  /// of one run is not the end of all.
  private func isStartedOften(_ stream: UInt32) -> Bool {
    if facts.is(stream, .hot) { return false }
    return facts.history.stream(stream)?.subscriptions ?? 0 > 1
      || siblings(of: stream).count > siblings(of: asked).count
  }

  private func received(_ stream: UInt32) -> UInt64 {
    facts.inputs(of: stream).reduce(0) { $0 + facts.delivered(from: $1.stream, to: stream) }
  }

  // MARK: - Values swallowed

  private func swallows(_ stream: UInt32, _ tale: StreamTale) -> [Stop] {
    var stops = tale.swallowed.sorted { $0.key.rawValue < $1.key.rawValue }
      .compactMap { swallow(stream, tale, $0.key, $0.value) }
    let definition = facts.definition(stream)
    if tale.swallowed.isEmpty, let reason = definition?.absorbs {
      let received = received(stream)
      if received > tale.values {
        var counted = StreamTale.Swallowed()
        counted.count = received - tale.values
        if let stop = swallow(stream, tale, reason, counted) { stops.append(stop) }
      }
    }
    return stops
  }

  private func swallow(
    _ stream: UInt32, _ tale: StreamTale, _ reason: AbsorptionReason,
    _ swallowed: StreamTale.Swallowed
  ) -> Stop? {
    // Values that found no observer are told by the end or the beginning of the observation.
    if reason == .nobodyAttached, stream != asked { return nil }
    if reason == .nobodyAttached, let stop = abandoning(stream, tale, swallowed) { return stop }
    var stop = Stop(stream, .swallowed(reason))
    stop.stopped = swallowed.count
    stop.received = max(received(stream), swallowed.count)
    if reason == .filtered || reason == .repeated || reason == .pastLimit {
      stop.received = tale.values + tale.swallowed.values.reduce(0) { $0 + $1.count }
      if stop.received < swallowed.count { stop.received = received(stream) }
    }
    stop.since = swallowed.since
    stop.moment = swallowed.last
    stop.examples = swallowed.newest.reversed().map(\.value)
    let share = Double(stop.stopped) / Double(max(stop.received, 1))
    let isSince = swallowed.since > 0 && facts.values(of: asked) > 0
    stop.weight = StopWeight.swallowed(reason, share: share, isSince: isSince)
    if reason == .filtered, swallowed.newest.last.map({ lookup[$0.value]?.payload.kind }) == .null {
      stop.weight -= StopWeight.harmless
    }
    // Of events some are told here, and the others elsewhere: an action's values, and its errors.
    let isOfEvents = facts.definition(stream)?.parents.contains { facts.deliversEvents($0) }
    if reason == .filtered, share < 1, isOfEvents == true { stop.weight -= StopWeight.part }
    if reason == .ended, let end = tale.end, end.kind == .failed {
      stop.weight -= StopWeight.harmless
    }
    if reason == .ended, tale.end?.kind == .interrupted {
      stop.author = interrupter(above: stream)
    }
    // A source replaces none of its values: that was a buffer of who observes it.
    if reason == .superseded, facts.definition(stream)?.absorbs == nil, tale.outsideStack != 0 {
      stop.author = tale.outsideStack
      stop.weight = StopWeight.unread
    }
    guard reason == .repeated else { return stop }
    let different = swallowed.newest.filter(isDifferent)
    guard !different.isEmpty else { return stop }
    stop.reason = .confused
    stop.examples = different.reversed().map(\.value)
    stop.kept = different.reversed().compactMap(\.kept)
    stop.weight = StopWeight.confused + (isSince ? StopWeight.since : 0)
    return stop
  }

  /// Returns whether two values are known to differ.
  private func isDifferent(_ pair: (value: EventName, kept: EventName?)) -> Bool {
    guard let kept = pair.kept, let one = lookup[pair.value]?.payload,
      let other = lookup[kept]?.payload, let kind = one.kind, one.kind == other.kind
    else { return false }
    switch kind {
    case .absent, .unit, .null, .withheld, .typeOnly, .stream, .reason, .cause, .task, .awaited,
      .made:
      return false
    case .integer, .unsigned, .real, .boolean: return one.word != other.word
    case .string, .bytes, .description: return one.bytes != other.bytes
    }
  }

  // MARK: - Streams made, replayed, awaited

  private func creating(_ stream: UInt32, _ tale: StreamTale) -> [Stop] {
    // Inner streams that go on and on are always given up. Those that are shorter than one which came
    // to its end were cut off.
    if tale.givenUp == 0, tale.cutOff > 0, tale.longestCut < tale.longestWhole {
      var stop = Stop(stream, .cutOff)
      stop.stopped = tale.cutOff
      stop.received = tale.runs
      stop.moment = tale.lastCutOff
      stop.weight = StopWeight.cutOff(share: Double(tale.cutOff) / Double(max(tale.runs, 1)))
      return [stop]
    }
    guard tale.givenUp > 0 else { return [] }
    var stop = Stop(stream, .gaveUp)
    stop.stopped = tale.givenUp
    stop.received = tale.runs
    stop.moment = tale.lastGivenUp
    stop.weight = StopWeight.gaveUp(share: Double(tale.givenUp) / Double(max(tale.runs, 1)))
    return [stop]
  }

  private func replaying(_ stream: UInt32, _ tale: StreamTale) -> [Stop] {
    if let replay = tale.replay, replay.before > replay.delivered {
      // A hot stream that replays one value is a state, of which only the last value counts.
      let keeper = facts.is(stream, .standsIn) ? facts.definition(stream)?.parents.first : stream
      if replay.delivered < 2, facts.is(keeper ?? stream, .hot) { return [] }
      var stop = Stop(keeper ?? stream, .replayedFewer)
      stop.stopped = replay.before - replay.delivered
      stop.received = replay.before
      stop.moment = replay.at
      stop.weight = StopWeight.replayed
      return [stop]
    }
    let isObservable = facts.is(stream, .hot) && facts.inputs(of: stream).isEmpty
    guard tale.unobserved > 0, stream != asked, isObservable || facts.is(stream, .hot),
      !facts.is(stream, .replays), let first = tale.firstObserved
    else { return sharedEarlier(stream, tale).map { [$0] } ?? [] }
    var stop = Stop(stream, .unobserved)
    stop.stopped = tale.unobserved
    stop.received = tale.values
    stop.moment = tale.lastUnobserved
    stop.began = first
    stop.otherAuthor = tale.observerStack == 0 ? nil : tale.observerStack
    stop.author = tale.lastUnobserved.flatMap { lookup.sender(of: $0.name) }
    stop.weight = StopWeight.unobserved
    return [stop]
  }

  /// A join that waited for one of its inputs, while another had already sent.
  private func waiting(_ stream: UInt32) -> [Stop] {
    guard facts.needsAll(stream), let first = facts.history.stream(stream)?.firstValue else {
      return []
    }
    let inputs = facts.inputs(of: stream).filter { $0.position != nil }
    let starts = inputs.compactMap { input in
      facts.history.stream(input.stream)?.firstValue.map { (input, $0) }
    }
    guard starts.count == inputs.count, let earliest = starts.map(\.1.ticks).min(),
      let last = starts.max(by: { $0.1.ticks < $1.1.ticks }), last.1.ticks <= first.ticks,
      let position = last.0.position, earliest < last.1.ticks
    else { return [] }
    let waiting = starts.filter { $0.0 != last.0 }.map(\.0.stream)
    var stop = Stop(stream, .waited(input: position))
    if let author = observerOfChanges(of: last.0.stream, by: stream) {
      // The property had a value all the time, which its signal does not tell.
      stop = Stop(last.0.stream, .unchanged)
      stop.author = author
      stop.waiting = stream
    }
    stop.stopped = UInt64(waiting.count)
    stop.moment = last.1
    stop.began = EventMoment(name: first.name, ticks: earliest)
    stop.weight = StopWeight.waited
    return [stop]
  }

  // MARK: - Silent streams

  /// Adds what is known exactly of a stream that delivered nothing at all.
  private mutating func addSilence() {
    for index in found.indices where waitsInVain(found[index].stream) {
      // What a join made of its other inputs' values follows from that.
      guard case .swallowed = found[index].reason else { continue }
      found[index].weight = min(found[index].weight, StopWeight.following)
    }
    let silence = Silence(of: asked, in: facts)
    for step in silence.culprits {
      if let index = found.firstIndex(where: {
        $0.stream == step.stream && $0.explains(step.reason)
      }) {
        found[index].weight = max(found[index].weight, StopWeight.silent - step.depth)
        continue
      }
      var stop = Stop(step.stream, .silent(step.reason))
      stop.distance = step.depth
      stop.received = step.received
      stop.weight = StopWeight.silent
      switch step.reason {
      case .sourceSilent:
        stop.reason = .sourceSilent
        stop.weight = StopWeight.sourceSilent
        stop.exit = exit(ofRunsOf: step.stream)
        let below = upstream.below(step.stream)
        if let author = observerOfChanges(of: step.stream, by: below) {
          stop.reason = .unchanged
          stop.author = author
          stop.weight = StopWeight.unchanged
        }
      case .queued(let count, let scheduler, let since):
        stop.reason = .queued(scheduler: scheduler)
        stop.stopped = count
        stop.moment = since
      case .disposed(_, let moment): stop.moment = moment
      case .ended(let kind, let moment):
        stop.moment = moment
        // So ends a run whose observer was forgotten.
        if kind == .interrupted { stop.exit = exit(ofRunsOf: step.stream) }
      case .inputsSilent, .unknown:
        stop.weight = StopWeight.unclear
      case .waitsForChange: stop.author = facts.signalTaker(for: step, lookup)
      case .delivers, .notSubscribed, .notConnected, .waitsFor, .swallowed, .noInner, .unknownKind:
        break
      }
      if facts.isPart(step.stream) { stop.weight -= StopWeight.part }
      found.append(stop)
    }
  }

  /// Whether a stream is a join that has got no value of one of its inputs.
  private func waitsInVain(_ stream: UInt32) -> Bool {
    facts.needsAll(stream)
      && facts.inputs(of: stream).contains {
        $0.position != nil && facts.values(of: $0.stream) == 0
      }
  }

  /// Adds what the newest run of something waits for, if it has sent nothing, unlike earlier runs,
  /// and has not ended.
  private mutating func addStuck() {
    var seen: Set<UInt32> = []
    for member in upstream.members.prefix(Self.mostWithSiblings)
    where !facts.is(member.stream, .hot) && facts.definition(member.stream)?.isNamed == false {
      guard let newest = siblings(of: member.stream).last, newest > member.stream,
        !upstream.contains(newest), seen.insert(newest).inserted,
        let account = facts.history.stream(newest), account.subscriptions > 0,
        account.values == 0, account.firstEnd == nil, tales[member.stream].values > 0,
        let culprit = Silence(of: newest, in: facts).culprits.first
      else { continue }
      var stop = Stop(culprit.stream, .stuck)
      stop.exit = exit(ofRunsOf: culprit.stream)
      stop.distance = member.distance
      stop.weight = StopWeight.stuck - min(member.distance, StopWeight.farthest)
      found.append(stop)
    }
  }

  /// Adds the newest run of a producer if it has sent nothing, unlike earlier ones, and the source shows
  /// the way out on which it does not end.
  private mutating func addForgotten(_ member: Upstream.Member) {
    guard facts.is(member.stream, .hasEffects), tales[member.stream].values > 0,
      let run = facts.history.subscriptions.open.filter({ $0.from == member.stream })
        .max(by: { $0.edge < $1.edge }),
      let exit = exit(ofRunsOf: member.stream, since: run.values)
    else { return }
    var stop = Stop(member.stream, .stuck)
    stop.exit = exit
    stop.distance = member.distance
    stop.weight = StopWeight.stuck - min(member.distance, StopWeight.farthest)
    found.append(stop)
  }

  /// Returns the way out on which a producer that has sent so many values, and no more, does not end.
  private mutating func exit(ofRunsOf stream: UInt32, since values: UInt64 = 0) -> Place? {
    guard facts.is(stream, .hasEffects), let account = facts.history.stream(stream),
      account.values == values, account.subscriptions > 0
    else { return nil }
    return facts.definition(stream)?.place.flatMap { handlers.exit(ofRunsMadeAt: $0) }
  }

  /// The maximum number of streams whose later runs are looked at.
  private static let mostWithSiblings = 64

  /// Producers that were made and never started, if the sources of the asked stream are silent:
  /// they may be what should have sent.
  private func unstarted() -> [Stop] {
    let parents = Set(facts.allDefinitions.flatMap(\.parents))
    let stops = facts.allDefinitions.compactMap { definition -> Stop? in
      guard let traits = definition.traits, traits.isDisjoint(with: [.hot, .standsIn, .renames]),
        !parents.contains(definition.id), !upstream.contains(definition.id),
        facts.history.stream(definition.id)?.subscriptions ?? 0 == 0, !facts.isPart(definition.id),
        !facts.feedsAnother(definition.id)
      else { return nil }
      var stop = Stop(definition.id, .neverStarted)
      stop.stopped = 1
      stop.weight = StopWeight.unstarted + (hasEffects(definition.id) ? StopWeight.effects : 0)
      return stop
    }
    return Stop.grouped(stops.sorted { $0.stream < $1.stream }, facts)
  }

  private func hasEffects(_ stream: UInt32) -> Bool {
    var open = [stream]
    for _ in 0..<64 {
      guard let next = open.popLast() else { return false }
      if facts.is(next, .hasEffects) { return true }
      open += facts.definition(next)?.parents ?? []
    }
    return false
  }
}

extension Stop {
  /// Returns whether it says at least as much as a reason for silence.
  fileprivate func explains(_ reason: Silence.Reason) -> Bool {
    switch (self.reason, reason) {
    case (.swallowed, .swallowed), (.confused, .swallowed), (.ended, .ended),
      (.sourceEnded, .ended), (.disposed, .disposed), (.failed, .ended):
      true
    default: false
    }
  }

  /// Returns stops of similar streams as one: a page that is opened often makes similar streams
  /// each time.
  fileprivate static func grouped(_ stops: [Stop], _ facts: SilenceFacts) -> [Stop] {
    struct Key: Hashable {
      var likeness: StreamLikeness?
      var stream: UInt32
      var stack: UInt32
      var reason: Reason
    }
    var places: [Key: Int] = [:]
    var grouped: [Stop] = []
    for stop in stops {
      let definition = facts.definition(stop.stream)
      let isAlone = definition?.isNamed ?? true
      let key = Key(
        likeness: definition.map(StreamLikeness.init), stream: isAlone ? stop.stream : 0,
        stack: definition?.stack ?? 0, reason: stop.reason)
      guard let place = places[key] else {
        places[key] = grouped.count
        grouped.append(stop)
        continue
      }
      grouped[place].add(stop)
    }
    return grouped
  }

  private mutating func add(_ other: Stop) {
    let isNewer = other.moment?.ticks ?? 0 > moment?.ticks ?? 0
    var sum = isNewer ? other : self
    sum.stream = max(stream, other.stream)
    sum.streams = streams + other.streams
    sum.stopped = stopped + other.stopped
    sum.received = received + other.received
    sum.since = since + other.since
    sum.more = max(more, other.more)
    sum.distance = min(distance, other.distance)
    sum.weight = max(weight, other.weight)
    self = sum
  }
}
