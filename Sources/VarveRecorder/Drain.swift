internal import CVarveSystem
internal import VarveFormat
internal import VarvePlatform
internal import VarveProbe

/// The work of the drain thread: it takes what threads have left in their rings, writes it into the
/// file, and only then frees its space. It alone makes the sidecar grow.
final class Drain {
  let session: UInt32
  let options: Recorder.Options
  let sidecar: LiveSidecar
  var writer: TraceWriter
  var files: Files
  let snapshots: SnapshotWatch
  var control: ControlWatch
  let log: UnsafeMutablePointer<vv_slot>
  var rings: [RingDrain] = []
  var ringless: RinglessThreads
  /// The number of rings kept ready for threads that have none yet.
  var spares = Spares()
  /// Whether no further ring can be made at present.
  var isStarved = false
  /// The time at which the next clock anchor is due, on the monotonic clock.
  var nextAnchor: UInt64 = 0
  var anchorInterval: UInt64 = 100_000_000
  var eventsAtAnchor: UInt64 = 0
  /// The reason why the file cannot be written at present.
  private(set) var failure: TraceFileError?

  /// How long records wait before they are written as a small block. They are as safe in the ring
  /// as in the file, and readers look there too.
  private var patience: UInt64 { isHasty ? 100_000_000 : 5_000_000_000 }
  /// Whether records must not wait, because a trigger depends on them or the ring is not safe.
  var isHasty: Bool { snapshots.looksAtRecords || sidecarIsGone }
  /// Whether the sidecar was removed.
  var sidecarIsGone = false
  private static let logCapacity: UInt64 = 256 << 10

  /// Creates the sidecar, then the file.
  ///
  /// - Parameter mayReplace: Whether an existing trace is replaced.
  init(
    path: String, options: Recorder.Options, session: UInt32, id: TraceID = .random(),
    mayReplace: Bool = true
  ) throws(TraceFileError) {
    self.session = session
    self.options = options
    files = Files(path: path)
    snapshots = SnapshotWatch(options.snapshots, besides: path)
    control = ControlWatch(ofTraceAt: path)
    let before = ClockAnchor.now(options)
    try TraceWriter.checkReplaceable(path)
    sidecar = try LiveSidecar(ofTraceAt: path, id: id, mayReplace: mayReplace)
    // From now on, no other recorder creates a file here.
    if !mayReplace, access(path, F_OK) == 0 {
      sidecar.finish(traceIsComplete: true)
      throw .isTaken(path)
    }
    // Not until it is certain that no other process is recording here.
    files.clear()
    Milestone.sidecarMade.pass()
    ringless = RinglessThreads(of: sidecar)
    control.clear()
    do throws(TraceFileError) {
      log = try sidecar.addRegion(
        vv_region_definitions, capacity: Self.logCapacity, policy: options.logPolicy)
    } catch {
      sidecar.finish(traceIsComplete: true)
      throw error
    }
    do throws(TraceFileError) {
      let anchor = ClockAnchor.now(options)
      let header = TraceHeader(
        id: id, process: .current(options), clock: .current(options, since: before), anchor: anchor)
      writer = try TraceWriter(creating: path, header: header)
      Milestone.traceMade.pass()
    } catch {
      vv_slot_release(log)
      sidecar.finish(traceIsComplete: true)
      throw error
    }
  }

  /// Opens the recording to threads.
  func open() {
    if options.handlesCrashes { vv_crash_watch() }
    snapshots.begin()
    DefinitionStore.shared.open(log, session: session)
    keepSparesReady()
    vv_pool_open(session, options.slotPolicy)
    vv_pool_starve(isStarved)
    Milestone.recordingOpened.pass()
  }

  /// Performs one round of work.
  ///
  /// - Parameter everything: Whether records that could wait are written, too.
  func pass(everything: Bool) {
    vv_sidecar_note_seen(sidecar.header, vv_clock_ticks())
    keepSparesReady()
    let now = vv_clock_monotonic()
    // Heads before definitions: a definition is in the log before the first record that refers to
    // it, so the file never refers to what it does not define.
    let due = rings.indices.map {
      rings[$0].due(now: now, patience: patience, everything: everything)
    }
    attempt { () throws(TraceFileError) in
      try writeDefinitions()
      try writeThreads()
      for (index, end) in due.enumerated() {
        guard let end else { continue }
        try drainRing(index, to: end)
        keepSparesReady()
      }
      try writeLosses(whole: false)
      try writeAnchor(now: now)
    }
    if failure == nil { lookAfterFiles(now: now) }
    recycle()
    if !everything { trim(now: now) }
  }

  /// Performs an operation on the file. While that fails, no thread waits for room.
  private func attempt(_ body: () throws(TraceFileError) -> Void) {
    do throws(TraceFileError) {
      try body()
      guard failure != nil else { return }
      failure = nil
      vv_drain_set_failing(false)
      // A thread that found its ring full meanwhile has not called, and waits from now on.
      vv_drain_call()
    } catch {
      let isNew = failure == nil
      failure = error
      guard isNew else { return }
      vv_drain_set_failing(true)
      for ring in rings { vv_slot_room_made(ring.slot) }
      vv_slot_room_made(log)
      vv_pool_wake()
    }
  }

  // MARK: - The end

  /// Writes everything left and completes the file, after the gate was closed.
  func close() {
    settle()
    Milestone.settled.pass()
    vv_pool_close()
    attempt { () throws(TraceFileError) in
      // A disk may have room for a trailer but not for a block: the file is complete only if all is
      // in it.
      try drainAll()
      try writeLosses(whole: true)
      try writer.append(anchor: .now(options))
      try writer.finish(ending: .clean)
      Milestone.trailerWritten.pass()
    }
    if options.handlesCrashes { vv_crash_unwatch() }
    snapshots.end()
    retire()
    Milestone.ringsRetired.pass()
    control.clear()
    sidecar.finish(traceIsComplete: failure == nil)
    Milestone.sidecarRemoved.pass()
    vv_drain_set_failing(false)
  }

  /// Drains until nothing is left, including the records of threads waiting for room: what they
  /// were about to write when the recording stopped belongs to it. They need a moment to use the
  /// room.
  private func settle() {
    var wasWaiting = true
    for _ in 0..<400 {
      pass(everything: true)
      let isWaiting = rings.contains(where: \.isBlocking) || vv_pool_look().waiting > 0
      guard failure == nil, isWaiting || wasWaiting else { return }
      wasWaiting = isWaiting
      vv_drain_listen(1_000_000)
    }
  }

  /// Writes everything that is in the rings now.
  func drainAll() throws(TraceFileError) {
    let ends = rings.map { vv_ring_published($0.slot.pointee.ring) }
    try writeDefinitions()
    try writeThreads()
    for index in rings.indices { try drainRing(index, to: ends[index]) }
  }

  private func drainRing(_ index: Int, to end: UInt64) throws(TraceFileError) {
    while try rings[index].drainBlock(before: end, into: writer, watch: snapshots) {
      if rings[index].isShortOfRuns { try writeLosses(whole: false) }
    }
  }

  /// Detaches the rings and the log from the file. Threads may still be writing to them.
  private func retire() {
    vv_slot_close(log)
    DefinitionStore.shared.close()
    while vv_pool_remove() != nil {}
    for ring in rings {
      vv_slot_retire(ring.slot)
      vv_slot_release(ring.slot)
    }
    rings = []
    vv_slot_release(log)
  }
}
