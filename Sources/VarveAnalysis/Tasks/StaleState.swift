internal import VarveFormat
internal import VarveProbe

/// Functions that write, after a wait, what they had looked at before it, while other tasks ran meanwhile.
struct StaleState: TaskGuesser {
  /// What is known of the waits at one place.
  private struct Account {
    var inside: UInt64 = 0
    /// How many tasks waited there at once, at most, and the event by which the last of these came.
    var most: UInt64 = 0
    var event: EventName
    /// How often other tasks ran during a wait.
    var passed: UInt64 = 0
  }

  private struct Wait {
    var stack: UInt32
    /// How many runs of tasks had begun.
    var runs: UInt64
  }

  private var accounts: [UInt32: Account] = [:]
  private var waits: WalkTable<UInt64, Wait>
  private var runs: UInt64 = 0

  private static let mostPlaces = 1_024

  init(_ walk: TraceWalk) { waits = WalkTable(walk, bytes: 48, of: .work) }

  mutating func note(_ moment: TaskMoment) {
    switch moment.step {
    case .began(let task, _):
      runs += 1
      guard let wait = waits.removeValue(forKey: task) else { return }
      accounts[wait.stack]?.inside -= 1
      accounts[wait.stack]?.passed += runs - wait.runs - 1
    case .ended(let task, let end):
      // On its way to an executor, a task does not wait for anything.
      guard moment.awaited != .nothing, moment.awaited != .executor, end.stack != 0,
        accounts[end.stack] != nil || accounts.count < Self.mostPlaces,
        waits.set(Wait(stack: end.stack, runs: runs), for: task)
      else { return }
      var account = accounts[end.stack] ?? Account(event: moment.event)
      account.inside += 1
      if account.inside > account.most {
        (account.most, account.event) = (account.inside, moment.event)
      }
      accounts[end.stack] = account
    default: return
    }
  }

  /// Returns a guess for each such write: of functions in which several tasks were at once, and of others.
  func guesses(_ names: StackNames) -> (shared: [Finding], others: [Finding]) {
    let passed = accounts.filter { $0.value.passed > 0 }.sorted { $0.key < $1.key }
    names.lookUp(passed.map(\.key))
    var writes = StaleWrites()
    var found: [StaleWrites.Write: (account: Account, line: Place)] = [:]
    for (stack, account) in passed {
      for frame in names.frames(of: stack) {
        guard let write = writes.write(after: frame), let file = frame.file else { continue }
        if account.most > found[write]?.account.most ?? 0 {
          found[write] = (account, Place(path: file, line: frame.line))
        }
        break
      }
    }
    // Of one task alone, a condition seldom changes during its wait.
    let telling = found.filter { !$0.key.form.isAsked || $0.value.account.most > 1 }
    let guesses = telling.sorted { $0.value.account.event < $1.value.account.event }.map {
      (guess(of: $0.key, $0.value.account, $0.value.line), isLikely($0.key, $0.value.account))
    }
    return (guesses.filter(\.1).map(\.0), guesses.filter { !$0.1 }.map(\.0))
  }

  /// Whether a write is likely to lose something. Those who seek may seek different things; what comes to a
  /// list while that is handed over is lost even if one task alone does so.
  private func isLikely(_ write: StaleWrites.Write, _ account: Account) -> Bool {
    write.form == .emptied || account.most > 1 && !write.form.isOfKey
  }

  private func guess(of write: StaleWrites.Write, _ account: Account, _ line: Place) -> Finding {
    let meanwhile: FindingSentence =
      account.most > 1
      ? "\(account.most, "task was", "tasks were") there at once"
      : "other tasks ran \(account.passed, "time", "times") meanwhile"
    let made: FindingSentence =
      switch write.form {
      case .made:
        "\(write.name) is set here to what was made of it before the wait at \(place: .line(line))"
      case .emptied:
        "\(write.name) is emptied here, after the wait at \(place: .line(line)) for what was done with it"
      case .checked:
        "\(write.name) is looked at before this wait, and changed after it without another look"
      case .placed:
        "a position in \(write.name) is looked up before this wait, and used after it"
      case .askedOnce:
        "\(write.name) is looked at here, and changed after the wait at \(place: .line(line)) without another look"
      case .forgotten:
        "what was got by the wait at \(place: .line(line)) is kept in \(write.name) here, from which other code takes out what is not to be kept"
      case .sought:
        "what is not in \(write.name) yet is got by this wait, and kept there only after it"
      }
    let lost: FindingSentence =
      switch write.form {
      case .checked, .askedOnce: ": what one of them saw, another one has changed"
      case .forgotten: ": what was taken out meanwhile is back, as it was before"
      case .sought: ": each of them may get the same"
      case .placed: ": something else may be there by then"
      case .made, .emptied: ": what they changed is lost"
      }
    return Finding(
      .race, weight: isLikely(write, account) ? 63 : 45, place: .line(write.place),
      made + "; " + meanwhile + lost, evidence: [account.event])
  }
}

extension StaleWrites.Write.Form {
  /// Whether it depends on what was asked before the wait.
  fileprivate var isAsked: Bool { [.checked, .askedOnce, .sought].contains(self) }

  /// Whether it is about what is kept under one key.
  fileprivate var isOfKey: Bool { self == .sought || self == .forgotten }
}
