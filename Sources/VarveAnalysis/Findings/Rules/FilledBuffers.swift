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
    var count: UInt64 = 0
    var first: EventMoment?
    var latest: EventMoment?
    /// The sum of the times of all since the first one, in ticks.
    var times: Double = 0
    /// The task that was resumed by an element last, where it waited for that, and where it waited last.
    var consumer: UInt64?
    var template: UInt32 = 0
    var waited: UInt32 = 0
    var last: UInt32 = 0
    /// How often it has waited since, by where.
    var waits: [UInt32: UInt64] = [:]
    var hasEnded = false

    /// How often it has come round, at most, if it waits somewhere each time.
    var rounds: UInt64 { waits.values.max() ?? 0 }

    mutating func note(_ event: EventMoment) {
      let first = first ?? event
      self.first = first
      latest = event
      count += 1
      times += Double(event.ticks - min(event.ticks, first.ticks))
    }

    /// Somebody has waited for an element, and got it.
    mutating func reset() {
      self = Account(consumer: consumer, template: template, waited: waited, last: last)
    }

    mutating func noteWait(at stack: UInt32) {
      last = stack
      if waits.count < FilledBuffers.mostPlaces || waits[stack] != nil {
        waits[stack, default: 0] += 1
      }
    }
  }

  private let facts: FindingFacts
  private var accounts: [UInt32: Account] = [:]
  /// The last element of each thread.
  private var yielded: [UInt32: (event: EventName, stream: UInt32)] = [:]
  /// The streams whose elements have resumed a task, by the hop of its run.
  private var resumed: [UInt64: UInt32] = [:]
  /// The streams that tasks take elements of.
  private var taking: [UInt64: UInt32] = [:]
  private var loops = ElementLoops()

  let kinds: Set<RecordKind> = TaskRuns.kinds.union([.value])
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
    case .hopScheduled:
      guard let last = yielded[event.name.ring], event.causes.contains(last.event) else { return }
      accounts[last.stream]?.reset()
      resumed[event.subscription] = last.stream
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
      account.waited = account.consumer == run.task ? account.last : 0
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
      accounts[stream]?.hasEnded = true
    default: return
    }
  }

  mutating func findings() -> [Finding] {
    accounts.sorted { $0.key < $1.key }.compactMap { finding($0.value, of: $0.key) }
  }

  private mutating func finding(_ account: Account, of stream: UInt32) -> Finding? {
    guard account.count >= Self.fewestElements, let consumer = account.consumer,
      let first = account.first, let last = account.latest, last.ticks > first.ticks
    else { return nil }
    let time = facts.time.duration(from: first.ticks, to: last.ticks)
    let middle = account.times / Double(account.count) / Double(last.ticks - first.ticks)
    guard time >= Self.shortestTime, Self.middle.contains(middle) else { return nil }
    let title = facts.title(ofTask: consumer, template: account.template)
    let came: FindingSentence =
      "\(account.count, "element", "elements") of \(stream: stream) came within \(nanoseconds: time) "
    if account.hasEnded {
      let loop = facts.names.own(of: account.waited)
      let exit = loop.flatMap { loops.exit(ofLoopAt: $0) }
      return Finding(
        .backlog, weight: 74, place: exit.map { .line($0) } ?? .stream(stream),
        came
          + "after \(title), which took them, had left its loop and ended: somebody holds the stream, so that "
          + "they all wait, for nobody, in a buffer without a limit",
        stream: stream, evidence: [first.name, last.name])
    }
    guard account.count > max(1, account.rounds) * Self.factor else { return nil }
    let stack = facts.tasks?.stacks[consumer]
    let waits: FindingSentence =
      stack.map { "it is at \(place: .stack($0)) at the end" } ?? "it runs at the end"
    return Finding(
      .backlog, weight: 74, place: .stream(stream),
      came + "and \(title), which takes them, never had to wait for one: it came round "
        + "\(account.rounds, "time", "times") meanwhile, and " + waits
        + "; the others wait in a buffer without a limit",
      stream: stream, evidence: [first.name, last.name])
  }
}
