internal import CVarveSystem

/// A piece of scheduled work in an asynchronous backtrace: where it was scheduled, and during what.
///
/// Reference counting is manual: the receiver of a node passes it on, or gives it up with
/// `release`.
struct HopNode: @unchecked Sendable {
  // Safety: a node does not change after it is made, and its count is atomic.
  let pointer: UnsafeMutablePointer<vv_hop>

  /// Creates a node for work that was scheduled; nil if no backtraces are wanted.
  ///
  /// - Parameters:
  ///   - stack: the number of the stack that scheduled the work.
  ///   - way: what the work was scheduled during; consumed.
  init?(id: UInt64, scheduler: UInt32, stack: UInt32, scheduledDuring way: WayBack) {
    guard way.isTaken,
      let made = vv_hop_make(ThreadSlot.current, way.word, id, scheduler, stack)
    else { return nil }
    pointer = made
  }

  fileprivate init(_ pointer: UnsafeMutablePointer<vv_hop>) { self.pointer = pointer }

  /// Returns how the work that runs on the calling thread came there, with an additional owner.
  static func running(on thread: ThreadSlot) -> HopNode? {
    vv_hop_share(thread).map(HopNode.init)
  }

  /// Returns the same node with an additional owner.
  func retained() -> HopNode {
    vv_hop_retain(pointer)
    return self
  }

  /// Gives up one ownership.
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
