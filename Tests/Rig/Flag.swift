import Foundation

/// Raised once, and waited for by any number of threads.
public final class Flag: Sendable {
  private let condition = NSCondition()
  // Safety: reached only while `condition` is locked.
  private nonisolated(unsafe) var isUp = false

  /// Creates a flag that is down.
  public init() {}

  /// Whether it has been raised.
  public var isRaised: Bool {
    condition.lock()
    defer { condition.unlock() }
    return isUp
  }

  /// Lets all who wait go on.
  public func raise() {
    condition.lock()
    isUp = true
    condition.broadcast()
    condition.unlock()
  }

  /// Returns when it has been raised; stops the program when nobody does.
  public func wait(file: StaticString = #fileID, line: UInt = #line) {
    if !isRaised(in: 480) { hangs(file, line) }
  }

  /// Returns when it has been raised, or after a long while, and whether it was: for what would
  /// never be raised if the tested code were wrong.
  public func isRaisedInTime() -> Bool { isRaised(in: 60) }

  private func isRaised(in seconds: TimeInterval) -> Bool {
    condition.lock()
    defer { condition.unlock() }
    let end = Date(timeIntervalSinceNow: seconds)
    while !isUp, condition.wait(until: end) {}
    return isUp
  }
}

/// Lets other threads go first.
public func relax() { sched_yield() }
