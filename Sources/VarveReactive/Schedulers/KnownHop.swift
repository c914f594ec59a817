internal import CVarveSystem

/// Marks the enqueueing of work that has its own hop on a Dispatch queue, so that an observer of
/// the queue does not count it as a second hop.
enum KnownHop {
  /// Calls `body`, which enqueues work.
  @inline(__always)
  static func perform(_ body: () -> Void) {
    let thread = ThreadSlot.current
    let outer = thread.pointee.is_handing_over
    thread.pointee.is_handing_over = 1
    body()
    thread.pointee.is_handing_over = outer
  }
}
