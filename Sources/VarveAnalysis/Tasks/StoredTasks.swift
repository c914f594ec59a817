internal import VarveFormat
internal import VarveProbe

/// Tasks that code keeps: those that failed, and are asked again and again; those that set back, at
/// their end, what by then holds their successor; and those that go on beside their successors.
struct StoredTasks: TaskGuesser {
  private struct Failure {
    var maker: UInt32
    var error: String
    var event: EventName
    /// How often its result was asked for later.
    var reads: UInt64 = 0
    var lastRead: EventName
  }

  private struct Overtaken {
    var task: UInt64
    var by: UInt64
    var event: EventName
    /// How many ended so, and were not cancelled.
    var count: UInt64 = 0
  }

  /// The tasks that have failed, the first ones.
  private var failures: [UInt64: Failure] = [:]
  /// The task that each piece of code has made last, while it has not ended.
  private var last: [UInt32: UInt64] = [:]
  /// The first task of each piece of code that ended when its successor was there.
  private var overtaken: [UInt32: Overtaken] = [:]

  private static let mostFailures = 1_024
  private static let mostMakers = 4_096
  private static let fewestReads: UInt64 = 2
  private static let fewestBeside: UInt64 = 2

  mutating func note(_ moment: TaskMoment) {
    if case .failureRead(let task) = moment.step {
      failures[task]?.reads += 1
      failures[task]?.lastRead = moment.event
      return
    }
    let maker = moment.maker
    guard maker != 0 else { return }
    switch moment.step {
    case .made(let task, _) where moment.making == .task:
      if last[maker] != nil || last.count < Self.mostMakers { last[maker] = task }
    case .ended(let task, _) where moment.awaited == .nothing:
      if last[maker] == task { last[maker] = nil }
      if let later = last[maker], later > task {
        overtaken[maker, default: Overtaken(task: task, by: later, event: moment.event)].count +=
          moment.isCancelled ? 0 : 1
      }
    case .failed(let task):
      guard moment.error != ThrownErrors.cancellation, moment.parent == nil,
        failures.count < Self.mostFailures
      else { return }
      failures[task] = Failure(
        maker: maker, error: moment.error, event: moment.event, lastRead: moment.event)
    default: return
    }
  }

  /// Returns a guess for each piece of code that keeps what has failed, by its source.
  func keptFailures(_ names: StackNames) -> [Finding] {
    var variables = TaskVariables()
    var places: Set<Place> = []
    return failures.filter { $0.value.reads >= Self.fewestReads }.sorted { $0.key < $1.key }
      .compactMap { task, failure in
        guard let own = names.own(of: failure.maker),
          let (name, place) = variables.keeping(by: own), places.insert(place).inserted
        else { return nil }
        return Finding(
          .handled, weight: 61, place: .line(place),
          "\(name) keeps task \(task.description), which failed with \(failure.error), and its result was asked for "
            + "\(failure.reads, "time", "times") after that: nothing takes it out again",
          evidence: [failure.event, failure.lastRead])
      }
  }

  /// Returns a guess for each piece of code whose tasks set back a variable of their successors, by its
  /// source.
  func cleared(_ names: StackNames) -> [Finding] {
    var variables = TaskVariables()
    return overtaken.sorted { $0.key < $1.key }.compactMap { maker, overtaken in
      guard let own = names.own(of: maker),
        let (name, place) = variables.clearing(by: own)
      else { return nil }
      return Finding(
        .race, weight: 64, place: .line(place),
        "task \(overtaken.task.description) set \(name) to nil at its end, when that held task \(overtaken.by.description), "
          + "which the same code had made since",
        evidence: [overtaken.event])
    }
  }

  /// Returns a guess for each piece of code that keeps one task at a time, and lets the one before go on, by
  /// its source.
  func besides(_ names: StackNames) -> [Finding] {
    var variables = TaskVariables()
    return overtaken.filter { $0.value.count >= Self.fewestBeside }.sorted { $0.key < $1.key }
      .compactMap { maker, overtaken in
        guard let own = names.own(of: maker), let file = own.file,
          let name = variables.overwriting(by: own)
        else { return nil }
        var finding = Finding(
          .restarted, weight: 46, place: .line(Place(path: file, line: own.line)),
          "\(name) is set here to a new task, and the one before goes on beside it, to its end: nothing here cancels it; "
            + "so it was with \(overtaken.count, "task", "tasks"), the first of which was task "
            + "\(overtaken.task.description)",
          evidence: [overtaken.event])
        finding.count = overtaken.count
        return finding
      }
  }
}
