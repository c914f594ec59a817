internal import VarveProbe

/// Stands behind the tap of a stream into which the program's own code sends, or on whose events it
/// decides, while the senders are recorded, and writes a record about that code after each event's
/// record.
final class SenderTap<Value, Failure: Error>: Observer<Value, Failure> {
  /// The observer; the code that inserted the taps owns it.
  private let downstream: UInt
  private let stream: UInt32
  private let gate: UInt32
  /// Unowned, as the tap's own reference is.
  private let serializer: Unmanaged<Serializer>

  init(
    _ stream: UInt32, in serializer: Serializer, delivering downstream: Observer<Value, Failure>,
    gate: UInt32
  ) {
    self.serializer = .passUnretained(serializer)
    self.stream = stream
    self.downstream = Link.word(downstream)
    self.gate = gate
  }

  private var observer: AnyObserver { Link.observer(at: downstream) }

  override var isFanOut: Bool { observer.isFanOut }
  override var feed: UInt64 { observer.feed }

  private func noteSender() {
    let decider = serializer._withUnsafeGuaranteedRef(\.decider)
    if decider != 0 { Records.sent(stream, by: decider, gate: gate) }
  }

  override func receive(_ value: Value) {
    noteSender()
    Link.deliver(value, to: downstream, Observer<Value, Failure>.self)
  }

  override func terminate(_ termination: Termination<Failure>) {
    noteSender()
    Link.deliver(termination, to: downstream, Observer<Value, Failure>.self)
  }
}
