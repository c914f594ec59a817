public import Dispatch

/// How long a test waits for what comes soon: far longer than it ever needs, and less than
/// `Tools/test` waits for it.
let patience = DispatchTimeInterval.seconds(480)

extension DispatchSemaphore {
  /// Waits for a signal, or stops the program with the place in the test: nothing can be said of a
  /// test whose threads hang but that they do.
  public func waitInTime(file: StaticString = #fileID, line: UInt = #line) {
    stopUnless(wait(timeout: .now() + patience), file, line)
  }
}

extension DispatchGroup {
  /// Waits until all have left, or stops the program with the place in the test.
  public func waitInTime(file: StaticString = #fileID, line: UInt = #line) {
    stopUnless(wait(timeout: .now() + patience), file, line)
  }
}

private func stopUnless(_ result: DispatchTimeoutResult, _ file: StaticString, _ line: UInt) {
  if result == .timedOut { hangs(file, line) }
}

/// Stops the program: a test hangs there.
func hangs(_ file: StaticString, _ line: UInt) -> Never {
  fatalError("a test hangs: waited in vain at \(file):\(line)", file: file, line: line)
}
