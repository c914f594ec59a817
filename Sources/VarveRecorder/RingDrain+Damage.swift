internal import CVarveSystem
internal import VarveFormat

/// Rings in which the program has written by mistake, through a stray pointer. The records before
/// the damage are kept and those behind it given up: where the next one begins is not known for
/// sure. The recording goes on.
extension RingDrain {
  /// Whether a run's first record can be the next of its ring: the number says so, or records are
  /// missing before it. A number that leaves some out is believed when the next one goes on from it.
  func mayFollow(_ run: RecordRun, isShared: Bool) -> Bool {
    let next = ring.pointee.drained &+ 1
    guard run.isNumbered else { return false }
    if run.firstSequence == next { return true }
    return run.firstSequence > next && (isShared || givenUp != nil) && run.goesOn
  }

  /// Passes over what lies in the ring and cannot be told apart any more. How many records it was
  /// is not known before the next one's number tells; it was one at least.
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

  /// Tells how many records were given up, now that the number of the next one says so.
  mutating func tellGivenUp(before run: RecordRun, to writer: TraceWriter) throws(TraceFileError) {
    guard var loss = givenUp else { return }
    let count = run.firstSequence - ring.pointee.drained - 1
    if count > loss.count {
      // Of two entries with one first tick, readers take the one with the larger count.
      loss.count = count
      try writer.append(losses: [loss])
    }
    givenUp = nil
  }
}
