internal import VarveProbe

/// Stands behind the tap of a stream into which the program's own code sends, while the senders are
/// recorded, and writes a record about the sender after each event's record.
final class SenderTap<Value, Failure: Error>: Observer<Value, Failure> {
  /// The observer; the code that inserted the taps owns it.
  private let downstream: UInt
  private let stream: UInt32
  private let gate: UInt32

  init(_ stream: UInt32, delivering downstream: Observer<Value, Failure>, gate: UInt32) {
    self.stream = stream
    self.downstream = Link.word(downstream)
    self.gate = gate
  }

  private var observer: AnyObserver { Link.observer(at: downstream) }

  override var isFanOut: Bool { observer.isFanOut }
  override var feed: UInt64 { observer.feed }

  override func receive(_ value: Value) {
    Records.sent(stream, gate: gate)
    Link.deliver(value, to: downstream, Observer<Value, Failure>.self)
  }

  override func terminate(_ termination: Termination<Failure>) {
    Records.sent(stream, gate: gate)
    Link.deliver(termination, to: downstream, Observer<Value, Failure>.self)
  }
}
