internal import VarveFormat
internal import VarveProbe

/// Finds threads of a program that hangs: those that wait for what only work queued behind their own
/// work, or on their own queue, could deliver.
struct Hangs: FindingRule {
  /// A thread that waits.
  private struct Wait {
    var ring: UInt32
    /// The event since which it has been waiting.
    var since: EventMoment
    /// The stream that it waits for; 0 if unknown.
    var stream: UInt32
    /// The stack of the code that waits; 0 if unknown.
    var stack: UInt32
    /// Whether the trace says that it waits; otherwise this follows from what it did last.
    var isRecorded: Bool
    /// Whether it waits for values or an end, rather than for another thread's delivery.
    var isForOutcome = true
  }

  private let facts: FindingFacts
  private let queued: [QueuedWork]
  /// Waits that have begun and not ended, by thread, innermost last.
  private var waits: [UInt32: [Wait]] = [:]
  /// The stacks of waits that have ended: who waits there again does what went well before.
  private var ended: Set<UInt32> = []

  private static let mostEnded = 1_024

  static let isOfEnding = true

  init?(_ facts: FindingFacts) {
    guard facts.reader.ending == .running || facts.reader.ending.isKill else { return nil }
    self.facts = facts
    queued = QueuedWork.all(facts.history, facts.definitions, facts.lookup)
    if queued.isEmpty { return nil }
  }

  var kinds: Set<RecordKind> { [.waitBegan, .waitEnded] }

  mutating func note(_ event: FindingEvent) {
    let ring = event.name.ring
    guard event.kind == .waitBegan else {
      if let wait = waits[ring]?.popLast(), ended.count < Self.mostEnded {
        ended.insert(wait.stack)
      }
      return
    }
    let payload = ReasonPayload(word: event.word)
    waits[ring, default: []].append(
      Wait(
        ring: ring, since: EventMoment(name: event.name, ticks: event.ticks), stream: event.stream,
        stack: payload.stack, isRecorded: true,
        isForOutcome: payload.reason == UInt32(WaitReason.outcome.rawValue)))
  }

  mutating func findings() -> [Finding] {
    let rings = facts.history.lastEvents.keys.sorted()
    let found = rings.compactMap { ring -> Found? in
      let work = facts.history.hops.running.last { $0.began.ring == ring }
      guard let wait = waits[ring]?.last ?? lastObservation(on: ring, since: work),
        wait.isForOutcome
      else { return nil }
      let behind = work.map { self.behind($0, wait) } ?? ahead(of: wait)
      return behind.isEmpty
        ? nil
        : Found(
          since: wait.since.ticks, hasGoneWell: wait.stack != 0 && ended.contains(wait.stack),
          ring: ring, finding: finding(wait, work, behind))
    }
    // Of threads that gave each other the work that they wait for, one that never waited there before
    // is the odd one; else the one that began to wait last closed the circle.
    let hanging = Set(found.map(\.ring))
    let circle = found.filter { found in
      found.giver.map { $0 != found.ring && hanging.contains($0) } ?? false
    }
    let inCircle = Set(circle.map(\.ring))
    return circle.sorted { ($1.hasGoneWell ? 1 : 0, $0.since) > ($0.hasGoneWell ? 1 : 0, $1.since) }
      .map(\.finding)
      + found.filter { !inCircle.contains($0.ring) }.map(\.finding)
  }

  /// A thread that hangs.
  private struct Found {
    var since: UInt64
    /// Whether such a wait ended before.
    var hasGoneWell: Bool
    var ring: UInt32
    var finding: Finding
    /// The thread that gave the work which is waited for.
    var giver: UInt32? { finding.evidence.dropFirst().first?.ring }
  }

  /// Returns the last observation that a thread began in the given work, if it is still open and
  /// its observer is outside all streams: the thread may be waiting for it.
  private func lastObservation(on ring: UInt32, since work: HopHistory.Running?) -> Wait? {
    let open = facts.history.subscriptions.open.lazy.filter { open in
      open.to == 0 && open.began.ring == ring
        && open.began.ticks > work?.began.ticks ?? 0
    }
    guard let last = open.max(by: { $0.began.ticks < $1.began.ticks }),
      let event = facts.lookup[last.began.name], event.kind == .subscribed
    else { return nil }
    return Wait(
      ring: ring, since: last.began, stream: last.from,
      stack: SubscriptionPayload(word: event.payload.word).stack, isRecorded: false)
  }

  /// Returns the work that can begin only after the given one.
  private func behind(_ work: HopHistory.Running, _ wait: Wait) -> [QueuedWork] {
    let others = facts.history.hops.running.filter { $0.scheduler == work.scheduler }
    // A scheduler with several threads may begin it at any time.
    guard others.count == 1 else { return [] }
    let behind = queued.filter {
      $0.hop.scheduler == work.scheduler && $0.hop.scheduled.ticks > work.began.ticks
    }
    guard !wait.isRecorded else { return behind }
    let isWanted = behind.contains { work in
      work.hop.scheduled.ring == wait.ring || delivers(work, wait.stream)
    }
    return isWanted ? behind : []
  }

  /// Returns the work on a queue that runs nothing, and that would deliver what a thread waits for:
  /// the queue is that thread's.
  private func ahead(of wait: Wait) -> [QueuedWork] {
    let busy = Set(facts.history.hops.running.map(\.scheduler))
    guard
      let wanted = queued.first(where: { work in
        !busy.contains(work.hop.scheduler) && work.hop.scheduled.ring != wait.ring
          && work.hop.scheduled.ticks > wait.since.ticks && delivers(work, wait.stream)
      })
    else { return [] }
    return queued.filter { $0.hop.scheduler == wanted.hop.scheduler }
  }

  private func delivers(_ work: QueuedWork, _ stream: UInt32) -> Bool {
    work.causes.contains { facts.places.leads(from: $0, to: stream, facts.walk) }
  }

  private func finding(
    _ wait: Wait, _ work: HopHistory.Running?, _ behind: [QueuedWork]
  ) -> Finding {
    let first = behind.first { delivers($0, wait.stream) } ?? behind[0]
    let place = place(of: wait, in: work)
    let stream: FindingSentence =
      wait.stream == 0 ? "" : " for \(stream: named(wait.stream))"
    let inside: FindingSentence =
      work.map {
        ", inside work of \(scheduler: $0.scheduler) (#\($0.began.name.description))"
      } ?? ""
    var finding = Finding(
      .hang, weight: wait.isRecorded ? 95 : 80, place: place,
      """
      thread \(thread: wait.ring) waits\(stream)\(inside), and what it waits for can only come \
      after that: \(behind.count, "piece of work lies", "pieces of work lie") queued on \
      \(scheduler: first.hop.scheduler)\(giver(of: first, wait))
      """, stream: wait.stream == 0 ? nil : wait.stream,
      evidence: [wait.since.name, first.hop.scheduled.name] + (work.map { [$0.began.name] } ?? []),
      question: .postmortem)
    finding.ring = wait.ring
    finding.scheduler = first.hop.scheduler
    finding.count = UInt64(behind.count)
    return finding
  }

  /// Returns where a thread waits: if the trace does not say that, where samples of its work were taken
  /// while it waited, and else where it began to observe.
  private func place(of wait: Wait, in work: HopHistory.Running?) -> FindingPlace? {
    if !wait.isRecorded, let sampled = work.flatMap({ facts.samples[$0.hop] }), sampled.waits {
      return .common(sampled.stacks)
    }
    return wait.stack == 0 ? nil : .stack(wait.stack)
  }

  /// Returns how the work came there: ", with what x sent", or
  /// " (File.swift:12)", the line that scheduled it.
  private func giver(of queued: QueuedWork, _ wait: Wait) -> FindingSentence {
    if let stream = queued.causes.min(), delivers(queued, wait.stream) {
      return ", with what \(stream: stream) sent"
    }
    let name = queued.hop.scheduled.name
    guard let event = facts.lookup[name], event.payload.kind == .cause else { return "" }
    let stack = HopPayload(word: event.payload.word).stack
    return stack == 0 ? "" : " (\(place: .stack(stack)))"
  }

  /// The maximum number of operators between a stream with a name and what is waited for.
  private static let mostOperators = 8

  /// Returns the stream with a name that a stream was made from, if there is one nearby.
  private func named(_ stream: UInt32) -> UInt32 {
    var named = stream
    for _ in 0..<Self.mostOperators {
      guard let definition = facts.definitions.streams[named], !definition.isNamed,
        definition.parents.count == 1
      else { break }
      named = definition.parents[0]
    }
    return facts.definitions.streams[named]?.isNamed == true ? named : stream
  }
}
