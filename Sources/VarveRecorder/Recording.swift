internal import CVarveSystem
internal import VarveFormat
internal import VarvePlatform
internal import VarveProbe

/// The state of recording in the process.
struct Recording: Sendable {
  /// The state of this process.
  static let current = Monitor(Recording())

  private enum Phase: Sendable {
    case idle
    case running(DrainThread)
    /// The process is the child of a fork.
    case never
  }

  private var phase = Phase.idle
  private var options = Recorder.Options()
  private var hasHooks = false
  /// Whether the recording was asked for by the environment, and the program has started one in vain.
  private var isFromOutside = false
  private var hasLeftOut = false
  /// The path of the trace being recorded; nil while no recording is running.
  private(set) var path: String?
  /// The last trace that this process recorded to each path with `%p`, by the resolved path.
  private var ownTraces: [String: OwnTrace] = [:]

  private struct OwnTrace: Sendable {
    var path: String
    var id: TraceID

    /// Whether it is still there; a file that another process put in its place is not ours.
    var isThere: Bool { TraceID(ofTraceAt: path) == id }
  }

  /// The reason why the last trace could not be completed.
  private var finalFailure: TraceFileError?

  /// The reason why the trace cannot be written at present, or could not be completed when it
  /// was stopped.
  var failure: TraceFileError? { thread?.failure ?? finalFailure }

  /// The drain thread, while there is one.
  var thread: DrainThread? {
    if case .running(let thread) = phase { thread } else { nil }
  }

  var isClockByHand: Bool { path != nil && options.isClockByHand }

  /// The state of a process that was forked from one that was recording, or had recorded.
  static var ofForkedChild: Recording {
    var none = Recording()
    none.phase = .never
    return none
  }

  /// Starts recording; `isFromTheFirst` says whether the process has made no task yet.
  mutating func start(
    template: String, options: Recorder.Options, isFromTheFirst: Bool
  ) throws(TraceFileError) {
    if case .never = phase {
      throw TraceFileError(
        .wrongUse,
        "this process was forked from one with a recorder, and records nothing: have it run a program"
          + " in its place")
    }
    if let path {
      guard isFromOutside else {
        throw TraceFileError(.wrongUse, "this process is recording already, to \(path)")
      }
      StandardError.note(
        "recording to \(path), as was asked for when the program started, and not to "
          + TracePath.resolve(template))
      hasLeftOut = true
      return
    }
    let session = vv_session_number()
    if let contradiction = options.contradiction { throw TraceFileError(.wrongUse, contradiction) }
    if case .byHand(let start) = options.clock { vv_clock_turn(max(1, start)) }
    do throws(TraceFileError) {
      path = try begin(template, options, session: session)
    } catch {
      if options.isClockByHand { vv_clock_turn(0) }
      phase = .idle
      throw error
    }
    self.options = options
    isFromOutside = isFromTheFirst
    hasLeftOut = false
    finalFailure = nil
    installHooks()
    for stream in Probe.liveStreams() {
      // The stack that an earlier recording took.
      if stream.stack != 0 { DefinitionStore.shared.keep(stack: stream.stack) }
      DefinitionStore.shared.keep(.stream(stream))
    }
    if options.recordsTasks { vv_tasks_follow_linked() }
    if !isFromTheFirst { NewTasks.begin() }
    OpenGate.current.withLock { $0.open(session: session, options) }
    vv_tasks_meet_current()
  }

  /// Starts the drain thread, recording to the path or beside it; returns the path used.
  private mutating func begin(
    _ template: String, _ options: Recorder.Options, session: UInt32
  ) throws(TraceFileError) -> String {
    let first = TracePath.resolve(template)
    let id = TraceID.random()
    func start(_ path: String, mayReplace: Bool) throws(TraceFileError) -> DrainThread {
      try DrainThread(
        path: path, options: options, session: session, id: id, mayReplace: mayReplace)
    }
    guard TracePath.isOfOneProcess(template) else {
      phase = .running(try start(first, mayReplace: true))
      return first
    }
    if let own = ownTraces[first], own.isThere {
      phase = .running(try start(own.path, mayReplace: true))
      ownTraces[first] = OwnTrace(path: own.path, id: id)
      return own.path
    }
    // In another PID namespace, such as a container's, or at another time, another process may
    // have, or have had, the same ID. Each attempt except the last fails because another process
    // was faster.
    var turn = 0
    while true {
      turn += 1
      let isFree = TracePath.isFree(first)
      let path =
        isFree ? first : TracePath.resolve(TracePath.unused(template, "other-", from: 1))
      do throws(TraceFileError) {
        phase = .running(try start(path, mayReplace: false))
        ownTraces[first] = OwnTrace(path: path, id: id)
        if !isFree { StandardError.note("\(first) is another process's; recording to \(path)") }
        return path
      } catch {
        guard error.isTaken, turn < 1_000 else { throw error }
      }
    }
  }

  /// Completes the trace, if a recording is running. What the program stops, having started it in vain,
  /// goes on; `isLast` says whether the program ends.
  mutating func stop(isLast: Bool = false) {
    guard path != nil else { return }
    if hasLeftOut, !isLast {
      hasLeftOut = false
      return
    }
    OpenGate.current.withLock { $0.close() }
    if let thread {
      Probe.tellRest()
      thread.stop()
      finalFailure = thread.failure
    }
    if options.isClockByHand { vv_clock_turn(0) }
    phase = .idle
    path = nil
  }

  /// Arranges for a normal exit to complete the trace and for forks to leave it alone, once per
  /// process.
  private mutating func installHooks() {
    guard !hasHooks else { return }
    hasHooks = true
    atexit { Recording.current.withLock { $0.stop(isLast: true) } }
    Forks.watch()
  }
}
