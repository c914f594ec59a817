internal import Synchronization
internal import VarveProbe

/// Stands in front of the tap of a stream of which one value in `oneIn` is recorded. The others
/// bypass the tap; their number is recorded with the next value that does not.
final class SampledTap<Value, Failure: Error>: Observer<Value, Failure>, Withholder {
  private let tap: Observer<Value, Failure>
  /// The observer that the tap delivers to; the code that inserted the taps owns it.
  private let downstream: UInt
  private let stream: UInt32
  private let gate: UInt32
  private let oneIn: UInt64
  /// The number of values that have bypassed the tap, and the number that may before one is
  /// recorded. Written inside the serializer. Both begin at 0, so that a search for the stream
  /// finds its first value.
  private let passed = Atomic<UInt64>(0)
  private let due = Atomic<UInt64>(0)
  /// The number of bypassing values that the trace knows of. The thread that advances it records
  /// the difference, so each value is counted once, even if recording ends while values pass.
  private let told = Atomic<UInt64>(0)

  init(
    _ tap: Observer<Value, Failure>, delivering downstream: Observer<Value, Failure>,
    stream: UInt32, gate: UInt32, oneIn: UInt32
  ) {
    self.tap = tap
    self.downstream = Link.word(downstream)
    self.stream = stream
    self.gate = gate
    self.oneIn = UInt64(oneIn)
    super.init()
    Probe.add(self)
  }

  deinit {
    Probe.removeWithholder(ObjectIdentifier(self))
    tellRest()
  }

  override var recordedSession: UInt32 { gate >> 8 }

  override func receive(_ value: Value) {
    let passed = passed.load(ordering: .relaxed)
    guard passed >= due.load(ordering: .relaxed) else {
      self.passed.store(passed + 1, ordering: .releasing)
      Link.deliver(value, to: downstream, Observer<Value, Failure>.self)
      return
    }
    due.store(passed + oneIn - 1, ordering: .relaxed)
    tellRest()
    tap.receive(value)
  }

  override func terminate(_ termination: Termination<Failure>) {
    tellRest()
    tap.terminate(termination)
  }

  func tellRest() {
    let count = passed.load(ordering: .acquiring)
    var known = told.load(ordering: .relaxed)
    while known < count {
      let outcome = told.compareExchange(
        expected: known, desired: count, ordering: .acquiringAndReleasing)
      if outcome.exchanged { return tell(passed: count - known) }
      known = outcome.original
    }
  }

  private func tell(passed count: UInt64) {
    // Recalled causes belong to the value that follows.
    Records.keepingRecalled {
      RecordHead(gate: gate, kind: .skipped, stream: stream, subscription: 0)
        .emit(.unsigned, word: count, into: Records.writer)
    }
  }
}
