internal import VarveFormat
internal import VarveProbe

/// Children of groups that failed, while what waited for them went on, or ended with them.
struct GroupFailures: TaskGuesser {
  /// A child of a group has failed while its parent waited for the group.
  private struct Failure {
    var task: UInt64
    var parent: UInt64
    var error: String
    var event: EventName
    var stack: UInt32
    /// How many of the other children the parent has cancelled then.
    var cancelled: UInt64 = 0
    /// Whether the parent waited for its group again, at the same place.
    var goesOn = false
  }

  private let thrown: ThrownErrors?
  private let suspensions: TaskSuspensions
  private var failures: [Failure] = []
  /// The last one of each parent.
  private var last: [UInt64: Int] = [:]

  private static let mostFailures = 256

  init(_ thrown: ThrownErrors?, _ suspensions: TaskSuspensions) {
    self.thrown = thrown
    self.suspensions = suspensions
  }

  mutating func note(_ moment: TaskMoment) {
    switch moment.step {
    case .ended(let task, let end) where moment.awaited == .group:
      if let last = last[task], failures[last].stack == end.stack { failures[last].goesOn = true }
    case .failed(let task):
      guard let parent = moment.parent else { return }
      noteFailure(of: task, in: parent, moment)
    default: return
    }
  }

  private mutating func noteFailure(
    of task: UInt64, in parent: UInt64, _ moment: TaskMoment
  ) {
    guard moment.error != ThrownErrors.cancellation, !moment.isCancelled else {
      // A group cancels its children without a word.
      if moment.error == ThrownErrors.cancellation, let last = last[parent] {
        failures[last].cancelled += 1
      }
      return
    }
    guard let stack = suspensions.stack(of: parent, awaiting: .group),
      failures.count < Self.mostFailures
    else { return }
    // Of a group that goes on, the first one tells all; what was cancelled is over.
    if let last = last[parent], failures[last].cancelled == 0 { return }
    last[parent] = failures.count
    failures.append(
      Failure(task: task, parent: parent, error: moment.error, event: moment.event, stack: stack))
  }

  /// Returns a guess for each child that failed, while the others went on as if nothing had happened.
  var swallowed: [Finding] {
    failures.filter { $0.cancelled == 0 && $0.goesOn }.map { failure in
      Finding(
        .handled, weight: 62, place: .stack(failure.stack),
        "the error of task \(failure.task.description), \(failure.error)\(origin(failure.task)), arrives here, where task "
          + "\(failure.parent.description) waits for the children of its group, and the others go on: what does "
          + "this code make of it?",
        evidence: [failure.event])
    }
  }

  /// Returns a guess for each group whose children were cancelled because another one had failed.
  var cutShort: [Finding] {
    failures.filter { $0.cancelled > 0 }.map { failure in
      Finding(
        .partial, weight: 60, place: .stack(failure.stack),
        "task \(failure.task.description), a child of task \(failure.parent.description)'s group, failed with \(failure.error)"
          + origin(failure.task) + ", and what waits for the children here ended with it: "
          + "\(failure.cancelled, "other was", "others were") cancelled, too",
        evidence: [failure.event])
    }
  }

  /// Tells where the error of a task was thrown, if that is known.
  private func origin(_ task: UInt64) -> FindingSentence {
    thrown?.failures[task].map { ", thrown at \(place: .stack($0))" } ?? ""
  }
}
