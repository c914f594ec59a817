/// How many steps a walk may take along what hangs together: streams and what they are made from, work
/// and what gave it.
///
/// Each of many ways through a trace may be as long as all of it. Those of a program that was recorded
/// are short; whoever has taken as many steps as this walks through a file that lies, and comes to an
/// end with what was found.
struct WalkSteps: Sendable {
  private var left: Int

  /// For a walk through a program of so many streams; of those that follow each other, a hundred may
  /// be between two that are looked at.
  init(streams: Int = 0) { self.init(1 << 24 + 100 * streams) }

  /// So many steps.
  init(_ count: Int) { left = count }

  /// Whether none are left.
  var isOver: Bool { left == 0 }

  /// Takes a step, or what takes as long as some; returns false when none are left.
  mutating func take(_ count: Int = 1) -> Bool {
    guard left >= count else {
      left = 0
      return false
    }
    left -= count
    return true
  }
}
