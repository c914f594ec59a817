/// The path of values from one serializer to a root that a scheduler serves: one scheduled action
/// per event, each of which delivers the oldest value.
///
/// One thread at a time enqueues values, in order. They are dequeued inside the root's serializer,
/// so their order holds even on a scheduler that is not strictly serial.
///
/// A hand-off does not hold the scheduler; the scheduler holds the hand-off in each action. A
/// scheduler that is released with actions it will never run releases the hand-off along with them.
final class HandOff<Value, Failure: Error>: HandOffAction, @unchecked Sendable {
  // Safety: immutable; the queue is emptied only inside the root's serializer.
  private let root: Root<Value, Failure>
  private let queue = HandOffQueue<Value>()
  private let feed: UInt64

  /// - Parameter feed: the subscription through which the values come.
  init(to root: Root<Value, Failure>, from feed: UInt64) {
    self.root = root
    self.feed = feed
  }

  /// Enqueues a value that is being delivered. The caller must then schedule an action to deliver
  /// it.
  @inline(__always)
  func put(_ value: Value) { queue.put(value, cause: HeldCause.current) }

  /// Enqueues a value that was put aside.
  func put(_ held: Held<Value>) { queue.put(held.value, cause: held.cause) }

  /// Sends the end after all enqueued values, unless the root has already ended.
  func send(_ termination: Termination<Failure>, on scheduler: any Scheduler) {
    guard !root.isOver else { return }
    let last = LastChance(root)
    scheduler.hop { [self] in
      end(termination)
      withExtendedLifetime(last) {}
    }
  }

  /// Delivers all enqueued values, then the end.
  func end(_ termination: Termination<Failure>) {
    root.perform(
      DeferredClosure(inside: { [self] in
        deliverAll()
        root.finish(termination)
      }))
  }

  /// Delivers all enqueued values. The caller must be inside the root's serializer.
  func deliverAll() {
    while deliverOne() {}
  }

  /// Discards all values in transit, after the root's end.
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

/// Closes a root if the scheduled action that would end it never runs.
///
/// That action holds this object. If the action is released without having run, because its
/// scheduler is gone, nothing else could close the root.
final class LastChance<Value, Failure: Error>: Sendable {
  let root: Root<Value, Failure>

  init(_ root: Root<Value, Failure>) { self.root = root }

  deinit { root.abandon() }
}
