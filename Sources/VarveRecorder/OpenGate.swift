internal import CVarveSystem
internal import VarveProbe

/// The gate, as it stands open for a recording. What is asked of streams may change meanwhile: the
/// gate's word changes with it, so that every root looks again.
struct OpenGate: Sendable {
  /// The one of this process. A lock of its own: the drain thread turns it, too, while somebody who
  /// stops the recording waits for the drain thread.
  static let current = Monitor(OpenGate())

  /// 0 while the gate is closed.
  private var session: UInt32 = 0
  /// Of several things that were asked one after the other, the how-manieth this is.
  private var turn: UInt32 = 0
  private var options = Recorder.Options()

  /// What is asked at present; nil while the gate is closed.
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
  }

  /// Asks otherwise from now on, if the gate is open.
  mutating func turn(to asked: Recorder.Options) {
    guard session != 0 else { return }
    options.ask(as: asked)
    turn += 1
    if turn == Wish.turns {
      // No root may take the new word for one that it knows.
      turn = 0
      session = vv_session_number()
      vv_pool_renew(session)
    }
    Probe.select(options.selection)
    vv_gate_store(session << 8 | turn << Wish.turnShift | UInt32(options.wish.rawValue))
  }

  /// Closes the gate.
  mutating func close() {
    session = 0
    Probe.close()
  }
}
