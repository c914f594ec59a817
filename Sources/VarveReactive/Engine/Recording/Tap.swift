internal import CVarveSystem
internal import VarveProbe

/// Stands in front of the observer that a stream delivers to while a recording is running, and
/// writes one record per delivery.
///
/// The sender that finds the gate changed inserts and removes taps, inside its serializer. So
/// operators know nothing of recording, and pay nothing while there is none.
class Tap<Value, Failure: Error>: Observer<Value, Failure> {
  /// The observer, as `Link` holds it; the code that inserted the tap owns both.
  private final let downstream: UInt
  /// What stands in front of it, if senders are recorded.
  private final let senders: SenderTap<Value, Failure>?
  /// The serializer whose root this tap stands behind: it orders the records of different threads,
  /// and knows the subscription through which a value came. Unowned, because the tap is released
  /// before the serializer.
  private final let serializer: Unmanaged<Serializer>?
  private final let identity: StreamIdentity
  private final let stream: UInt32
  private final let gate: UInt32
  /// The recorder's wishes for the stream's values.
  private final let wish: Wish
  private final let form: PayloadForm
  /// The subscription that feeds the stream, for a tap that stands behind a stage.
  private final let subscription: UInt64

  /// - Parameter form: the form in which a value is written.
  required init(
    _ identity: StreamIdentity, _ form: PayloadForm, subscription: UInt64,
    in serializer: Serializer?,
    delivering downstream: Observer<Value, Failure>, gate: UInt32
  ) {
    self.identity = identity
    self.serializer = serializer.map { Unmanaged.passUnretained($0) }
    if let serializer, serializer.isSentInto || serializer.decider != nil,
      Wish(gate: gate).contains(.senders)
    {
      senders = SenderTap(identity.id, in: serializer, delivering: downstream, gate: gate)
    } else {
      senders = nil
    }
    self.downstream = Link.word(senders ?? downstream)
    self.gate = gate
    self.subscription = subscription
    stream = identity.id
    self.form = form
    wish = identity.verdict(for: gate).wish(within: Wish(gate: gate))
  }

  override final var recordedSession: UInt32 { gate >> 8 }

  override func receive(_ value: Value) {
    pass(value) { head, writer in head.emit(value, as: form, into: writer) }
  }

  /// Delivers a value after `emit` has written its record, then restores the outer cause.
  @inline(__always)
  final func pass(
    _ value: Value, _ emit: (RecordHead, UnsafeMutablePointer<vv_writer>) -> Bool
  ) {
    let writer = Records.writer
    if writer.pointee.cause == 0 { Records.nameAwaited() }
    let isEmitted = emit(head(.value), writer)
    let outerCause = Self.deliverFrom(writer, isEmitted)
    let recorded = writer.pointee.sequence
    Link.deliver(value, to: downstream, Observer<Value, Failure>.self)
    // Causes recalled for a stream that is not recorded belong to no later record.
    vv_cause_drop_far(writer)
    Self.returnTo(outerCause, from: recorded, writer)
    serializer?._withUnsafeGuaranteedRef {
      $0.lastTick.store(writer.pointee.last, ordering: .relaxed)
    }
  }

  override final func terminate(_ termination: Termination<Failure>) {
    let writer = Records.writer
    if writer.pointee.cause == 0 { Records.nameAwaited() }
    let isEmitted = tell(termination, writer)
    let outerCause = Self.deliverFrom(writer, isEmitted)
    let recorded = writer.pointee.sequence
    Link.deliver(termination, to: downstream, Observer<Value, Failure>.self)
    vv_cause_drop_far(writer)
    if !observer.isFanOut {
      Records.ended(identity, subscription: observer.feed, EndReason(termination), gate: gate)
    }
    Self.returnTo(outerCause, from: recorded, writer)
    serializer?._withUnsafeGuaranteedRef {
      $0.lastTick.store(writer.pointee.last, ordering: .relaxed)
    }
  }

  /// Makes the record that was just written, if any, the cause of what follows. Returns the
  /// previous cause, in the ring that the record went into: it may be the first record of a
  /// recording.
  @inline(__always)
  private static func deliverFrom(
    _ writer: UnsafeMutablePointer<vv_writer>, _ isEmitted: Bool
  ) -> UInt64 {
    let outerCause = writer.pointee.cause
    if isEmitted { writer.pointee.cause = writer.pointee.sequence }
    return outerCause
  }

  /// Makes `outerCause` the cause of what follows again, unless another recording has begun
  /// meanwhile: the cause is no record of that one.
  @inline(__always)
  private static func returnTo(
    _ outerCause: UInt64, from recorded: UInt64, _ writer: UnsafeMutablePointer<vv_writer>
  ) {
    if writer.pointee.cause == recorded { writer.pointee.cause = outerCause }
  }

  private final var observer: AnyObserver { Link.observer(at: downstream) }

  @inline(__always)
  private final func head(_ kind: RecordKind) -> RecordHead {
    guard let serializer else {
      return RecordHead(gate: gate, kind: kind, stream: stream, subscription: subscription)
    }
    return serializer._withUnsafeGuaranteedRef {
      RecordHead(
        gate: gate, kind: kind, stream: stream,
        subscription: $0.feed.load(ordering: .relaxed),
        floor: $0.lastTick.load(ordering: .relaxed))
    }
  }

  private final func tell(
    _ termination: Termination<Failure>, _ writer: UnsafeMutablePointer<vv_writer>
  ) -> Bool {
    switch termination {
    case .completed: head(.completed).emit(.absent, into: writer)
    case .interrupted: head(.interrupted).emit(.absent, into: writer)
    case .failed(let failure):
      head(.failed).emit(
        failure, as: PayloadForm(of: Failure.self, wish: wish), into: writer)
    }
  }
}

extension Tap {
  /// Creates a tap in front of `downstream`; nil if no recorder wants the stream.
  ///
  /// - Parameters:
  ///   - feed: the subscription that feeds the stream; nil if the root itself knows.
  ///   - serializer: the serializer, if the tap stands behind its root.
  ///   - earlier: the tap that stood there before.
  static func make(
    for reference: StreamReference, feed: UInt64?, in serializer: Serializer?,
    delivering downstream: Observer<Value, Failure>, gate: UInt32,
    after earlier: Observer<Value, Failure>?
  ) -> Observer<Value, Failure>? {
    guard gate != 0 else { return nil }
    let identity = reference.identity
    let verdict = identity.verdict(for: gate)
    guard verdict.isWanted else { return nil }
    identity.define(for: gate)
    if !downstream.isFanOut, earlier?.recordedSession != gate >> 8 {
      Records.subscribed(
        identity, subscription: downstream.feed, fed: downstream.fedStream,
        stack: downstream.startedBy,
        gate: gate)
    }
    let wish = verdict.wish(within: Wish(gate: gate))
    let form = PayloadForm(of: Value.self, wish: wish)
    let tap = kind(for: form).init(
      identity, form, subscription: feed ?? 0, in: serializer, delivering: downstream, gate: gate)
    guard verdict.oneIn > 1 else { return tap }
    return SampledTap(
      tap, delivering: downstream, stream: identity.id, gate: gate, oneIn: verdict.oneIn)
  }

  /// Returns the tap that knows the type of the values, if there is one.
  private static func kind(for form: PayloadForm) -> Tap.Type {
    switch form {
    case .integer: IntegerTap<Failure>.self as? Tap.Type ?? Tap.self
    case .real: RealTap<Failure>.self as? Tap.Type ?? Tap.self
    case .string: TextTap<Failure>.self as? Tap.Type ?? Tap.self
    default: Tap.self
    }
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
