internal import CVarveSystem

/// Marks the moment at which work that has a hop of its own is given to a queue of Dispatch, so that
/// whoever follows hops at the queue does not take it for a second one.
enum KnownHop {
  /// Runs `body`, which gives work to a queue.
  @inline(__always)
  static func perform(_ body: () -> Void) {
    let thread = ThreadSlot.current
    let outer = thread.pointee.is_handing_over
    thread.pointee.is_handing_over = 1
    body()
    thread.pointee.is_handing_over = outer
  }
}
