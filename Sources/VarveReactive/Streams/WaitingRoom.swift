internal import CVarveSystem

/// Where senders sleep who found a domain busy, and where circular waits are seen.
///
/// Only slow paths come here: a sender that spun for a while, and a domain that somebody waits for.
enum WaitingRoom {
  /// A thread that waits: whose stack it is, and for what.
  private struct Waiter {
    var stack: Range<UInt>
    var domain: Domain
    /// False when it would go on if it were woken.
    var hasToWait: () -> Bool
  }

  private static let place = SleepingPlace()
  // Safety: looked at and changed only inside `place`.
  nonisolated(unsafe) private static var waiters: [UInt: Waiter] = [:]

  /// Sleeps until the domain may have changed hands, if the caller has to wait at all. Stops the
  /// program when the wait is circular (contract E14): then nobody could ever wake.
  ///
  /// - Parameters:
  ///   - inside: the domain's word while the one is inside who is waited for.
  ///   - hasToWait: looked at while the room is locked; who makes it false calls all who wait.
  static func wait(
    for domain: Domain, whileInside inside: UInt, and hasToWait: @escaping () -> Bool
  ) {
    guard let thread = vv_thread_current() else { return }
    if thread.pointee.stack_high == 0 { vv_thread_find_stack(thread) }
    let stack = thread.pointee.stack_low..<thread.pointee.stack_high
    place.enter()
    guard domain.promiseToCall(ifInside: inside), hasToWait() else {
      place.leave()
      return
    }
    waiters[stack.lowerBound] = Waiter(
      stack: stack, domain: domain, hasToWait: hasToWait)
    if let circle = circle(from: stack.lowerBound) {
      place.leave()
      RecursionReport.stop(circle: circle)
    }
    place.sleep()
    waiters[stack.lowerBound] = nil
    place.leave()
  }

  /// Wakes those who wait. All who sleep look again: waits are rare and short.
  static func callAll() { place.wakeAll() }

  /// The domains of a circular wait that begins at a thread, or nil.
  ///
  /// A waiter whose domain is owned by a frame on another waiter's stack waits for that waiter. The
  /// newest waiter closes the circle, so it is enough to follow the chain from there.
  private static func circle(from first: UInt) -> [Domain]? {
    var domains: [Domain] = []
    var current = first
    while let waiter = waiters[current], domains.count < waiters.count {
      domains.append(waiter.domain)
      let owner = waiter.domain.ownerAddress
      guard owner != 0, waiter.hasToWait(),
        let next = waiters.first(where: { $0.value.stack.contains(owner) })
      else { return nil }
      if next.key == first { return domains }
      current = next.key
    }
    return nil
  }
}
