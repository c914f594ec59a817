internal import CVarveSystem
internal import VarveProbe

/// What all records of this module have in common: the calling thread's writer, causes and stacks.
enum TraceRecords {
  /// The calling thread's writer, which is the first field of its slot.
  static var writer: UnsafeMutablePointer<vv_writer> {
    UnsafeMutableRawPointer(vv_thread_current()).assumingMemoryBound(to: vv_writer.self)
  }

  /// Lets the calling thread's next record name `cause`, if the current recording knows it, or else
  /// what the thread's task last received. A delivery in progress on the thread is the nearer cause
  /// and needs no name.
  static func nameCause(_ cause: UInt64) {
    let writer = writer
    vv_cause_drop_far(writer)
    if cause != 0 {
      if vv_reference_is_known(cause) != 0 { vv_cause_add_far(writer, cause) }
    } else if writer.pointee.cause == 0, vv_tasks_are_noted() {
      vv_cause_add_far(writer, vv_task_cause())
    }
  }

  /// What the current task last received; 0 if nothing.
  static var awaited: UInt64 { vv_tasks_are_noted() ? vv_task_cause() : 0 }

  /// Notes what the current task received: it causes what the task does next, until it receives
  /// something else.
  static func noteAwaited(_ cause: UInt64) { vv_task_note_cause(cause) }

  /// Returns the number of the calling code's stack, after defining it for the recording; 0 if the
  /// recording does not want it.
  static func stack(_ part: Wish, _ wanted: RecordedStream.Wanted) -> UInt32 {
    guard wanted.wish.contains(part) else { return 0 }
    let stack = vv_stack_capture()
    guard let kept = vv_stack_find(stack) else { return 0 }
    if !vv_stack_is_defined(kept, wanted.gate >> 8) {
      Probe.receiver?.define(stack: stack)
      vv_stack_mark_defined(kept, wanted.gate >> 8)
    }
    return stack
  }

  /// Makes the record with this reference the cause of what the calling thread does in `body`.
  static func deliver<Result, Failure: Error>(
    _ reference: UInt64, _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let writer = writer
    let (outer, ring, session) = (
      writer.pointee.cause, writer.pointee.ring_id, writer.pointee.session
    )
    let sequence = reference & 0xff_ffff_ffff
    if reference != 0, reference == vv_reference(ring, sequence) { writer.pointee.cause = sequence }
    defer {
      let isSame = writer.pointee.ring_id == ring && writer.pointee.session == session
      writer.pointee.cause = isSame ? outer : 0
    }
    return try body()
  }
}
