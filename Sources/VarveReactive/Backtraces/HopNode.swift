internal import CVarveSystem

/// One piece of scheduled work in an asynchronous backtrace: where it was scheduled, and during
/// what.
///
/// It is counted by hand: who gets one gives it on, or ends it by `release`.
struct HopNode: @unchecked Sendable {
  // Safety: a node does not change once it is made, and its count is atomic.
  let pointer: UnsafeMutablePointer<vv_hop>

  /// A node for work that was scheduled; nil when nobody asked for it.
  ///
  /// - Parameters:
  ///   - stack: the number of the stack that scheduled it.
  ///   - way: what it was scheduled during; used up.
  init?(id: UInt64, scheduler: UInt32, stack: UInt32, scheduledDuring way: WayBack) {
    guard way.isTaken,
      let made = vv_hop_make(ThreadSlot.current, way.word, id, scheduler, stack)
    else { return nil }
    pointer = made
  }

  fileprivate init(_ pointer: UnsafeMutablePointer<vv_hop>) { self.pointer = pointer }

  /// How the work came to its thread that runs on the calling one; a new owner.
  static func running(on thread: ThreadSlot) -> HopNode? {
    vv_hop_share(thread).map(HopNode.init)
  }

  /// The same node with one owner more.
  func retained() -> HopNode {
    vv_hop_retain(pointer)
    return self
  }

  /// Gives one ownership up.
  func release() { vv_hop_release(pointer) }

  /// The node's chain, newest first, as far as it is shown.
  var chain: (nodes: [vv_hop], isCut: Bool) {
    var nodes: [vv_hop] = []
    var next: UnsafeMutablePointer<vv_hop>? = pointer
    while let node = next, nodes.count < Int(VV_HOP_CHAIN) {
      nodes.append(node.pointee)
      next = node.pointee.parent
    }
    return (nodes, next != nil || pointer.pointee.is_cut != 0)
  }
}
