internal import VarveFormat
internal import VarveProbe

/// Tasks that sleep for a moment over and over at one place: they may ask for something again and again
/// that could tell them.
struct SleepingPolls: TaskGuesser {
  /// What is known of the suspensions at one place.
  private struct Account {
    var task: UInt64
    var count: UInt64 = 0
    var first: UInt64
    var last: UInt64
    var event: EventName
  }

  private let time: TraceTime
  private var accounts: WalkTable<UInt32, Account>

  private static let fewest: UInt64 = 24
  /// The longest time from one to the next, on average, in nanoseconds.
  private static let longestBetween: UInt64 = 25_000_000

  init(_ time: TraceTime, _ walk: TraceWalk) {
    self.time = time
    accounts = WalkTable(walk, bytes: 80, of: .work)
  }

  mutating func note(_ moment: TaskMoment) {
    guard case .ended(let task, let end) = moment.step,
      TaskAwait(rawValue: end.awaited) == .continuation, end.stack != 0
    else { return }
    let first = Account(task: task, first: moment.ticks, last: moment.ticks, event: moment.event)
    _ = accounts.change(end.stack, orFirst: first) {
      // Many tasks that sleep once each do not poll.
      guard $0.task == task else { return }
      $0.count += 1
      $0.last = moment.ticks
    }
  }

  /// Returns a guess for each place, that with the most sleeps first.
  func guesses(_ definitions: TraceDefinitions, _ symbols: Symbolizer) -> [Finding] {
    accounts.entries.filter { $0.value.count >= Self.fewest }
      .sorted { ($1.value.count, $0.key) < ($0.value.count, $1.key) }
      .compactMap { stack, account in
        let span = time.duration(from: account.first, to: account.last)
        guard span / account.count <= Self.longestBetween, let stack = definitions.stacks[stack],
          symbols.isSleeping(in: stack.frames)
        else { return nil }
        return Finding(
          .storm, weight: 26, place: .stack(stack.id),
          "task \(account.task.description) slept here \(account.count, "time", "times") in \(nanoseconds: span): does it "
            + "ask again and again for something that could tell it?",
          evidence: [account.event])
      }
  }
}
