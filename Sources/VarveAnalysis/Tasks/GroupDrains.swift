internal import VarveFormat
internal import VarveProbe

/// Groups that were left with results still to come: the task that had got what it wanted waited for the
/// other children, which nobody had cancelled.
struct GroupDrains {
  /// The waits of a task for its group.
  private struct Waits {
    /// Where it got a result first.
    var first: UInt32
    /// When it began to wait elsewhere, for what is left; nil if it does not.
    var since: UInt64?
  }

  private let time: TraceTime
  private var waits: WalkTable<UInt64, Waits>
  /// By where the result was taken.
  private var found:
    [UInt32: (task: UInt64, nanoseconds: UInt64, count: UInt64, event: EventName)] =
      [:]

  /// A wait is long from here on, in nanoseconds.
  private static let long: UInt64 = 100_000_000
  private static let mostPlaces = 64

  init(_ time: TraceTime, _ walk: TraceWalk) {
    self.time = time
    waits = WalkTable(walk, bytes: 56, of: .work)
  }

  mutating func noteWait(of task: UInt64, at stack: UInt32, _ ticks: UInt64) {
    guard stack != 0 else { return }
    _ = waits.change(task, orFirst: Waits(first: stack)) {
      if $0.first != stack { $0.since = ticks }
    }
  }

  mutating func noteRun(of task: UInt64, at ticks: UInt64, _ event: EventName) {
    guard let known = waits[task], let since = known.since else { return }
    // Another group may follow.
    waits.removeValue(forKey: task)
    let lasted = time.duration(from: since, to: ticks)
    guard lasted >= Self.long, found[known.first] != nil || found.count < Self.mostPlaces else {
      return
    }
    var place = found[known.first] ?? (task, 0, 0, event)
    place.count += 1
    if lasted > place.nanoseconds {
      (place.task, place.nanoseconds, place.event) = (task, lasted, event)
    }
    found[known.first] = place
  }

  mutating func noteEnd(of task: UInt64) { waits.removeValue(forKey: task) }

  /// Returns a guess for each place at which a result was taken, the longest first.
  var guesses: [Finding] {
    found.sorted { ($1.value.nanoseconds, $0.key) < ($0.value.nanoseconds, $1.key) }
      .map { stack, drain in
        var finding = Finding(
          .backlog, weight: 45, place: .stack(stack),
          "task \(drain.task.description) had a result of its group here, and then waited "
            + "\(nanoseconds: drain.nanoseconds) more, for the group's "
            + "other children, which nobody cancelled",
          evidence: [drain.event])
        finding.count = drain.count
        finding.nanoseconds = drain.nanoseconds
        return finding
      }
  }
}
