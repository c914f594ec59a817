internal import Dispatch

/// Work that two threads do at once, each a half of it.
package enum Halves {
  /// Calls `body` with 0 and with 1, at once if there are threads for it, and returns when both are done.
  package static func run(_ body: @Sendable (Int) -> Void) {
    DispatchQueue.concurrentPerform(iterations: 2) { body($0) }
  }
}
