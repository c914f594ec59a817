public import VarveReactive

/// Waits until `condition` holds, for the effects of other threads that a test cannot control with
/// virtual time.
///
///     try await expectEventually { cache.isWarm }
///
/// It waits no longer than `limit`. This only bounds tests that fail; tests that pass wait no
/// longer than necessary.
///
/// - Throws: `WaitedInVain` if the condition did not hold in time, or the error that the condition
///   throws.
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

/// An error that something has not happened in time.
public struct WaitedInVain: Error, Hashable, CustomStringConvertible {
  /// The awaited event and the time limit.
  public let description: String

  init(_ what: String, for limit: Duration) {
    description = "waited \(limit) for \(what) in vain"
  }
}

extension SignalProducer where Value: Sendable {
  /// Starts the work and waits for its first value, without blocking a thread: the successor of
  /// ReactiveCocoa 2's `-asynchronousFirstOrDefault:success:error:`.
  ///
  /// - Returns: the first value; nil if the work ends without one.
  /// - Throws: the failure, or `WaitedInVain` if there was no event in time. The work is then
  ///   disposed of.
  public func asynchronousFirst(within limit: Duration = .seconds(10)) async throws -> Value? {
    try await waiting(for: "a value of '\(self)'", within: limit) { try await first() }
  }

  /// Starts the work and waits for its end, without blocking a thread: the successor of ReactiveCocoa
  /// 2's `-asynchronouslyWaitUntilCompleted:`.
  ///
  /// - Throws: the failure, or `WaitedInVain` if the work has not ended in time. The work is then
  ///   disposed of.
  public func asynchronouslyWaitUntilCompleted(
    within limit: Duration = .seconds(10)
  ) async throws {
    _ = try await waiting(for: "the end of '\(self)'", within: limit) {
      try await ignoreValues().first()
    }
  }
}

/// Returns the result of `body`, which is cancelled if it takes too long.
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
