/// The way of values from one domain to a root that a scheduler serves: one scheduled action for
/// each event, and each action delivers the oldest value.
///
/// Values are put in by one thread at a time, in their order. They are taken out inside the root's
/// domain, so that their order holds even on a scheduler that is not quite serial.
///
/// It does not hold the scheduler, which holds it in each action: one that is released with actions
/// that it will never run takes everything along.
final class Crossing<Value, Failure: Error>: Arrival, @unchecked Sendable {
  // Safety: immutable; the backlog is emptied inside the root's domain only.
  private let root: Root<Value, Failure>
  private let backlog = Backlog<Value>()
  private let feed: UInt64

  /// - Parameter feed: the edge through which the values come.
  init(to root: Root<Value, Failure>, from feed: UInt64) {
    self.root = root
    self.feed = feed
  }

  /// Gives a value that is being delivered its place in the order; an action that lets it arrive
  /// has to be scheduled next.
  @inline(__always)
  func put(_ value: Value) { backlog.put(value, cause: HeldCause.current) }

  /// Gives a value that was put aside its place in the order.
  func put(_ held: Held<Value>) { backlog.put(held.value, cause: held.cause) }

  /// Sends the end after all values that were put in, unless the root has ended by itself.
  func send(_ termination: Termination<Failure>, on scheduler: any Scheduler) {
    guard !root.isOver else { return }
    let last = LastChance(root)
    scheduler.hop { [self] in
      end(termination)
      withExtendedLifetime(last) {}
    }
  }

  /// Delivers all values that were put in, and the end.
  func end(_ termination: Termination<Failure>) {
    root.perform(
      ClosureErrand(inside: { [self] in
        deliverAll()
        root.finish(termination)
      }))
  }

  /// Delivers all values that were put in, by a caller that is inside the root's domain.
  func deliverAll() {
    while deliverOne() {}
  }

  /// Lets go of everything under way, after the root's end.
  func discard() {
    root.perform(
      ClosureErrand(inside: { [self] in
        let account = InputAccount(of: root.origin, from: feed)
        while backlog.takeFirst({ account.swallow(from: $1, .ended) }) {}
      }))
  }

  override func arrive() {
    root.takeTurn(ifGoingOnFrom: feed) { _ = deliverOne() }
  }

  @inline(__always)
  private func deliverOne() -> Bool {
    backlog.takeFirst { value, cause in
      HeldCause.recall(cause)
      root.deliver(value)
    }
  }
}

/// Held by the scheduled action that will end a root. When the action is released without having
/// run, because its scheduler has gone, the root is closed: nobody else could do that.
final class LastChance<Value, Failure: Error>: Sendable {
  let root: Root<Value, Failure>

  init(_ root: Root<Value, Failure>) { self.root = root }

  deinit { root.abandon() }
}
