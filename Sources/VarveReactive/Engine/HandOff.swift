/// The way of values from one serializer to a root that a scheduler serves: one scheduled action for
/// each event, and each action delivers the oldest value.
///
/// Values are put in by one thread at a time, in their order. They are taken out inside the root's
/// serializer, so that their order holds even on a scheduler that is not quite serial.
///
/// It does not hold the scheduler, which holds it in each action: one that is released with actions
/// that it will never run takes everything along.
final class HandOff<Value, Failure: Error>: HandOffAction, @unchecked Sendable {
  // Safety: immutable; the queue is emptied inside the root's serializer only.
  private let root: Root<Value, Failure>
  private let queue = HandOffQueue<Value>()
  private let feed: UInt64

  /// - Parameter feed: the subscription through which the values come.
  init(to root: Root<Value, Failure>, from feed: UInt64) {
    self.root = root
    self.feed = feed
  }

  /// Gives a value that is being delivered its place in the order; an action that lets it arrive
  /// has to be scheduled next.
  @inline(__always)
  func put(_ value: Value) { queue.put(value, cause: HeldCause.current) }

  /// Gives a value that was put aside its place in the order.
  func put(_ held: Held<Value>) { queue.put(held.value, cause: held.cause) }

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
      DeferredClosure(inside: { [self] in
        deliverAll()
        root.finish(termination)
      }))
  }

  /// Delivers all values that were put in, by a caller that is inside the root's serializer.
  func deliverAll() {
    while deliverOne() {}
  }

  /// Lets go of everything under way, after the root's end.
  func discard() {
    root.perform(
      DeferredClosure(inside: { [self] in
        let account = InputAccount(of: root.reference, from: feed)
        while queue.takeFirst({ account.swallow(from: $1, .ended) }) {}
      }))
  }

  override func deliverNext() {
    root.takeTurn(ifGoingOnFrom: feed) { _ = deliverOne() }
  }

  @inline(__always)
  private func deliverOne() -> Bool {
    queue.takeFirst { value, cause in
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
