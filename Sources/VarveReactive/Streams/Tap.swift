internal import CVarveSystem
internal import VarveProbe

/// Stands in front of the observer that a stream delivers to while somebody records, and writes one
/// record for each delivery.
///
/// Taps are put in and taken out by the sender that finds the gate changed, inside its domain. So
/// operators know nothing of recording, and pay nothing while there is none.
final class Tap<Value, Failure: Error>: Observer<Value, Failure> {
  private unowned(unsafe) let downstream: Observer<Value, Failure>
  /// The domain whose root this tap stands behind: it orders the records of different threads.
  private unowned(unsafe) let domain: Domain?
  private let identity: StreamIdentity
  private let gate: UInt32
  private let form: PayloadForm
  private let subscription: UInt64
  private let tellsAbsorption: Bool

  fileprivate init(
    _ identity: StreamIdentity, subscription: UInt64, in domain: Domain?,
    delivering downstream: Observer<Value, Failure>, gate: UInt32
  ) {
    self.identity = identity
    self.domain = domain
    self.downstream = downstream
    self.gate = gate
    self.subscription = subscription
    form = PayloadForm(of: Value.self, wish: Wish(gate: gate))
    tellsAbsorption = Wish(gate: gate).contains(.absorption)
  }

  override func receive(_ value: Value) {
    guard let writer = Records.writer else { return downstream.receive(value) }
    let outerCause = writer.pointee.cause
    if head(.value).emit(value, as: form, into: writer) {
      writer.pointee.cause = writer.pointee.sequence
    }
    let recorded = writer.pointee.sequence
    downstream.receive(value)
    if tellsAbsorption, writer.pointee.sequence == recorded { tellAbsorption(writer) }
    writer.pointee.cause = outerCause
    domain?.lastTick.store(writer.pointee.last, ordering: .relaxed)
  }

  override func terminate(_ termination: Termination<Failure>) {
    guard let writer = Records.writer else { return downstream.terminate(termination) }
    let outerCause = writer.pointee.cause
    if tell(termination, writer) { writer.pointee.cause = writer.pointee.sequence }
    downstream.terminate(termination)
    if !downstream.isFanOut {
      Records.ended(identity, edge: downstream.feed, EndReason(termination), gate: gate)
    }
    writer.pointee.cause = outerCause
    domain?.lastTick.store(writer.pointee.last, ordering: .relaxed)
  }

  private func head(_ kind: RecordKind) -> RecordHead {
    RecordHead(
      gate: gate, kind: kind, stream: identity.id, subscription: currentSubscription,
      floor: domain?.lastTick.load(ordering: .relaxed) ?? 0)
  }

  /// A root with several inputs notes through which edge the value came.
  private var currentSubscription: UInt64 {
    guard let root = domain as? Root<Value, Failure>, subscription == 0 else { return subscription }
    return root.feed.load(ordering: .relaxed)
  }

  private func tell(
    _ termination: Termination<Failure>, _ writer: UnsafeMutablePointer<vv_writer>
  ) -> Bool {
    switch termination {
    case .completed: head(.completed).emit(.absent, into: writer)
    case .interrupted: head(.interrupted).emit(.absent, into: writer)
    case .failed(let failure):
      head(.failed).emit(
        failure, as: PayloadForm(of: Failure.self, wish: Wish(gate: gate)), into: writer)
    }
  }

  /// The tap before a stage fired and no tap after it did: the stage swallowed the value.
  private func tellAbsorption(_ writer: UnsafeMutablePointer<vv_writer>) {
    guard let (stream, reason) = downstream.absorption else { return }
    RecordHead(gate: gate, kind: .absorbed, stream: stream, subscription: downstream.feed)
      .emit(.reason, word: UInt64(reason.rawValue), into: writer)
  }
}

extension Tap {
  /// A tap in front of `downstream`, or nil when nobody wants to hear of the stream.
  ///
  /// - Parameters:
  ///   - feed: the edge that feeds the stream; nil when the root itself knows.
  ///   - domain: the domain, when the tap stands behind its root.
  static func make(
    for origin: Origin, feed: UInt64?, in domain: Domain?,
    delivering downstream: Observer<Value, Failure>, gate: UInt32
  ) -> Observer<Value, Failure>? {
    guard gate != 0 else { return nil }
    let identity = origin.identity
    guard identity.isWanted(by: gate) else { return nil }
    identity.define(for: gate)
    if !downstream.isFanOut {
      Records.subscribed(identity, edge: downstream.feed, fed: downstream.fedStream, gate: gate)
    }
    return Tap(identity, subscription: feed ?? 0, in: domain, delivering: downstream, gate: gate)
  }
}

extension EndReason {
  init<Failure: Error>(_ termination: Termination<Failure>) {
    switch termination {
    case .failed: self = .failed
    case .completed: self = .completed
    case .interrupted: self = .interrupted
    }
  }
}
