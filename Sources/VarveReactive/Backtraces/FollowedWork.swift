internal import CVarveSystem

/// Work that the program itself, or Swift concurrency, hands to queues. It is followed while the
/// library `VarveHops` is interposed before Dispatch (`varve run --hops`).
///
/// The functions below are called from C (`hops.c` of CVarveSystem). The work carries a pointer
/// that owns this object.
private final class FollowedWork {
  private let scheduler: SchedulerIdentity
  private var hop: Hop

  init(to name: String, from stack: UInt32) {
    scheduler = ForeignSchedulers.identity(named: name)
    hop = Hop.scheduled(by: scheduler, from: stack)
  }

  static func taking(_ hop: UnsafeMutableRawPointer) -> FollowedWork {
    Unmanaged.fromOpaque(hop).takeRetainedValue()
  }

  static func borrowing(_ hop: UnsafeMutableRawPointer) -> FollowedWork {
    Unmanaged.fromOpaque(hop).takeUnretainedValue()
  }

  /// Runs the work once, as the last use of this object.
  func run(_ work: () -> Void) { hop.perform(by: scheduler, work) }

  /// Runs the work any number of times, possibly on several threads at once.
  func runAgain(_ work: () -> Void) { hop.shared().perform(by: scheduler, work) }

  func forget() { hop.cancelled() }
}

@_cdecl("varve_hop_scheduled")
package func followedWork(
  to name: UnsafePointer<CChar>, from stack: UInt32
) -> UnsafeMutableRawPointer {
  Unmanaged.passRetained(FollowedWork(to: String(cString: name), from: stack)).toOpaque()
}

@_cdecl("varve_hop_run")
package func runFollowedWork(
  _ hop: UnsafeMutableRawPointer, _ work: @convention(c) (UnsafeMutableRawPointer?) -> Void,
  _ context: UnsafeMutableRawPointer?
) {
  FollowedWork.taking(hop).run { work(context) }
}

@_cdecl("varve_hop_run_again")
package func runFollowedWorkAgain(
  _ hop: UnsafeMutableRawPointer, _ work: @convention(c) (UnsafeMutableRawPointer?) -> Void,
  _ context: UnsafeMutableRawPointer?
) {
  FollowedWork.borrowing(hop).runAgain { work(context) }
}

@_cdecl("varve_hop_forget")
package func forgetFollowedWork(_ hop: UnsafeMutableRawPointer) {
  FollowedWork.taking(hop).forget()
}
