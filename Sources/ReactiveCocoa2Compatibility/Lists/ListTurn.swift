internal import CVarveSystem
internal import Synchronization
internal import VarveReactive

/// Serializes the computation of a list's elements: one thread computes, and the others wait.
///
/// It is not a lock: client code runs while it is held, because a reader has to wait until the
/// element is available. It therefore knows its owner: computing an element from itself would never
/// end, so the program is stopped with a message.
class ListTurn {
  /// 0 while no thread computes; otherwise, an address on the stack of the computing thread, with
  /// the lowest bit set if other threads are sleeping.
  private let word = Atomic<UInt>(0)
  private static let hasSleepers: UInt = 1
  /// The queue of sleeping readers. Since they are rare, all lists share it.
  private static let sleepers = WaitQueue()

  /// The name of the list, for a message.
  var listName: String { "a list" }

  /// Waits until no thread computes, and begins to compute.
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

  /// Ends computing and lets other threads compute.
  final func end() {
    let inside = word.exchange(0, ordering: .releasing)
    if inside & Self.hasSleepers != 0 { Self.sleepers.wakeAll() }
  }

  /// Sleeps while another thread computes; may return early.
  private func sleep() {
    Self.sleepers.enter()
    if promiseToWake() { Self.sleepers.sleep() }
    Self.sleepers.leave()
  }

  /// Notes that a thread is sleeping. Returns false if no thread computes any more.
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
