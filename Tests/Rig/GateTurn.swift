/// The gate is one for the whole process, and test suites run side by side: who opens it, or needs
/// it closed, takes a turn.
///
///     try await GateTurn.take { … }
///
/// Only turns exclude each other: while one opens the gate, streams of other tests are recorded too.
public enum GateTurn {
  private static let queue = TurnQueue()

  /// Runs `body` while no other turn is taken.
  public static func take<Result>(
    isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> sending Result
  ) async rethrows -> sending Result {
    await queue.enter()
    do {
      let result = try await body()
      await queue.leave()
      return result
    } catch {
      await queue.leave()
      throw error
    }
  }
}

/// Lets one through at a time, in the order of asking, without holding a thread.
private actor TurnQueue {
  private var isTaken = false
  private var waiting: [CheckedContinuation<Void, Never>] = []

  func enter() async {
    guard isTaken else {
      isTaken = true
      return
    }
    await withCheckedContinuation { waiting.append($0) }
  }

  func leave() {
    if waiting.isEmpty {
      isTaken = false
    } else {
      waiting.removeFirst().resume()
    }
  }
}
