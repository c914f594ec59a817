internal import Synchronization
internal import VarveProbe

/// Stands before the tap of a stream of which one value in so many is recorded. The others pass it
/// by; how many they were is recorded with the next one that is not.
final class SampledTap<Value, Failure: Error>: Observer<Value, Failure> {
  private let tap: Observer<Value, Failure>
  /// The observer that the tap delivers to: whoever put the taps in owns it.
  private let downstream: UInt
  private let stream: UInt32
  private let gate: UInt32
  private let oneIn: UInt32
  /// Values that passed by since the last one that was recorded. Inside the domain.
  private let passed: Atomic<UInt32>

  init(
    _ tap: Observer<Value, Failure>, delivering downstream: Observer<Value, Failure>,
    stream: UInt32, gate: UInt32, oneIn: UInt32
  ) {
    self.tap = tap
    self.downstream = Link.word(downstream)
    self.stream = stream
    self.gate = gate
    self.oneIn = oneIn
    // The first value is recorded: who looks for a stream should find it.
    passed = Atomic(UInt32.max)
  }

  override var recordedSession: UInt32 { gate >> 8 }

  override func receive(_ value: Value) {
    let passed = passed.load(ordering: .relaxed)
    guard passed == .max || passed + 1 >= oneIn else {
      self.passed.store(passed + 1, ordering: .relaxed)
      Link.deliver(value, to: downstream, Observer<Value, Failure>.self)
      return
    }
    tellPassed()
    tap.receive(value)
  }

  override func terminate(_ termination: Termination<Failure>) {
    tellPassed()
    tap.terminate(termination)
  }

  private func tellPassed() {
    let count = passed.exchange(0, ordering: .relaxed)
    guard count != 0, count != .max else { return }
    // What was recalled is the cause of the value that follows.
    Records.keepingRecalled {
      RecordHead(gate: gate, kind: .skipped, stream: stream, subscription: 0)
        .emit(.unsigned, word: UInt64(count), into: Records.writer)
    }
  }
}
