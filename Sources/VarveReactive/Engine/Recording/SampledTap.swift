internal import Synchronization
internal import VarveProbe

/// Stands before the tap of a stream of which one value in so many is recorded. The others pass it
/// by; how many they were is recorded with the next one that is not.
final class SampledTap<Value, Failure: Error>: Observer<Value, Failure>, Withholder {
  private let tap: Observer<Value, Failure>
  /// The observer that the tap delivers to: whoever put the taps in owns it.
  private let downstream: UInt
  private let stream: UInt32
  private let gate: UInt32
  private let oneIn: UInt64
  /// Values that passed by so far, and how many may before one is recorded. Written inside the
  /// serializer; none at first: who looks for a
  /// stream should find it.
  private let passed = Atomic<UInt64>(0)
  private let due = Atomic<UInt64>(0)
  /// Of those that passed by, the ones that the trace knows of. Whoever advances it tells of the
  /// difference: so each is told once, also when recording ends while values pass by.
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
    // What was recalled is the cause of the value that follows.
    Records.keepingRecalled {
      RecordHead(gate: gate, kind: .skipped, stream: stream, subscription: 0)
        .emit(.unsigned, word: count, into: Records.writer)
    }
  }
}
