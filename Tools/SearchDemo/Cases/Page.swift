import Synchronization

/// A page on the screen.
final class Page: Sendable {
  private static let living = Atomic<Int>(0)

  let number: Int

  init(number: Int) {
    self.number = number
    Page.living.add(1, ordering: .relaxed)
  }

  deinit { Page.living.subtract(1, ordering: .relaxed) }

  /// How many there are.
  static var alive: Int { living.load(ordering: .relaxed) }

  func paint(_ paper: String) {}
}
