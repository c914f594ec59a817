internal import VarveFormat
internal import VarveProbe

/// Finds asynchronous streams (`AsyncStream`) that nobody finishes: a task waits for the next element, other
/// tasks wait for that one, and the code that yielded the last element has come to its end.
struct UnfinishedStreams: FindingRule {
  private let facts: FindingFacts
  private let recorded: TraceTasks
  /// The tasks that wait for an element, with how many others wait for them.
  private let waiting: [(task: TaskState, waiters: Int)]
  private var ways = WaysOut()

  /// How long nothing comes from a stream that nobody finishes, in nanoseconds.
  private static let shortestSilence: UInt64 = 1_000_000_000
  private static let mostTasks = 100
  /// The maximum number of events between a task and the element that it took last, and between an
  /// element and the run of the task that yielded it.
  private static let mostBetween = 24

  init?(_ facts: FindingFacts) {
    guard facts.reader.ending == .running || facts.reader.ending.isKill, let recorded = facts.tasks,
      facts.definitions.streams.values.contains(where: \.isFollowed)
    else { return nil }
    let waiters = facts.taskWaits.waiters
    let symbols = facts.symbols
    waiting = recorded.tasks.lazy.filter {
      $0.phase == .suspended && $0.awaiting == .continuation
        && symbols.isWaitingForElement(in: $0.frames)
    }.compactMap { task in waiters[task.id].map { (task, $0) } }
    if waiting.isEmpty { return nil }
    self.facts = facts
    self.recorded = recorded
  }

  mutating func findings() -> [Finding] {
    let waiting = waiting.prefix(Self.mostTasks)
    return waiting.compactMap { finding($0.task, $0.waiters) }
  }

  private mutating func finding(_ task: TaskState, _ waiters: Int) -> Finding? {
    guard let last = recorded.lastRuns[task.id], let stack = recorded.stacks[task.id],
      let stream = element(before: last)?.stream ?? onlyUnfinished,
      let account = facts.history.stream(stream), account.firstEnd == nil,
      let value = account.lastValue, let sender = facts.sender(of: value.name)
    else { return nil }
    let silence = facts.time.duration(from: value.ticks, to: recorded.moment)
    guard silence >= Self.shortestSilence else { return nil }
    let producer = producer(of: value.name)
    // One that goes on may still yield more.
    if let producer, recorded.tasks.contains(where: { $0.id == producer && $0.phase != .ended }) {
      return nil
    }
    let end: FindingSentence =
      producer.map { ", by task \($0.description), which has ended since" } ?? ""
    // A producer that has ended may have left by a way on which it did not finish the stream.
    let code = producer == nil ? nil : facts.names.own(of: sender)
    let exit = code.flatMap { ways.exit(without: "finish", around: $0) }
    let yielded: FindingSentence = exit == nil ? "here" : "at \(place: .stack(sender))"
    let left: FindingSentence = exit == nil ? "" : ", and this way out of its code does not"
    return Finding(
      .hang, weight: 83, place: exit.map { .line($0) } ?? .stack(sender),
      "\(task.title) waits at \(place: .stack(stack)) for another element of \(stream: stream); the last one "
        + "was yielded " + yielded + ", \(nanoseconds: silence) ago" + end
        + ": nobody has finished the stream" + left
        + "; \(UInt64(waiters), "task waits", "tasks wait") for that task, directly or "
        + "through others",
      stream: stream, evidence: [value.name, last], question: .tasks)
  }

  /// The only stream that nobody has finished, if one task waits for an element of it. Elements that were there
  /// before it asked for them have not resumed it, so that they do not tell of which stream it waits.
  private var onlyUnfinished: UInt32? {
    guard waiting.count == 1 else { return nil }
    let unfinished = facts.definitions.streams.values.filter {
      $0.isFollowed && facts.history.stream($0.id)?.firstEnd == nil
    }
    return unfinished.count == 1 ? unfinished[0].id : nil
  }

  /// Returns the element that a task took last before an event.
  private func element(before event: EventName) -> TraceEvent? {
    facts.lookup.way(to: event, most: Self.mostBetween).first {
      $0.kind == .value && facts.definitions.streams[$0.stream]?.isFollowed == true
    }
  }

  /// Returns the task that yielded an element; nil if none did, or it is not known.
  private func producer(of value: EventName) -> UInt64? {
    facts.lookup.way(to: value, most: Self.mostBetween).first { $0.ring == value.ring && $0.isHop }?
      .runTask
  }
}
