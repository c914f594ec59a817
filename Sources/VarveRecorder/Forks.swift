internal import CVarveSystem
internal import Synchronization
internal import VarveProbe

/// What happens around a `fork`. The child must not touch what the parent records, and records into
/// a file of its own if the trace's path says so.
enum Forks {
  /// Has every fork from now on be looked after.
  static func watch() { vv_process_watch_fork(prepare, inParent, inChild) }

  // No other thread is in the midst of anything that the child needs.
  private static let prepare: @convention(c) () -> Void = {
    Recording.current.hold()
    // Who waits for room in the log keeps it until the drain thread, at work, has made some; all
    // other locks are the drain thread's, too, and are held when it is at rest.
    DefinitionStore.shared.holdLog()
    vv_drain_hold()
    OpenGate.current.hold()
    DefinitionStore.shared.hold()
    Probe.hold()
  }

  private static let inParent: @convention(c) () -> Void = {
    Probe.letGo()
    DefinitionStore.shared.letGo()
    OpenGate.current.letGo()
    vv_drain_let_go()
    DefinitionStore.shared.letGoOfLog()
    Recording.current.letGo()
  }

  private static let inChild: @convention(c) () -> Void = {
    vv_process_forget_parent()
    // The parent was asked for a snapshot, not this process.
    _ = vv_attention_take()
    Probe.letGo()
    DefinitionStore.shared.letGoInChild()
    var asked: Recorder.Options?
    OpenGate.current.letGo {
      asked = $0.asked
      $0.forget()
    }
    var gate: UInt32 = 0
    Recording.current.letGo { gate = $0.becomeChild(asked: asked) }
    if gate != 0 {
      LateStart.expect(gate: gate)
    } else {
      // Nobody here makes snapshots: their signal does again what it did before.
      vv_attention_unwatch()
    }
  }
}

/// A recording that begins when the first event asks for it: most children of a fork run another
/// program at once, and a file for each of them would be litter.
enum LateStart {
  private static let session = Atomic<UInt32>(0)

  /// Opens the gate for a recording that does not exist yet.
  static func expect(gate: UInt32) {
    session.store(gate >> 8, ordering: .releasing)
    vv_pool_expect(gate >> 8, begin)
    vv_gate_open(gate, vv_recorder_make_room)
  }

  /// Nothing is expected any more.
  static func forget() {
    guard session.exchange(0, ordering: .acquiringAndReleasing) != 0 else { return }
    vv_pool_expect(0, begin)
  }

  /// Begins the recording that is expected, if one is. Called before anything is told.
  static func beginIfExpected() {
    let expected = session.load(ordering: .acquiring)
    if expected != 0 { begin(expected) }
  }

  private static let begin: @convention(c) (UInt32) -> Void = { session in
    Recording.current.withLock { $0.startLate(session: session) }
  }
}
