internal import CVarveSystem
internal import VarveProbe

/// The handling of `fork`. A child that does not run another program continues with its streams and
/// records nothing (`Docs/Decisions/0008-forked-children-record-nothing.md`).
///
/// The child gets one thread, and every lock in its current state. It needs the locks of streams
/// and names, which are held during the fork, and those of Swift's runtime, which the drain thread
/// does not hold at that time. The recorder's own locks are recreated, so no fork waits for a disk
/// that another thread waits for under one of them.
enum Forks {
  /// Installs the handlers for all later forks.
  static func watch() { vv_process_watch_fork(prepare, inParent, inChild) }

  private static let prepare: @convention(c) () -> Void = {
    vv_drain_hold()
    Probe.hold()
  }

  private static let inParent: @convention(c) () -> Void = {
    Probe.letGo()
    vv_drain_let_go()
  }

  private static let inChild: @convention(c) () -> Void = {
    vv_process_forget_parent()
    Probe.letGo()
    Probe.close()
    DefinitionStore.shared.beginAnew()
    OpenGate.current.beginAnew(OpenGate())
    Recording.current.beginAnew(.ofForkedChild)
  }
}
