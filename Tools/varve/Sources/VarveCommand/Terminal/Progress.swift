internal import VarveExport
internal import VarveMarbles
internal import VarvePlatform

/// The progress of a long task: one line on standard error that is overwritten, only on a terminal,
/// and only after the task has taken a second.
final class Progress {
  private static let patience = Duration.seconds(1)
  private static let period = Duration.milliseconds(100)

  private let verb: String
  /// Whether there is a terminal to show it, and it is wanted.
  let isShown: Bool
  private var started = ContinuousClock.now
  private var next: ContinuousClock.Instant
  private var hasWritten = false

  /// Begins a task with the name `verb`.
  init(_ verb: String, isQuiet: Bool) {
    self.verb = verb
    isShown = !isQuiet && Self.mayBeShown
    next = started + Self.patience
    ReadingProgress.end()
  }

  /// Whether there is a terminal to show it.
  static var mayBeShown: Bool { isatty(STDERR_FILENO) == 1 }

  /// Begins the task again: the rate is that from here on.
  func beginAgain() { started = ContinuousClock.now }

  /// Shows the progress, if an update is due.
  func show(_ done: UInt64, of all: UInt64) {
    guard isShown, all > 0 else { return }
    let now = ContinuousClock.now
    guard now >= next else { return }
    next = now + Self.period
    hasWritten = true
    write("\r\u{1b}[K" + Self.line(verb, done, of: all, after: started.duration(to: now)))
  }

  /// Shows a text of one line at once, cut to the terminal's width.
  func say(_ text: String) {
    guard isShown else { return }
    hasWritten = true
    let line = TerminalText.escaped("\(verb): \(text)")
    let width = Terminal.width(of: STDERR_FILENO) ?? 80
    write("\r\u{1b}[K" + DisplayWidth.cut(line, to: width - 1, ellipsis: ".."))
  }

  /// Clears the line.
  func clear() {
    if hasWritten { write("\r\u{1b}[K") }
    hasWritten = false
  }

  /// Returns `verify: 42 %, 8.1 % a second, 8 s left`. Until a hundredth and half a second have
  /// passed, rate and rest are left out: they would be guesses from one block or a waiting thread.
  static func line(_ verb: String, _ done: UInt64, of all: UInt64, after time: Duration) -> String {
    let share = Double(min(done, all)) / Double(all)
    let seconds = Double(time.components.seconds) + Double(time.components.attoseconds) * 1e-18
    guard share >= 0.01, seconds >= 0.5 else { return "\(verb): \(Int(share * 100)) %" }
    let rate = share * 100 / seconds
    let left = Int((seconds / share - seconds).rounded(.up))
    let rateText = rate >= 10 ? "\(Int(rate))" : "\((rate * 10).rounded() / 10)"
    return "\(verb): \(Int(share * 100)) %, \(rateText) % a second, \(left) s left"
  }

  private func write(_ text: String) { _ = Descriptor.write(Array(text.utf8), to: STDERR_FILENO) }
}
