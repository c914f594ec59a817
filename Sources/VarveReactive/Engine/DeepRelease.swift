internal import CVarveSystem

/// Releases long chains of owners without deep recursion.
///
/// A recipe, its title and a stream's identity own their predecessors, and a signal owns its
/// observation of the signal it was made from. Releasing the last link of such a chain therefore
/// releases all of them, each inside the release of the next. Beyond a fixed depth, releases are
/// queued for the outermost one to perform.
enum DeepRelease {
  private static let deepest: UInt32 = 64

  /// A postponed release or piece of work.
  private enum Remains {
    case references([StreamReference])
    case streams([StreamIdentity])
    case anything(Any)
    case work(() -> Void)
  }

  /// The postponed releases of one thread.
  private final class Queue {
    var waiting: [Remains] = []
  }

  /// Releases references that the calling deinitializer owns.
  static func letGo(of references: inout [StreamReference]) {
    if isDeepest { return putAside(.references(take(&references))) }
    descend { references = [] }
  }

  /// Releases identities that the calling deinitializer owns.
  static func letGo(of streams: inout [StreamIdentity]) {
    if isDeepest { return putAside(.streams(take(&streams))) }
    descend { streams = [] }
  }

  /// Releases a recipe, or a closure that holds recipes, that the calling deinitializer owns.
  @inline(__always)
  static func letGo<Owned>(of owned: inout Owned?) {
    if isDeepest {
      if let rest = owned.take() { putAside(.anything(rest)) }
    } else {
      descend { owned = nil }
    }
  }

  /// Performs work that may trigger further releases of this kind.
  static func perform(_ work: @escaping () -> Void) {
    if isDeepest { return putAside(.work(work)) }
    descend(work)
  }

  private static var isDeepest: Bool { vv_release_state().pointee.depth == deepest }

  private static func descend(_ release: () -> Void) {
    let depth = vv_release_state().pointee.depth
    vv_release_state().pointee.depth = depth + 1
    release()
    vv_release_state().pointee.depth = depth
    if depth == 0, vv_release_state().pointee.queue != nil { drain() }
  }

  private static func take<Element>(_ array: inout [Element]) -> [Element] {
    defer { array = [] }
    return array
  }

  private static func putAside(_ remains: Remains) {
    let state = vv_release_state()
    if state.pointee.queue == nil {
      state.pointee.queue = Unmanaged.passRetained(Queue()).toOpaque()
    }
    guard let pointer = state.pointee.queue else { return }
    Unmanaged<Queue>.fromOpaque(pointer)._withUnsafeGuaranteedRef { $0.waiting.append(remains) }
  }

  private static func drain() {
    guard let pointer = vv_release_state().pointee.queue else { return }
    let queue = Unmanaged<Queue>.fromOpaque(pointer).takeUnretainedValue()
    // The releases performed here may queue more, but must not drain the queue themselves.
    vv_release_state().pointee.depth = 1
    while let remains = queue.waiting.popLast() {
      if case .work(let work) = remains { work() }
    }
    vv_release_state().pointee.depth = 0
    vv_release_state().pointee.queue = nil
    Unmanaged<Queue>.fromOpaque(pointer).release()
  }
}
