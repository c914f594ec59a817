internal import CVarveSystem
internal import VarveFormat

/// One ring, as the drain thread sees it.
struct RingDrain {
  let slot: UnsafeMutablePointer<vv_slot>
  /// The thread incarnation whose definition was last written; 0 for none.
  private(set) var knownRing: UInt32 = 0
  /// Whether it could not be written and has to be once more.
  private var isThreadDue = false
  /// Since when records have waited, in nanoseconds of the monotonic clock; nil when none do.
  private var waitingSince: UInt64?
  /// How many runs of losses had begun when they were last looked at.
  private var knownRuns: UInt32 = 0
  /// Whether one of them may have gone on since.
  private var hasOpenRun = false
  /// The places of those that are being told.
  private var takenLosses: [UnsafeMutablePointer<vv_loss>] = []
  /// Whether all of the ring has memory.
  private var isReady = false
  /// Of a ring whose writer overwrites: the tick of the last record that the file has or tells of.
  var lastTick: UInt64 = 0
  /// And where its records are copied to.
  var copy: RecordCopy?
  /// Of another ring: the loss that was told of damaged records, until the number of a record
  /// behind them tells how many they were.
  var givenUp: TraceLoss?

  init(_ slot: UnsafeMutablePointer<vv_slot>) {
    self.slot = slot
    knownRuns = vv_slot_runs(slot)
  }

  var ring: UnsafeMutablePointer<vv_ring> { slot.pointee.ring }

  /// Whether the ring's thread has ended and everything that it left is in the file.
  var isFinished: Bool {
    vv_slot_is_left(slot) && vv_ring_published(ring) == vv_ring_tail(ring)
      && !vv_slot_has_losses(slot) && !schedulers.hasNews && !isThreadDue
  }

  /// Gives the ring memory, once it has a thread.
  mutating func makeReadyIfTaken() {
    guard !isReady, vv_slot_ring_id(slot) != 0 else { return }
    isReady = true
    vv_ring_make_ready(slot.pointee.ring, slot.pointee.capacity)
  }

  /// Whether the ring's thread waits for room.
  var isBlocking: Bool { vv_slot_is_waiting(slot) }

  /// The definition of the ring's thread, if the file does not have it yet.
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

  /// Which schedulers' work the thread has run.
  private var schedulers = ThreadSchedulers(threadName: "")

  /// The thread's definition could not be written. What it has run stays known.
  mutating func putThreadBack() { isThreadDue = true }

  /// The position up to which records are due for the file, at least half a ring of them unless
  /// they have waited for long.
  mutating func due(now: UInt64, patience: UInt64, everything: Bool) -> UInt64? {
    // In this order: a writer that overwrites takes the tail along, even past a head of a moment ago.
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

  /// Writes the next of the records before `end` into the file, half a ring of them a block, and
  /// frees their place; false when all are there.
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

  /// Whether the ring's header says what can be: a stray pointer may have written there, too. Nothing
  /// is read then, since nobody knows where records are.
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

  /// Frees the place of records that the file has.
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

  /// The next records of a ring whose writer touches nothing that it has not been given back.
  private func ownRun(before end: UInt64) -> RecordRun? {
    let tail = vv_ring_tail(ring)
    let available = vv_ring_published(ring) - tail
    let first = slot.pointee.data! + Int(tail & (slot.pointee.capacity - 1))
    let records = UnsafeRawBufferPointer(start: first, count: Int(available))
    return RecordRun(
      records, at: tail, enough: blockEnd(after: tail, end) - tail, drained: ring.pointee.drained)
  }

  /// A block ends with the record that reaches into the ring's next half. So blocks lie in one
  /// piece, and are large whenever there is much.
  private func blockEnd(after tail: UInt64, _ end: UInt64) -> UInt64 {
    min(tail - tail % slot.pointee.quantum + slot.pointee.quantum, end)
  }

  /// Whether so many runs of losses have begun that the ring may soon have no place for another,
  /// so that its thread goes on losing. In one pass that happens to large rings, which are drained
  /// in many blocks.
  var isShortOfRuns: Bool { vv_slot_runs(slot) &- knownRuns >= UInt32(VV_RING_LOSSES) / 2 }

  /// Takes runs of losses that are over, or all of them; of a thread that has ended always all.
  /// `lossesTold` or `putLossesBack` ends what it begins.
  mutating func takeLosses(whole: Bool) -> [TraceLoss] {
    let isWhole = vv_slot_is_left(slot) || whole
    let runs = vv_slot_runs(slot)
    guard runs != knownRuns || hasOpenRun else { return [] }
    knownRuns = runs
    hasOpenRun = !isWhole
    var losses: [TraceLoss] = []
    for index in 0..<UInt32(VV_RING_LOSSES) {
      let loss = vv_ring_loss(ring, index)!
      // Whose it is, is asked when it is taken: before, the ring may have been nobody's.
      guard let told = TraceLoss(taking: loss, whole: isWhole, ring: vv_slot_ring_id(slot))
      else { continue }
      losses.append(told)
      takenLosses.append(loss)
    }
    return losses
  }

  /// The run of losses that goes on, as far as it has come.
  var openLosses: [TraceLoss] {
    (0..<UInt32(VV_RING_LOSSES)).compactMap {
      TraceLoss(goingOn: vv_ring_loss(ring, $0), ring: vv_slot_ring_id(slot))
    }
  }

  /// The file tells of the losses that were taken.
  mutating func lossesTold() {
    guard !takenLosses.isEmpty else { return }
    for loss in takenLosses { vv_loss_told(loss, true) }
    takenLosses = []
    // Who waits may have waited for a place for its next run.
    vv_slot_room_made(slot)
  }

  /// The losses that were taken could not be told.
  mutating func putLossesBack() {
    for loss in takenLosses { vv_loss_told(loss, false) }
    takenLosses = []
    hasOpenRun = true
  }
}

extension TraceLoss {
  /// Takes a run of losses, so that nobody adds to it; nil when there is none to take.
  ///
  /// - Parameter ring: looked at when the run is taken: before, its place may be another thread's.
  init?(
    taking loss: UnsafeMutablePointer<vv_loss>, whole: Bool, ring: @autoclosure () -> UInt32
  ) {
    var taken = vv_loss()
    guard vv_loss_take(loss, whole, &taken) else { return nil }
    if taken.count == 0 { vv_loss_told(loss, true) }
    self.init(taken, ring: ring())
  }
}

extension TraceLoss {
  /// Reads a run of losses that goes on; nil when it does not.
  ///
  /// - Parameter ring: looked at when it is known that it goes on.
  init?(goingOn loss: UnsafePointer<vv_loss>, ring: @autoclosure () -> UInt32) {
    var seen = vv_loss()
    guard vv_loss_look(loss, &seen) else { return nil }
    self.init(seen, ring: ring())
  }
}

extension ThreadDefinition {
  /// What the ring says of its thread.
  init(_ ring: UnsafeMutablePointer<vv_ring>) {
    let name = withUnsafeBytes(of: &ring.pointee.thread_name) {
      String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
    }
    self.init(ring: ring.pointee.ring_id, systemID: ring.pointee.thread_id, name: name)
  }
}
