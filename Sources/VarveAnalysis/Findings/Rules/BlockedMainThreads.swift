internal import VarveFormat
internal import VarveProbe

/// Finds a main thread that, in a program that hangs, never comes to run what was given to the main actor
/// while no task runs there: it waits for something outside of tasks.
struct BlockedMainThreads: FindingRule {
  private let facts: FindingFacts
  private let main: UInt32
  /// The stack of the code that made a task on the main thread last; 0 if there is none.
  private var made: UInt32 = 0

  let kinds = TaskRuns.kinds
  let followsRuns = true

  /// For so long nothing happens, in nanoseconds.
  private static let endless: UInt64 = 1_000_000_000

  init?(_ facts: FindingFacts) {
    guard facts.reader.ending == .running || facts.reader.ending.isKill,
      let moment = facts.tasks?.moment,
      let main = facts.definitions.schedulers.values.first(where: { $0.name == "main actor" })
    else { return nil }
    let last = facts.reader.blocks.map(\.ticks.upperBound).max() ?? 0
    guard facts.time.duration(from: last, to: moment) >= Self.endless else { return nil }
    self.facts = facts
    self.main = main.id
  }

  mutating func note(_ event: FindingEvent) {
    guard event.kind == .taskCreated, event.payload == .made, isMain(event.name.ring) else {
      return
    }
    let template = TaskCreationPayload(word: event.word).template
    made = facts.definitions.taskTemplates[template]?.stack ?? 0
  }

  mutating func findings() -> [Finding] {
    let moment = facts.tasks?.moment ?? 0
    let waiting = facts.runs.waiting.values.filter { $0.scheduler == main }
      .sorted { $0.since.ticks < $1.since.ticks }
    guard let oldest = waiting.first,
      // The first run of an asynchronous `main` is not told to be the main actor's.
      !facts.runs.running.values.contains(where: {
        $0.scheduler == main || isMain($0.began.name.ring)
      })
    else { return [] }
    var variables = TaskVariables()
    let wait = made == 0 ? nil : facts.names.own(of: made).flatMap { variables.wait(below: $0) }
    let reason: FindingSentence =
      wait != nil
      ? ": it waits here, in the function that has made a task before"
      : made != 0 ? ": the last task that it made, it made here" : ""
    var finding = Finding(
      .hang, weight: 83, place: wait.map { .line($0) } ?? (made == 0 ? nil : .stack(made)),
      "the main thread does not come to run \(UInt64(waiting.count), "task", "tasks") of the main actor, for "
        + "\(nanoseconds: facts.time.duration(from: oldest.since.ticks, to: moment)), and no task holds that"
        + reason,
      evidence: [oldest.since.name], question: .tasks)
    finding.scheduler = main
    return [finding]
  }

  /// Whether a thread is the process's first one.
  private func isMain(_ ring: UInt32) -> Bool {
    facts.definitions.threads[ring].map { $0.systemID == UInt64(facts.reader.header.process.pid) }
      == true
  }
}
