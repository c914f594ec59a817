import Synchronization

/// A number that counts down.
final class Counter: Sendable {
  private let number: Atomic<Int>

  init(_ number: Int) { self.number = Atomic(number) }

  /// One less, and the number that it is now.
  func countDown() -> Int { number.subtract(1, ordering: .acquiringAndReleasing).newValue }
}
