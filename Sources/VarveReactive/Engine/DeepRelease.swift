internal import CVarveSystem

/// Lets go of long chains without a stack as deep as they are long.
///
/// A recipe, its title and a stream's identity own those before them, and a signal keeps its
/// observation of the one that it was made of: releasing the last one of a chain releases all, each
/// inside the release of the next. Some levels deep, what is to be released is put aside for the
/// outermost of them.
enum DeepRelease {
  private static let deepest: UInt32 = 64

  /// Something that was put aside.
  private enum Remains {
    case references([StreamReference])
    case streams([StreamIdentity])
    case anything(Any)
    case work(() -> Void)
  }

  /// What was put aside on one thread.
  private final class Queue {
    var waiting: [Remains] = []
  }

  /// Releases what the caller, a deinitialiser, owned.
  static func letGo(of references: inout [StreamReference]) {
    if isDeepest { return putAside(.references(take(&references))) }
    descend { references = [] }
  }

  /// Releases what the caller, a deinitialiser, owned.
  static func letGo(of streams: inout [StreamIdentity]) {
    if isDeepest { return putAside(.streams(take(&streams))) }
    descend { streams = [] }
  }

  /// Releases what the caller, a deinitialiser, owned: a recipe, or a closure that holds some.
  @inline(__always)
  static func letGo<Owned>(of owned: inout Owned?) {
    if isDeepest {
      if let rest = owned.take() { putAside(.anything(rest)) }
    } else {
      descend { owned = nil }
    }
  }

  /// Does what may release things that do the same.
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
    let state = vv_release_state()!
    if state.pointee.queue == nil {
      state.pointee.queue = Unmanaged.passRetained(Queue()).toOpaque()
    }
    guard let pointer = state.pointee.queue else { return }
    Unmanaged<Queue>.fromOpaque(pointer)._withUnsafeGuaranteedRef { $0.waiting.append(remains) }
  }

  private static func drain() {
    guard let pointer = vv_release_state().pointee.queue else { return }
    let queue = Unmanaged<Queue>.fromOpaque(pointer).takeUnretainedValue()
    // Those who are released here may put more aside, but drain nothing themselves.
    vv_release_state().pointee.depth = 1
    while let remains = queue.waiting.popLast() {
      if case .work(let work) = remains { work() }
    }
    vv_release_state().pointee.depth = 0
    vv_release_state().pointee.queue = nil
    Unmanaged<Queue>.fromOpaque(pointer).release()
  }
}
