internal import CVarveSystem

/// Lets go of long chains without a stack as deep as they are long.
///
/// A recipe owns the one before it, so that releasing the last one of a chain releases all, each
/// inside the deinitialiser of the next. Some levels deep, what is to be released is put aside for
/// the outermost of these deinitialisers.
enum DeepRelease {
  private static let deepest: UInt32 = 64

  /// What was put aside on one thread.
  private final class Queue {
    var waiting: [[Origin]] = []
  }

  /// Releases what the caller, a deinitialiser, owned.
  static func letGo(of origins: inout [Origin]) {
    let depth = vv_release_state().pointee.depth
    if depth == deepest { return put(aside: &origins) }
    vv_release_state().pointee.depth = depth + 1
    origins = []
    vv_release_state().pointee.depth = depth
    if depth == 0, vv_release_state().pointee.queue != nil { drain() }
  }

  private static func put(aside origins: inout [Origin]) {
    let state = vv_release_state()
    if state.pointee.queue == nil {
      state.pointee.queue = Unmanaged.passRetained(Queue()).toOpaque()
    }
    guard let pointer = state.pointee.queue else { return }
    Unmanaged<Queue>.fromOpaque(pointer)._withUnsafeGuaranteedRef { $0.waiting.append(origins) }
    origins = []
  }

  private static func drain() {
    guard let pointer = vv_release_state().pointee.queue else { return }
    let queue = Unmanaged<Queue>.fromOpaque(pointer).takeUnretainedValue()
    // Those who are released here may put more aside, but drain nothing themselves.
    while var origins = queue.waiting.popLast() {
      vv_release_state().pointee.depth = 1
      origins = []
      vv_release_state().pointee.depth = 0
      _ = origins
    }
    vv_release_state().pointee.queue = nil
    Unmanaged<Queue>.fromOpaque(pointer).release()
  }
}
