internal import CVarveSystem

/// The senders that sleep because a serializer is busy; detects circular waits.
///
/// Only slow paths get here: a sender that has spun for a while, and a serializer that is waited
/// for.
enum WaitForGraph {
  /// A waiting thread: its stack, and the serializer it waits for.
  private struct Waiter {
    var stack: Range<UInt>
    var serializer: Serializer
    /// Returns false if the thread would continue when woken.
    var hasToWait: () -> Bool
  }

  private static let monitor = WaitQueue()
  // Safety: accessed only inside `monitor`.
  nonisolated(unsafe) private static var waiters: [UInt: Waiter] = [:]

  /// Sleeps until the serializer may have changed hands, if the caller has to wait at all. Stops
  /// the program when the wait is circular (contract E14), because no thread could then wake.
  ///
  /// - Parameters:
  ///   - inside: the serializer's word while the awaited thread is inside.
  ///   - hasToWait: evaluated while the graph is locked; a thread that makes it false calls
  ///     `callAll`.
  static func wait(
    for serializer: Serializer, whileInside inside: UInt, and hasToWait: @escaping () -> Bool
  ) {
    guard let thread = vv_thread_current() else { return }
    if thread.pointee.stack_high == 0 { vv_thread_find_stack(thread) }
    let stack = thread.pointee.stack_low..<thread.pointee.stack_high
    monitor.enter()
    guard serializer.promiseToCall(ifInside: inside), hasToWait() else {
      monitor.leave()
      return
    }
    waiters[stack.lowerBound] = Waiter(
      stack: stack, serializer: serializer, hasToWait: hasToWait)
    if let circle = circle(from: stack.lowerBound) {
      monitor.leave()
      RecursionReport.stop(circle: circle)
    }
    monitor.sleep()
    waiters[stack.lowerBound] = nil
    monitor.leave()
  }

  /// Wakes all waiting threads, each of which checks again; waits are rare and short.
  static func callAll() { monitor.wakeAll() }

  /// Returns the serializers of a circular wait that begins at a thread, or nil.
  ///
  /// A waiter whose serializer is owned by a frame on another waiter's stack waits for that waiter.
  /// The newest waiter closes the circle, so it is enough to follow the chain from there.
  private static func circle(from first: UInt) -> [Serializer]? {
    var serializers: [Serializer] = []
    var current = first
    while let waiter = waiters[current], serializers.count < waiters.count {
      serializers.append(waiter.serializer)
      let owner = waiter.serializer.ownerAddress
      guard owner != 0, waiter.hasToWait(),
        let next = waiters.first(where: { $0.value.stack.contains(owner) })
      else { return nil }
      if next.key == first { return serializers }
      current = next.key
    }
    return nil
  }
}
