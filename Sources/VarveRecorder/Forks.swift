internal import CVarveSystem
internal import VarveProbe

/// What happens around a `fork`. A child that does not run another program goes on with its streams and
/// records nothing (`Docs/Decisions/0008-forked-children-record-nothing.md`).
///
/// The child gets one thread and every lock as it was. It needs those of streams and names, which are
/// held meanwhile, and those of Swift's runtime, in which the drain thread is not then. The recorder's
/// own are made anew, so no fork waits for a disk that somebody else waits for under one of them.
enum Forks {
  /// Has every fork from now on be looked after.
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
