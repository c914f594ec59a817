internal import CVarveSystem
internal import Synchronization
internal import VarveReactive

/// Lets one thread at a time compute a list's elements, and makes the others wait.
///
/// It is not a lock: the user's code runs while it is held, because a reader has to be blocked until
/// the element is there. So it must know who holds it: an element that is computed from itself could
/// never be computed, and the program is told so.
class ListTurn {
  /// 0 while nobody computes; else an address on the stack of the thread that does, and in the lowest
  /// bit whether somebody sleeps.
  private let word = Atomic<UInt>(0)
  private static let hasSleepers: UInt = 1
  /// Where readers sleep whose element another thread computes. They are rare, and share one place.
  private static let sleepers = WaitQueue()

  /// What the list is called, for a message.
  var listName: String { "a list" }

  /// Waits until nobody computes, and computes.
  final func begin() {
    let owner = vv_frame_address()
    while !word.compareExchange(
      expected: 0, desired: owner, successOrdering: .acquiring, failureOrdering: .relaxed
    ).exchanged {
      let holder = word.load(ordering: .relaxed) & ~Self.hasSleepers
      if holder != 0, vv_thread_owns(holder) { refuseRecursion() }
      if holder != 0 { sleep() }
    }
  }

  /// Lets others compute.
  final func end() {
    let inside = word.exchange(0, ordering: .releasing)
    if inside & Self.hasSleepers != 0 { Self.sleepers.wakeAll() }
  }

  /// Sleeps while somebody computes; may return early.
  private func sleep() {
    Self.sleepers.enter()
    if promiseToWake() { Self.sleepers.sleep() }
    Self.sleepers.leave()
  }

  /// Says that somebody sleeps; false when nobody computes any more.
  private func promiseToWake() -> Bool {
    let inside = word.load(ordering: .relaxed)
    if inside & Self.hasSleepers != 0 { return true }
    return inside != 0
      && word.compareExchange(
        expected: inside, desired: inside | Self.hasSleepers, ordering: .relaxed
      ).exchanged
  }

  private func refuseRecursion() -> Never {
    fatalError("Varve: an element of '\(listName)' is needed to compute itself")
  }
}
