/// Waits before requests are sent again, and what is said of them on standard error: on a terminal a
/// line that counts the seconds, elsewhere a line for each wait.
final class CollectorWaits {
  private let progress: Progress
  private let isQuiet: Bool

  init(isQuiet: Bool) {
    self.isQuiet = isQuiet
    progress = Progress("export", isQuiet: isQuiet)
  }

  /// Waits for some seconds, and says why.
  func wait(_ seconds: Double, because trouble: String) {
    guard progress.isShown else {
      if !isQuiet { Messages.warning("\(trouble); trying again in \(Self.words(seconds))") }
      return sleep(seconds)
    }
    var left = seconds
    while left > 0 {
      progress.say("trying again in \(Self.words(left)): \(trouble)")
      let part = min(left, 1)
      sleep(part)
      left -= part
    }
    progress.clear()
  }

  private func sleep(_ seconds: Double) { Sleep.sleep(.milliseconds(Int64(seconds * 1_000))) }

  /// Returns `0.4 s` or `12 s`.
  private static func words(_ seconds: Double) -> String {
    seconds < 9.95 ? "\((seconds * 10).rounded() / 10) s" : "\(Int(seconds.rounded())) s"
  }
}
