internal import Synchronization
internal import VarveProbe

/// Where a signal multiplies: delivers each event to all who observe it. It runs inside the domain
/// of its root and has no lock.
final class FanOut<Value, Failure: Error>: Observer<Value, Failure> {
  let audience: Audience
  /// Whether values are kept for whoever comes later: then none is lost for want of observers. Written
  /// before anybody else knows the fan-out.
  @exclusivity(unchecked) final var keepsValues = false

  init(in domain: Domain, _ identity: StreamIdentity) {
    audience = Audience(in: domain, identity)
    super.init()
  }

  deinit { audience.senderWentAway() }

  override var isFanOut: Bool { true }

  override func receive(_ value: Value) {
    let loop = audience.loop
    // Most signals have one observer, and for that one a loop costs as much as a stage.
    guard loop.pointee == 1 else { return deliver(value, to: loop) }
    audience.remaining.store(1, ordering: .relaxed)
    Link.deliver(value, to: loop[1], Observer<Value, Failure>.self)
  }

  @inline(never)
  private func deliver(_ value: Value, to loop: UnsafePointer<UInt>) {
    var remaining = loop.pointee
    if remaining == 0, InputAccount.isKept { tellNobodyAttached() }
    var word = loop + 1
    while remaining > 0 {
      audience.remaining.store(remaining, ordering: .relaxed)
      Link.deliver(value, to: word.pointee, Observer<Value, Failure>.self)
      word += 1
      remaining -= 1
    }
  }

  private func tellNobodyAttached() {
    if !keepsValues { Records.absorbed(.identity(audience.identity), edge: 0, .nobodyAttached) }
  }

  override func terminate(_ termination: Termination<Failure>) {
    let domain = audience.domain
    if domain.endings.isDeepest { return domain.nestLater { [self] in terminate(termination) } }
    domain.nest { deliver(termination) }
  }

  private func deliver(_ termination: Termination<Failure>) {
    let ending = audience.end()
    for edge in ending.edges {
      guard let sink = ending.takeSink(of: edge) else { continue }
      unsafeDowncast(sink, to: Observer<Value, Failure>.self).terminate(termination)
      audience.tellEnd(of: edge, EndReason(termination))
    }
    audience.domain.performOnLeaving(ending)
  }

  override var hasEnough: Bool { audience.hasEnough }

  override var isUnheard: Bool { audience.edges.isEmpty }
  override var fedIdentity: StreamIdentity? { audience.identity }
  override var passesTo: AnyObserver? { audience.current }

  override func follow(_ gate: UInt32) { audience.follow(gate) }
}
