import Foundation

struct Dish: Sendable {
  let id: Int
  var name: String
  var isReady = false
}

@MainActor
final class Kitchen {
  private var listeners: [Int: AsyncStream<Int>.Continuation] = [:]
  private var nextListener = 0
  private(set) var orders = 0

  func finishedDishes() -> AsyncStream<Int> {
    let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
    let listener = nextListener
    nextListener += 1
    listeners[listener] = continuation
    continuation.onTermination = { [weak self] _ in
      Task { @MainActor in self?.listeners[listener] = nil }
    }
    return stream
  }

  func order() async throws {
    try await Task.sleep(for: .milliseconds(60))
    orders += 1
  }

  func finish(_ dish: Int) {
    for listener in listeners.values { listener.yield(dish) }
  }
}
