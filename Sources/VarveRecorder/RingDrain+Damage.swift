internal import CVarveSystem
internal import VarveFormat

/// The handling of rings that the program has damaged through a stray pointer. The records before
/// the damage are kept, and those after it are given up, because where the next one begins is not
/// certain. The recording continues.
extension RingDrain {
  /// Returns whether a run's first record can be the next of its ring: it has the next number, or
  /// records are missing before it. A number that skips some is trusted if the following record
  /// continues from it.
  func mayFollow(_ run: RecordRun, isShared: Bool) -> Bool {
    let next = ring.pointee.drained &+ 1
    guard run.isNumbered else { return false }
    if run.firstSequence == next { return true }
    return run.firstSequence > next && (isShared || givenUp != nil) && run.goesOn
  }

  /// Skips the part of the ring that can no longer be divided into records. The number of records
  /// is unknown until the next one's number shows it; it was at least one.
  mutating func giveUp(to writer: TraceWriter, isShared: Bool) throws(TraceFileError) {
    let end = vv_ring_published(ring)
    if !isShared, givenUp == nil {
      let now = vv_clock_ticks()
      let loss = TraceLoss(ring: ring.pointee.ring_id, count: 1, ticks: now...now, reason: .notKept)
      try writer.append(losses: [loss])
      givenUp = loss
    }
    vv_ring_pass(ring, end, ring.pointee.drained)
    vv_slot_room_made(slot)
  }

  /// Reports how many records were given up, now that the number of the next one shows it.
  mutating func tellGivenUp(before run: RecordRun, to writer: TraceWriter) throws(TraceFileError) {
    guard var loss = givenUp else { return }
    let count = run.firstSequence - ring.pointee.drained - 1
    if count > loss.count {
      // Of two entries with the same first tick, readers use the one with the larger count.
      loss.count = count
      try writer.append(losses: [loss])
    }
    givenUp = nil
  }
}
