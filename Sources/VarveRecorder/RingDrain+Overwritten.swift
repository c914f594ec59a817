internal import CVarveSystem
internal import VarveFormat

/// The handling of rings whose writers give up the oldest records when there is no room, as in a
/// flight recorder.
extension RingDrain {
  /// Returns the next remaining records, copied to memory of the drain thread; nil if the writer
  /// has given up all of them meanwhile.
  mutating func copiedRun(before end: UInt64) -> RecordRun? {
    let tail = vv_ring_tail(ring)
    guard tail < end else { return nil }
    let due = min(tail - tail % slot.pointee.quantum + slot.pointee.quantum, end)
    // The last record may extend further; where records end is not known before they are copied.
    let until = min(vv_ring_published(ring), due + UInt64(VV_RECORD_LARGEST))
    let target = copy ?? RecordCopy(of: slot)
    copy = target
    let passed = vv_ring_copy(slot, tail, until, target.bytes)
    guard tail + passed < due else { return nil }
    let rest = UnsafeRawBufferPointer(
      start: target.bytes + Int(passed), count: Int(until - tail - passed))
    return RecordRun(
      rest, at: tail + passed, enough: due - tail - passed, drained: ring.pointee.drained)
  }

  /// Reports the records missing before a run, if there are any.
  ///
  /// At whatever moment the program dies, they are reported once: the ring's own note counts while
  /// it is above `drained`, and is the same loss as the file's, with the same first tick.
  mutating func tellGap(before run: RecordRun, to writer: TraceWriter) throws(TraceFileError) {
    lastTick = max(lastTick, writer.header.anchor.ticks)
    try tellOpenGap(to: writer)
    let known = ring.pointee.drained
    guard run.firstSequence > known + 1 else { return }
    // The ticks may have been overwritten, too.
    let last = max(run.firstTick, 1) - 1
    vv_ring_open_gap(
      ring, run.firstSequence - 1, run.firstSequence - 1 - known, min(lastTick &+ 1, last), last)
    Milestone.gapOpened.pass()
    try tellOpenGap(to: writer)
  }

  private mutating func tellOpenGap(to writer: TraceWriter) throws(TraceFileError) {
    guard let loss = TraceLoss(overwritten: ring.pointee) else { return }
    try writer.append(losses: [loss])
    Milestone.gapTold.pass()
    vv_ring_close_gap(ring)
    lastTick = loss.ticks.upperBound
  }
}

/// Memory for the records of one run.
final class RecordCopy {
  let bytes: UnsafeMutablePointer<UInt8>

  init(of slot: UnsafeMutablePointer<vv_slot>) {
    // Whole words, with room for a last record that extends further.
    let words = Int(slot.pointee.quantum) / 8 + Int(VV_RECORD_LARGEST) / 8
    let memory = UnsafeMutablePointer<UInt64>.allocate(capacity: words)
    bytes = UnsafeMutableRawPointer(memory).assumingMemoryBound(to: UInt8.self)
  }

  deinit { UnsafeMutableRawPointer(bytes).deallocate() }
}
