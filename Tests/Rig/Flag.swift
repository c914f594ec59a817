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

  /// Returns when it has been raised.
  public func wait() {
    condition.lock()
    while !isUp { condition.wait() }
    condition.unlock()
  }
}

/// Lets other threads go first.
public func relax() { sched_yield() }
