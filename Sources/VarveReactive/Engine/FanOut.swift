internal import Synchronization
internal import VarveProbe

/// The point where a signal multiplies: delivers each event to all of the signal's observers.
///
/// A fan-out runs inside the serializer of its root and has no lock.
final class FanOut<Value, Failure: Error>: Observer<Value, Failure> {
  let observers: ObserverList
  /// Whether values are kept for later observers, so that none is lost for lack of observers.
  // Safety: set before other code knows the fan-out.
  @exclusivity(unchecked) final var keepsValues = false

  init(in serializer: Serializer, _ identity: StreamIdentity) {
    observers = ObserverList(in: serializer, identity)
    super.init()
  }

  deinit { observers.senderWentAway() }

  override var isFanOut: Bool { true }

  override func receive(_ value: Value) {
    let loop = observers.loop
    // Most signals have one observer, and for a single observer a loop costs as much as a stage.
    guard loop.pointee == 1 else { return deliver(value, to: loop) }
    observers.remaining.store(1, ordering: .relaxed)
    Link.deliver(value, to: loop[1], Observer<Value, Failure>.self)
  }

  @inline(never)
  private func deliver(_ value: Value, to loop: UnsafePointer<UInt>) {
    var remaining = loop.pointee
    if remaining == 0, InputAccount.isKept { tellNobodyAttached() }
    var word = loop + 1
    while remaining > 0 {
      observers.remaining.store(remaining, ordering: .relaxed)
      Link.deliver(value, to: word.pointee, Observer<Value, Failure>.self)
      word += 1
      remaining -= 1
    }
  }

  private func tellNobodyAttached() {
    if !keepsValues {
      Records.absorbed(.identity(observers.identity), subscription: 0, .nobodyAttached)
    }
  }

  override func terminate(_ termination: Termination<Failure>) {
    let serializer = observers.serializer
    if serializer.endings.isDeepest {
      return serializer.nestLater { [self] in terminate(termination) }
    }
    serializer.nest { deliver(termination) }
  }

  private func deliver(_ termination: Termination<Failure>) {
    let ending = observers.end()
    for subscription in ending.subscriptions {
      guard let sink = ending.takeSink(of: subscription) else { continue }
      unsafeDowncast(sink, to: Observer<Value, Failure>.self).terminate(termination)
      observers.tellEnd(of: subscription, EndReason(termination))
    }
    observers.serializer.performOnLeaving(ending)
  }

  override var hasEnough: Bool { observers.hasEnough }

  override var isUnheard: Bool { observers.subscriptions.isEmpty }
  override var fedIdentity: StreamIdentity? { observers.identity }
  override var passesTo: AnyObserver? { observers.current }

  override func follow(_ gate: UInt32, others: inout [AnyObserver]) -> AnyObserver? {
    observers.follow(gate, others: &others)
  }
}
