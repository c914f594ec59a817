internal import CVarveSystem

/// Where senders sleep who found a serializer busy, and where circular waits are seen.
///
/// Only slow paths come here: a sender that spun for a while, and a serializer that somebody waits
/// for.
enum WaitForGraph {
  /// A thread that waits: whose stack it is, and for what.
  private struct Waiter {
    var stack: Range<UInt>
    var serializer: Serializer
    /// False when it would go on if it were woken.
    var hasToWait: () -> Bool
  }

  private static let monitor = WaitQueue()
  // Safety: looked at and changed only inside `monitor`.
  nonisolated(unsafe) private static var waiters: [UInt: Waiter] = [:]

  /// Sleeps until the serializer may have changed hands, if the caller has to wait at all. Stops the
  /// program when the wait is circular (contract E14): then nobody could ever wake.
  ///
  /// - Parameters:
  ///   - inside: the serializer's word while the one is inside who is waited for.
  ///   - hasToWait: looked at while the graph is locked; who makes it false calls all who wait.
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

  /// Wakes those who wait. All who sleep look again: waits are rare and short.
  static func callAll() { monitor.wakeAll() }

  /// The serializers of a circular wait that begins at a thread, or nil.
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
