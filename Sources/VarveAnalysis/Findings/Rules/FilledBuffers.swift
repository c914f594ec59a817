internal import VarveFormat
internal import VarveProbe

/// Finds asynchronous streams without a limit whose consumer never waits for an element any more, however
/// many come: they wait for it, and become more.
///
/// What is taken from the buffer of such a stream is in no trace. But one that has taken everything waits,
/// and the next element resumes it.
struct FilledBuffers: FindingRule {
  /// What has come since somebody waited for an element.
  private struct Account {
    /// The elements, and the sum of their times since the first one, in ticks.
    var count: UInt64 = 0
    var first: EventMoment?
    var latest: EventMoment?
    var times: Double = 0
    /// The task that was resumed by an element last, and where it waits for elements; 0 if unknown.
    var consumer: UInt64?
    var template: UInt32 = 0
    var waited: UInt32 = 0
    /// How often it has waited elsewhere since, by where, and how often at one place until the last element.
    var waits: [UInt32: UInt64] = [:]
    var mostWaits: UInt64 = 0
    var rounds: UInt64 = 0
    var hasEnded = false

    mutating func note(_ event: EventMoment) {
      let first = first ?? event
      self.first = first
      latest = event
      count += 1
      times += Double(event.ticks - min(event.ticks, first.ticks))
      rounds = mostWaits
    }

    /// All has been taken.
    mutating func reset() {
      self = Account(consumer: consumer, template: template, waited: waited, hasEnded: hasEnded)
    }

    mutating func noteWait(at stack: UInt32) {
      guard stack != waited || stack == 0 else { return reset() }
      guard waits.count < FilledBuffers.mostPlaces || waits[stack] != nil else { return }
      waits[stack, default: 0] += 1
      mostWaits = max(mostWaits, waits[stack] ?? 0)
    }
  }

  private let facts: FindingFacts
  private var accounts: [UInt32: Account] = [:]
  /// What had come to streams whose consumer then ended, if it was too much for that.
  private var left: [UInt32: Account] = [:]
  /// The last element of each thread.
  private var yielded: [UInt32: (event: EventName, stream: UInt32)] = [:]
  /// The streams whose elements have resumed a task, by the hop of its run.
  private var resumed: [UInt64: UInt32] = [:]
  /// The streams that tasks take elements of.
  private var taking: [UInt64: UInt32] = [:]
  private var loops = ElementLoops()

  let kinds: Set<RecordKind> = TaskRuns.kinds.union([.value, .absorbed])
  let followsRuns = true
  let readsCauses = true
  var streams: Set<UInt32>? { Set(accounts.keys) }

  /// For how long elements come, in nanoseconds, and how many, while nobody waits for one.
  private static let shortestTime: UInt64 = 1_000_000_000
  private static let fewestElements: UInt64 = 32
  /// They come in the same time throughout, if half of them come in about half of it: what comes in one go is a
  /// list of jobs.
  private static let middle = 0.3...0.7
  /// The elements are more than this many times as many as the consumer came round: it may take several then.
  private static let factor: UInt64 = 2
  /// One that pauses, and catches up then, has not come round so often before.
  private static let fewestRounds: UInt64 = 8
  private static let mostPlaces = 64
  private static let mostStreams = 1_024

  init?(_ facts: FindingFacts) {
    self.facts = facts
    for stream in facts.definitions.streams.values
    where stream.isFollowed && stream.absorbs == nil && accounts.count < Self.mostStreams {
      guard let known = facts.history.stream(stream.id), known.values >= Self.fewestElements
      else { continue }
      accounts[stream.id] = Account()
    }
    if accounts.isEmpty || facts.tasks == nil { return nil }
  }

  mutating func note(_ event: FindingEvent) {
    switch event.kind {
    case .value:
      accounts[event.stream]?.note(event.moment)
      yielded[event.name.ring] = (event.name, event.stream)
    case .absorbed:
      // It was refused: the stream has ended, and holds nothing any more.
      accounts[event.stream]?.reset()
    case .hopScheduled:
      let causes = event.causes
      guard let last = yielded[event.name.ring], causes.contains(last.event) else { return }
      accounts[last.stream]?.reset()
      resumed[event.subscription] = last.stream
      // The last cause is the end of the run that waited for the element.
      guard accounts[last.stream]?.waited == 0, let own = causes.last,
        let end = facts.lookup[own], end.kind == .hopEnded
      else { return }
      accounts[last.stream]?.waited = TaskAwaitPayload(word: end.payload.word).stack
    default: noteRun()
    }
  }

  private mutating func noteRun() {
    switch facts.runs.change {
    case .began(let run):
      guard let stream = resumed.removeValue(forKey: run.hop),
        var account = accounts[stream]
      else { return }
      accounts[stream] = nil
      account.consumer = run.task
      account.template = run.template
      accounts[stream] = account
      taking[run.task] = stream
    case .ended(let run, let end):
      guard let stream = taking[run.task], accounts[stream]?.consumer == run.task else { return }
      guard end.awaited == TaskAwait.nothing.rawValue else {
        accounts[stream]?.noteWait(at: end.stack)
        return
      }
      taking[run.task] = nil
      if let account = accounts[stream], isTooMuch(account) { left[stream] = account }
      // What comes from now on comes for nobody.
      accounts[stream]?.hasEnded = true
      accounts[stream]?.reset()
    default: return
    }
  }

  mutating func findings() -> [Finding] {
    accounts.sorted { $0.key < $1.key }.compactMap { stream, account in
      account.hasEnded
        ? abandoned(stream, account) ?? left[stream].flatMap { grown(stream, $0) }
        : grown(stream, account)
    }
  }

  /// For how long elements have come, in nanoseconds; nil if it was not for long, or not throughout.
  private func time(of account: Account) -> UInt64? {
    guard account.count >= Self.fewestElements, let first = account.first,
      let last = account.latest, last.ticks > first.ticks
    else { return nil }
    let time = facts.time.duration(from: first.ticks, to: last.ticks)
    let middle = account.times / Double(account.count) / Double(last.ticks - first.ticks)
    return time >= Self.shortestTime && Self.middle.contains(middle) ? time : nil
  }

  /// Whether a consumer has come round often, and far less often than elements came.
  private func isTooMuch(_ account: Account) -> Bool {
    account.rounds >= Self.fewestRounds && account.count > account.rounds * Self.factor
      && time(of: account) != nil
  }

  private func grown(_ stream: UInt32, _ account: Account) -> Finding? {
    guard isTooMuch(account), let time = time(of: account), let consumer = account.consumer,
      let first = account.first, let last = account.latest
    else { return nil }
    let title = facts.title(ofTask: consumer, template: account.template)
    return Finding(
      .backlog, weight: 74, place: .stream(stream),
      "\(account.count, "element", "elements") of \(stream: stream) came within \(nanoseconds: time), and "
        + "\(title), which takes them, came round \(account.rounds, "time", "times") meanwhile and never had to "
        + "wait for one: the others wait in a buffer without a limit",
      stream: stream, evidence: [first.name, last.name])
  }

  private mutating func abandoned(_ stream: UInt32, _ account: Account) -> Finding? {
    guard let time = time(of: account), let consumer = account.consumer,
      let first = account.first, let last = account.latest
    else { return nil }
    let title = facts.title(ofTask: consumer, template: account.template)
    let loop = facts.names.own(of: account.waited)
    let exit = loop.flatMap { loops.exit(ofLoopAt: $0) }
    return Finding(
      .backlog, weight: 74, place: exit.map { .line($0) } ?? .stream(stream),
      "\(account.count, "element", "elements") of \(stream: stream) came within \(nanoseconds: time) after "
        + "\(title), which took them, had left its loop and ended: somebody holds the stream, so that they all "
        + "wait, for nobody, in a buffer without a limit",
      stream: stream, evidence: [first.name, last.name])
  }
}
