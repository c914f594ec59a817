public import VarveReactive

/// Waits until `condition` holds: for what other threads do, when a test cannot hold the time in its
/// hand.
///
///     try await expectEventually { cache.isWarm }
///
/// It waits no longer than `limit`: a bound for tests that fail; those that pass wait no longer than
/// they have to.
///
/// - Throws: `WaitedInVain` when the condition has not held in time, or what the condition throws.
public func expectEventually(
  within limit: Duration = .seconds(10), isolation: isolated (any Actor)? = #isolation,
  file: String = #fileID, line: UInt = #line, _ condition: () async throws -> Bool
) async throws {
  let end = ContinuousClock.now + limit
  var pause = Duration.microseconds(100)
  while try await !condition() {
    guard ContinuousClock.now < end else {
      throw WaitedInVain("the condition at \(file):\(line)", for: limit)
    }
    try await Task.sleep(for: pause)
    pause = min(pause * 2, .milliseconds(20))
  }
}

/// What is thrown when something has not happened in time.
public struct WaitedInVain: Error, Hashable, CustomStringConvertible {
  /// What was waited for, and how long.
  public let description: String

  init(_ what: String, for limit: Duration) {
    description = "waited \(limit) for \(what) in vain"
  }
}

extension SignalProducer where Value: Sendable {
  /// Starts the work and waits for its first value, without blocking a thread: the successor of
  /// ReactiveCocoa 2's `-asynchronousFirstOrDefault:success:error:`.
  ///
  /// - Returns: the first value; nil when the work ends without one.
  /// - Throws: the failure, or `WaitedInVain` when nothing has come in time. The work is disposed of
  ///   then.
  public func asynchronousFirst(within limit: Duration = .seconds(10)) async throws -> Value? {
    try await waiting(for: "a value of '\(self)'", within: limit) { try await first() }
  }

  /// Starts the work and waits for its end, without blocking a thread: the successor of ReactiveCocoa
  /// 2's `-asynchronouslyWaitUntilCompleted:`.
  ///
  /// - Throws: the failure, or `WaitedInVain` when the work has not ended in time. It is disposed of
  ///   then.
  public func asynchronouslyWaitUntilCompleted(
    within limit: Duration = .seconds(10)
  ) async throws {
    _ = try await waiting(for: "the end of '\(self)'", within: limit) {
      try await ignoreValues().first()
    }
  }
}

/// What `body` returns, unless it takes too long: then it is cancelled.
private func waiting<Result: Sendable>(
  for what: String, within limit: Duration,
  _ body: @escaping @Sendable () async throws -> Result
) async throws -> Result {
  try await withThrowingTaskGroup(of: Result.self) { group in
    group.addTask { try await body() }
    group.addTask {
      try await Task.sleep(for: limit)
      throw WaitedInVain(what, for: limit)
    }
    defer { group.cancelAll() }
    guard let result = try await group.next() else { throw WaitedInVain(what, for: limit) }
    return result
  }
}
