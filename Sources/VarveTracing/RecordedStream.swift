internal import CVarveSystem
internal import Synchronization
internal import VarveProbe

/// A stream as the trace knows it: its number and its definition, and what the current recording
/// wants of it.
///
/// Nothing is looked up and no lock is taken while no recording is running.
final class RecordedStream: Sendable {
  let id = vv_stream_number()
  private let definition: StreamDefinition
  private let valueType: any Any.Type
  private let state = Lock(State())
  /// The tick of the last record: a record of another thread comes after it.
  private let lastTick = Atomic<UInt64>(0)

  private struct State {
    /// The gate's word that the rest is valid for.
    var gate: UInt32 = 0
    /// The recording in which the stream was last defined.
    var session: UInt32 = 0
    var wanted: Wanted?
    /// The number of values left out since the last one recorded, of a stream that is sampled.
    var leftOut: UInt64 = 0
    /// The number of values still to be left out before the next one is recorded.
    var toLeaveOut: UInt32 = 0
  }

  /// What the current recording wants of the stream.
  struct Wanted: Sendable {
    let gate: UInt32
    let form: PayloadForm
    let wish: Wish
    let oneIn: UInt32
  }

  init(
    _ name: String, operation: String, parents: [UInt32] = [], place: Place?,
    valueType: any Any.Type, traits: StreamTraits, absorbs: AbsorptionReason? = nil
  ) {
    self.valueType = valueType
    definition = StreamDefinition(
      id: id, name: name, derivation: place.map { "\(operation)@\($0)" } ?? operation,
      operation: operation, parents: parents, place: place,
      valueType: TypeNames.qualified(valueType), born: vv_clock_ticks(), absorbs: absorbs,
      traits: traits)
  }

  /// Returns what the current recording wants of the stream, after defining the stream for it; nil
  /// if no recording is running, or if it does not want the stream.
  var wanted: Wanted? {
    let gate = Gate.word
    return gate == 0 ? nil : wanted(by: gate)
  }

  private func wanted(by gate: UInt32) -> Wanted? {
    let (known, isNew) = state.withLock { state in
      if state.gate != gate { judge(&state, for: gate) }
      return (state.wanted, state.wanted != nil && state.session != gate >> 8)
    }
    guard isNew else { return known }
    // Two threads may define it at the same time, which does no harm.
    Probe.receiver?.define(definition)
    state.withLock { $0.session = gate >> 8 }
    return known
  }

  private func judge(_ state: inout State, for gate: UInt32) {
    state.gate = gate
    state.leftOut = 0
    state.toLeaveOut = 0
    let verdict = Probe.verdict(on: definition.name)
    let wish = verdict.wish(within: Wish(gate: gate))
    state.wanted =
      verdict.isWanted
      ? Wanted(
        gate: gate, form: PayloadForm(of: valueType, wish: wish), wish: wish, oneIn: verdict.oneIn)
      : nil
  }

  // MARK: - Records

  /// Returns whether the next value is to be recorded, and records how many were left out before
  /// it.
  func takesNext(_ wanted: Wanted) -> Bool {
    guard wanted.oneIn > 1 else { return true }
    let told: UInt64? = state.withLock { state in
      guard state.toLeaveOut == 0 else {
        state.toLeaveOut -= 1
        state.leftOut += 1
        return nil
      }
      state.toLeaveOut = wanted.oneIn - 1
      defer { state.leftOut = 0 }
      return state.leftOut
    }
    guard let told else { return false }
    tell(leftOut: told, wanted)
    return true
  }

  /// Records how many values were left out since the last one that was recorded.
  func tellRest(_ wanted: Wanted) {
    guard wanted.oneIn > 1 else { return }
    let told = state.withLock { state in
      defer { state.leftOut = 0 }
      return state.leftOut
    }
    tell(leftOut: told, wanted)
  }

  private func tell(leftOut: UInt64, _ wanted: Wanted) {
    guard leftOut > 0 else { return }
    record(.skipped, wanted) { $0.emit(.unsigned, word: leftOut, into: $1) }
  }

  /// Writes one record with `emit`, caused by its origin or, if that is unknown, by what the calling
  /// thread delivers or what its task last received. Returns the record's reference; 0 if it is
  /// lost.
  @discardableResult
  func record(
    _ kind: RecordKind, _ wanted: Wanted, subscription: UInt64 = 0, origin: Origin = Origin(),
    _ emit: (RecordHead, UnsafeMutablePointer<vv_writer>) -> Bool
  ) -> UInt64 {
    let writer = TraceRecords.writer
    TraceRecords.nameCause(origin.record)
    let head = RecordHead(
      gate: wanted.gate, kind: kind, stream: id, subscription: subscription,
      floor: max(lastTick.load(ordering: .relaxed), origin.tick))
    let isEmitted = emit(head, writer)
    // A cause that a lost record did not take belongs to no other record.
    vv_cause_drop_far(writer)
    guard isEmitted else { return 0 }
    lastTick.store(writer.pointee.last, ordering: .relaxed)
    return vv_reference(writer.pointee.ring_id, writer.pointee.sequence)
  }
}

extension RecordedStream {
  /// Records who sent the event that was recorded last, which has to be its neighbor.
  func tellSender(of event: UInt64, _ wanted: Wanted) {
    let writer = TraceRecords.writer
    guard event != 0, wanted.wish.contains(.senders),
      event == vv_reference(writer.pointee.ring_id, writer.pointee.sequence)
    else { return }
    let thread = vv_thread_current()!
    let payload = HopPayload(
      stack: TraceRecords.stack(.senders, wanted), parent: thread.pointee.hop)
    TraceRecords.deliver(event) {
      _ = RecordHead(gate: wanted.gate, kind: .sent, stream: id, subscription: 0)
        .emit(.cause, word: payload.word, into: writer)
    }
  }
}
