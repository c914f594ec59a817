internal import CVarveSystem
internal import VarveFormat
internal import VarvePlatform

/// The thread that drains one recording, and what others may ask of it.
final class DrainThread: Sendable {
  private struct Orders {
    var opening: Result<Void, TraceFileError>?
    var flushesAsked: UInt64 = 0
    var flushesDone: UInt64 = 0
    var mustStop = false
    var failure: TraceFileError?
    var snapshots: [Snapshot] = []
  }

  /// A snapshot that somebody waits for.
  private final class Snapshot: Sendable {
    let path: String
    let outcome = Monitor<Result<Void, TraceFileError>?>(nil)

    init(_ path: String) { self.path = path }
  }

  private let orders = Monitor(Orders())
  private let thread: Monitor<UnsafeThread>
  private let opening: Opening

  /// What the thread begins with.
  private struct Opening: Sendable {
    var path: String
    var options: Recorder.Options
    var session: UInt32
    var id: TraceID
    var mayReplace: Bool
  }

  /// A system's handle of a thread.
  private struct UnsafeThread: @unchecked Sendable {
    // Safety: only passed back to the system, once.
    var handle: UnsafeMutableRawPointer?
  }

  /// How often the thread looks after things when nobody calls it: seldom, since threads call when
  /// there is something to do. Records that may trigger a snapshot are not to lie about for so long.
  private static let period: UInt64 = 1_000_000_000
  private static let shortPeriod: UInt64 = 100_000_000

  /// Starts the thread, and returns when it is ready to be told of events.
  ///
  /// - Parameter mayReplace: whether a trace that is there already makes way.
  init(
    path: String, options: Recorder.Options, session: UInt32, id: TraceID, mayReplace: Bool
  ) throws(TraceFileError) {
    opening = Opening(
      path: path, options: options, session: session, id: id, mayReplace: mayReplace)
    thread = Monitor(UnsafeThread(handle: nil))
    var handle: UnsafeMutableRawPointer?
    let context = Unmanaged.passRetained(self)
    let error = vv_process_start_drain(
      { context in
        vv_drain_begin()
        Unmanaged<DrainThread>.fromOpaque(context!).takeRetainedValue().run()
        vv_drain_end()
        return nil
      }, context.toOpaque(), &handle)
    guard error == 0 else {
      context.release()
      throw TraceFileError(.wrongUse, "cannot start a thread to record", systemError: error)
    }
    thread.withLock { $0.handle = handle }
    let outcome = orders.wait { $0.opening }
    if case .failure = outcome { join() }
    try outcome.get()
  }

  /// Returns when everything that was recorded before the call is in the file, or cannot be put
  /// there.
  func flush() {
    let ticket = orders.withLock {
      $0.flushesAsked += 1
      return $0.flushesAsked
    }
    vv_drain_call()
    orders.wait { $0.flushesDone >= ticket ? () : nil }
  }

  /// Writes what is kept of the recording into a complete trace of its own.
  func snapshot(to path: String) throws(TraceFileError) {
    let snapshot = Snapshot(path)
    let isTaken = orders.withLock {
      if !$0.mustStop { $0.snapshots.append(snapshot) }
      return !$0.mustStop
    }
    guard isTaken else { throw TraceFileError(.wrongUse, "the recording has just been stopped") }
    vv_drain_call()
    try snapshot.outcome.wait { $0 }.get()
  }

  /// Drains what is left, completes the file and ends the thread. The gate is closed already.
  func stop() {
    orders.withLock { $0.mustStop = true }
    vv_drain_call()
    join()
  }

  /// Why the file cannot be written at present.
  var failure: TraceFileError? { orders.withLock { $0.failure } }

  private func join() {
    guard let handle = thread.withLock({ $0.handle }) else { return }
    vv_process_join(handle)
  }

  // MARK: - On the thread

  private func run() {
    vv_thread_set_name("varve.drain")
    let drain: Drain
    do throws(TraceFileError) {
      drain = try Drain(
        path: opening.path, options: opening.options, session: opening.session, id: opening.id,
        mayReplace: opening.mayReplace)
    } catch {
      orders.withLock { $0.opening = .failure(error) }
      return
    }
    drain.open()
    orders.withLock { $0.opening = .success(()) }
    var nextTry: UInt64 = 0
    while round(drain, &nextTry) {}
    // What is still in the rings may be what a snapshot was to be made of.
    drain.pass(everything: true)
    makeSnapshots(drain, isLast: true)
    drain.close()
    orders.withLock {
      // What was completed where nobody can find it is no trace.
      $0.failure = drain.failure ?? (drain.writer.isRemoved ? drain.files.trouble : nil)
      $0.flushesDone = UInt64.max
    }
  }

  /// Waits for a call or the period's end and looks after everything; false when it is time to end.
  ///
  /// - Parameter nextTry: when the file is tried again while it cannot be written.
  private func round(_ drain: Drain, _ nextTry: inout UInt64) -> Bool {
    let isShort = drain.isHasty || drain.failure != nil
    vv_drain_listen(isShort ? Self.shortPeriod : Self.period)
    let asked = orders.withLock { $0 }
    if asked.mustStop { return false }
    // While the file cannot be written it is tried again in a while, however often threads call.
    let isFlush = asked.flushesAsked > asked.flushesDone
    if drain.failure == nil || isFlush || vv_clock_monotonic() >= nextTry {
      drain.pass(everything: isFlush)
      nextTry = vv_clock_monotonic() + Self.shortPeriod
    }
    makeSnapshots(drain)
    orders.withLock {
      $0.flushesDone = asked.flushesAsked
      $0.failure = drain.failure ?? drain.files.trouble
    }
    return true
  }

  /// Makes the snapshots that somebody waits for or that something has triggered.
  ///
  /// - Parameter isLast: what is to be done later is done now.
  private func makeSnapshots(_ drain: Drain, isLast: Bool = false) {
    let asked = orders.withLock {
      let asked = $0.snapshots
      $0.snapshots = []
      return asked
    }
    for snapshot in asked {
      let outcome = Result { () throws(TraceFileError) in try drain.snapshot(to: snapshot.path) }
      snapshot.outcome.withLock { $0 = outcome }
    }
    let now = isLast ? .max : vv_clock_monotonic()
    let isAsked =
      isLast
      ? drain.control.obeyLast(besides: drain.sidecar)
      : drain.control.obey(now: now, besides: drain.sidecar)
    if isAsked { drain.snapshots.ask() }
    guard let path = drain.snapshots.takeDue(now: now) else { return }
    do throws(TraceFileError) {
      try drain.snapshot(to: path)
    } catch {
      StandardError.note("no snapshot: \(error)")
    }
  }
}
