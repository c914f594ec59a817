internal import CVarveSystem
internal import VarveProbe

/// The gate of a running recording. The wishes of the recording may change; the gate's word changes
/// with them, so that every root reads them again.
struct OpenGate: Sendable {
  /// The gate of this process. It has a lock of its own, because the drain thread also changes it
  /// while a thread that stops the recording waits for the drain thread.
  static let current = Monitor(OpenGate())

  /// 0 while the gate is closed.
  private var session: UInt32 = 0
  /// The number of changes of the wishes in this session.
  private var turn: UInt32 = 0
  private var options = Recorder.Options()

  /// The current wishes; nil while the gate is closed.
  var asked: Recorder.Options? { session == 0 ? nil : options }

  /// Opens the gate.
  mutating func open(session: UInt32, _ options: Recorder.Options) {
    self.session = session
    self.options = options
    turn = 0
    Probe.select(options.selection)
    Probe.open(
      session: session, wish: options.wish, receiver: DefinitionStore.shared,
      makeRoom: vv_recorder_make_room)
    vv_reads_want(options.recordsReads)
    vv_tasks_tell_obstacle()
    vv_samples_start()
  }

  /// Changes the wishes, if the gate is open.
  mutating func turn(to asked: Recorder.Options) {
    guard session != 0 else { return }
    options.ask(as: asked)
    turn += 1
    if turn == Wish.turns {
      // No root may mistake the new word for one that it has seen.
      turn = 0
      session = vv_session_number()
      vv_pool_renew(session)
    }
    Probe.select(options.selection)
    vv_reads_want(options.recordsReads)
    vv_gate_store(session << 8 | turn << Wish.turnShift | UInt32(options.wish.rawValue))
  }

  /// Closes the gate.
  mutating func close() {
    session = 0
    vv_reads_want(false)
    Probe.close()
  }
}
