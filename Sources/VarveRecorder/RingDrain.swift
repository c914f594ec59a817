internal import CVarveSystem
internal import VarveFormat

/// One ring, from the drain thread's point of view.
struct RingDrain {
  let slot: UnsafeMutablePointer<vv_slot>
  /// The thread incarnation whose definition was written last; 0 for none.
  private(set) var knownRing: UInt32 = 0
  /// Whether the definition could not be written and must be written again.
  private var isThreadDue = false
  /// The time since which records have been waiting, in nanoseconds of the monotonic clock; nil if
  /// none are.
  private var waitingSince: UInt64?
  /// The number of runs of losses begun when they were last examined.
  private var knownRuns: UInt32 = 0
  /// Whether one of them may have continued since.
  private var hasOpenRun = false
  /// The places of those being reported.
  private var takenLosses: [UnsafeMutablePointer<vv_loss>] = []
  /// Whether all of the ring's memory is ready.
  private var isReady = false
  /// For a ring whose writer overwrites: the tick of the last record that the file has or reports.
  var lastTick: UInt64 = 0
  /// For the same: the memory that its records are copied to.
  var copy: RecordCopy?
  /// For other rings: the loss reported for damaged records, until the number of a later record
  /// shows how many they were.
  var givenUp: TraceLoss?

  init(_ slot: UnsafeMutablePointer<vv_slot>) {
    self.slot = slot
    knownRuns = vv_slot_runs(slot)
  }

  var ring: UnsafeMutablePointer<vv_ring> { slot.pointee.ring }

  /// Whether the ring's thread has ended and everything from it is in the file.
  var isFinished: Bool {
    vv_slot_is_left(slot) && vv_ring_published(ring) == vv_ring_tail(ring)
      && !vv_slot_has_losses(slot) && !schedulers.hasNews && !isThreadDue
  }

  /// Makes the ring's memory ready, once it has a thread.
  mutating func makeReadyIfTaken() {
    guard !isReady, vv_slot_ring_id(slot) != 0 else { return }
    isReady = true
    vv_ring_make_ready(slot.pointee.ring, slot.pointee.capacity)
  }

  /// Whether the ring's thread is waiting for room.
  var isBlocking: Bool { vv_slot_is_waiting(slot) }

  /// Returns the definition of the ring's thread, if the file does not have it yet.
  mutating func newThread() -> ThreadDefinition? {
    let id = vv_slot_ring_id(slot)
    guard id != 0 else { return nil }
    let isKnown = id == knownRing
    guard !isKnown || isThreadDue || schedulers.hasNews else { return nil }
    knownRing = id
    isThreadDue = false
    var thread = ThreadDefinition(ring)
    if !isKnown { schedulers = ThreadSchedulers(threadName: thread.name) }
    thread.name = schedulers.takeName() ?? thread.name
    return thread
  }

  /// The schedulers whose work the thread has run.
  private var schedulers = ThreadSchedulers(threadName: "")

  /// Notes that the thread's definition could not be written. The schedulers stay known.
  mutating func putThreadBack() { isThreadDue = true }

  /// Returns the position up to which records are due for the file: at least half a ring of them,
  /// unless they have waited for long.
  mutating func due(now: UInt64, patience: UInt64, everything: Bool) -> UInt64? {
    // In this order: a writer that overwrites moves the tail along, even past an earlier head.
    let tail = vv_ring_tail(ring)
    let head = vv_ring_published(ring)
    guard head > tail else {
      waitingSince = nil
      return nil
    }
    let since = waitingSince ?? now
    waitingSince = since
    let isUrgent = everything || isBlocking || vv_slot_is_left(slot) || now - since >= patience
    if isUrgent { return head }
    guard head - tail >= slot.pointee.quantum else { return nil }
    return head - head % slot.pointee.quantum
  }

  /// Writes the next of the records before `end` into the file, half a ring per block, and frees
  /// their space; returns false if there are no more.
  mutating func drainBlock(before end: UInt64, into writer: TraceWriter, watch: SnapshotWatch)
    throws(TraceFileError) -> Bool
  {
    guard vv_ring_tail(ring) < end, isSound else {
      waitingSince = nil
      return false
    }
    try writeBlock(before: end, into: writer, watch)
    vv_drain_pause()
    return true
  }

  /// Whether the ring's header is valid: a stray pointer may have written there, too. Nothing is
  /// read otherwise, since the positions of records are unknown.
  private var isSound: Bool {
    isShared || vv_ring_published(ring) &- vv_ring_tail(ring) <= slot.pointee.capacity
  }

  private var isShared: Bool { slot.pointee.policy == vv_policy_overwrite.rawValue }

  private mutating func writeBlock(
    before end: UInt64, into writer: TraceWriter, _ watch: SnapshotWatch
  ) throws(TraceFileError) {
    let isShared = isShared
    guard let run = isShared ? copiedRun(before: end) : ownRun(before: end) else { return }
    guard run.beginsWell, mayFollow(run, isShared: isShared) else {
      return try giveUp(to: writer, isShared: isShared)
    }
    try isShared ? tellGap(before: run, to: writer) : tellGivenUp(before: run, to: writer)
    Milestone.blockDue.pass()
    let written = try writer.append(
      blockOf: run.records, enough: run.enough, ring: ring.pointee.ring_id,
      firstSequence: run.firstSequence)
    if written.count > 0 {
      Milestone.blockWritten.pass()
      pass(written, of: run, watch)
      if isShared { lastTick = run.lastTick(in: written.bytes) }
    }
    if written.flaw != nil { try giveUp(to: writer, isShared: isShared) }
  }

  /// Frees the space of records that are in the file.
  private mutating func pass(
    _ written: RingRecords.Extent, of run: RecordRun, _ watch: SnapshotWatch
  ) {
    let records = UnsafeRawBufferPointer(rebasing: run.records[..<written.bytes])
    watch.look(at: records)
    schedulers.look(at: records)
    vv_ring_pass(
      ring, run.position + UInt64(written.bytes), run.firstSequence + UInt64(written.count) - 1)
    Milestone.blockPassed.pass()
    vv_slot_room_made(slot)
  }

  /// Returns the next records of a ring whose writer does not touch space that has not been freed.
  private func ownRun(before end: UInt64) -> RecordRun? {
    let tail = vv_ring_tail(ring)
    let available = vv_ring_published(ring) - tail
    let first = slot.pointee.data! + Int(tail & (slot.pointee.capacity - 1))
    let records = UnsafeRawBufferPointer(start: first, count: Int(available))
    return RecordRun(
      records, at: tail, enough: blockEnd(after: tail, end) - tail, drained: ring.pointee.drained)
  }

  /// Returns the end of a block: the record that extends into the ring's next half. So blocks are
  /// contiguous, and large whenever there is much to write.
  private func blockEnd(after tail: UInt64, _ end: UInt64) -> UInt64 {
    min(tail - tail % slot.pointee.quantum + slot.pointee.quantum, end)
  }

  /// Whether so many runs of losses have begun that the ring may soon have no place for another,
  /// and its thread would keep losing. That happens within one pass for large rings, which are
  /// drained in many blocks.
  var isShortOfRuns: Bool { vv_slot_runs(slot) &- knownRuns >= UInt32(VV_RING_LOSSES) / 2 }

  /// Takes the runs of losses that are over, or all of them; if the thread has ended, always all.
  /// Must be followed by `lossesWritten` or `putLossesBack`.
  mutating func takeLosses(whole: Bool) -> [TraceLoss] {
    let isWhole = vv_slot_is_left(slot) || whole
    let runs = vv_slot_runs(slot)
    guard runs != knownRuns || hasOpenRun else { return [] }
    knownRuns = runs
    hasOpenRun = !isWhole
    var losses: [TraceLoss] = []
    for index in 0..<UInt32(VV_RING_LOSSES) {
      let loss = vv_ring_loss(ring, index)!
      // The ring's ID is read after the run is taken: before, the ring may have had no thread.
      guard let told = TraceLoss(taking: loss, whole: isWhole, ring: vv_slot_ring_id(slot))
      else { continue }
      losses.append(told)
      takenLosses.append(loss)
    }
    return losses
  }

  /// The run of losses that continues, so far.
  var openLosses: [TraceLoss] {
    (0..<UInt32(VV_RING_LOSSES)).compactMap {
      TraceLoss(goingOn: vv_ring_loss(ring, $0), ring: vv_slot_ring_id(slot))
    }
  }

  /// Notes that the file has the losses taken.
  mutating func lossesWritten() {
    guard !takenLosses.isEmpty else { return }
    for loss in takenLosses { vv_loss_settle(loss, true) }
    takenLosses = []
    // A waiting thread may have waited for a place for its next run.
    vv_slot_room_made(slot)
  }

  /// Notes that the losses taken could not be written.
  mutating func putLossesBack() {
    for loss in takenLosses { vv_loss_settle(loss, false) }
    takenLosses = []
    hasOpenRun = true
  }
}

extension TraceLoss {
  /// Takes a run of losses, so that nothing is added to it; nil if there is none to take.
  ///
  /// - Parameter ring: The ring's ID, evaluated after the run is taken: before, its place may
  ///   belong to another thread.
  init?(
    taking loss: UnsafeMutablePointer<vv_loss>, whole: Bool, ring: @autoclosure () -> UInt32
  ) {
    var taken = vv_loss()
    guard vv_loss_take(loss, whole, &taken) else { return nil }
    if taken.count == 0 { vv_loss_settle(loss, true) }
    self.init(taken, ring: ring())
  }
}

extension TraceLoss {
  /// Reads a run of losses that continues; nil if it does not.
  ///
  /// - Parameter ring: The ring's ID, evaluated once it is known that the run continues.
  init?(goingOn loss: UnsafePointer<vv_loss>, ring: @autoclosure () -> UInt32) {
    var seen = vv_loss()
    guard vv_loss_look(loss, &seen) else { return nil }
    self.init(seen, ring: ring())
  }
}

extension ThreadDefinition {
  /// Creates the definition of a ring's thread.
  init(_ ring: UnsafeMutablePointer<vv_ring>) {
    let name = withUnsafeBytes(of: &ring.pointee.thread_name) {
      String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
    }
    self.init(ring: ring.pointee.ring_id, systemID: ring.pointee.thread_id, name: name)
  }
}
