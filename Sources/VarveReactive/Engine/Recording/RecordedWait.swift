internal import CVarveSystem
internal import VarveProbe

/// A wait of the calling thread, as a recording shows it. Only used once the thread does have to
/// wait.
struct RecordedWait {
  private var reason = WaitReason.outcome
  private var stream: UInt32 = 0
  /// The record of the wait's beginning, and the session that knows it; 0 if there is none.
  private var began: UInt64 = 0
  private var session: UInt32 = 0

  /// Records that the wait begins, unless it has begun or no recording is running.
  ///
  /// - Parameter stream: the stream that is waited for, if it is known.
  mutating func begin(_ reason: WaitReason, for stream: @autoclosure () -> StreamIdentity?) {
    let gate = Gate.word
    guard began == 0, gate != 0 else { return }
    if let stream = stream(), stream.isWanted(by: gate) {
      stream.define(for: gate)
      self.stream = stream.id
    }
    self.reason = reason
    // Recalled causes belong to the value for which the thread waits to be let in.
    Records.keepingRecalled {
      guard emit(.waitBegan, stack: Stacks.current(for: gate), gate: gate) else { return }
      let writer = Records.writer
      began = vv_reference(writer.pointee.ring_id, writer.pointee.sequence)
      session = gate >> 8
    }
  }

  /// Records that the wait is over, if the recording knows that it began.
  func end() {
    let gate = Gate.word
    guard began != 0, gate >> 8 == session else { return }
    Records.keepingRecalled {
      let writer = Records.writer
      let outer = writer.pointee.cause
      writer.pointee.cause = 0
      vv_cause_add_far(writer, began)
      emit(.waitEnded, stack: 0, gate: gate)
      writer.pointee.cause = outer
    }
  }

  @discardableResult
  private func emit(_ kind: RecordKind, stack: UInt32, gate: UInt32) -> Bool {
    RecordHead(gate: gate, kind: kind, stream: stream, subscription: 0)
      .emit(
        .reason, word: ReasonPayload(reason: reason.rawValue, stack: stack).word,
        into: Records.writer)
  }
}
