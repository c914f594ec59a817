import Foundation

/// One source, any number of listeners, each with a stream of its own. All that changes is behind
/// the lock.
final class Broadcast<Element: Sendable>: @unchecked Sendable {
  private let lock = NSLock()
  private var latest: Element?
  private var nextListener = 0
  private var listeners: [Int: AsyncStream<Element>.Continuation] = [:]

  /// Begins with the latest element. Who is slow skips what is out of date.
  func stream() -> AsyncStream<Element> {
    let (stream, continuation) = AsyncStream.makeStream(
      of: Element.self, bufferingPolicy: .bufferingNewest(1))
    let id = lock.withLock {
      nextListener += 1
      listeners[nextListener] = continuation
      if let latest { continuation.yield(latest) }
      return nextListener
    }
    continuation.onTermination = { [weak self] _ in self?.remove(id) }
    return stream
  }

  func send(_ element: Element) {
    lock.withLock {
      latest = element
      for listener in listeners.values { listener.yield(element) }
    }
  }

  func finish() {
    // A listener that ends takes the lock itself.
    let all = lock.withLock { Array(listeners.values) }
    for listener in all { listener.finish() }
  }

  var count: Int { lock.withLock { listeners.count } }

  private func remove(_ id: Int) {
    lock.withLock { listeners[id] = nil }
  }
}
