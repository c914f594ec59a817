internal import CVarveSystem

/// The work during which another piece of work was scheduled, as carried by that piece until it
/// runs.
///
/// Reference counting is manual: the receiver passes the value on, or gives it up with `release`.
struct WayBack: Sendable {
  // Safety of the node that it may own: see `HopNode`.
  let word: vv_way

  /// Creates the way back of work that was scheduled while no backtraces were wanted.
  @inline(__always)
  init() { word = 0 }

  private init(word: vv_way) { self.word = word }

  /// Creates the way back of what the calling thread schedules now: the work that a scheduler runs
  /// there, or else the task.
  @inline(__always)
  init(from thread: ThreadSlot) {
    if let task = TaskChain.current(on: thread) {
      word = vv_way_of_node(task.node.retained().pointer)
    } else {
      word = vv_way_from_here(thread)
    }
  }

  /// Whether backtraces are wanted.
  var isTaken: Bool { word != 0 }

  /// The id of the work during which this work was scheduled, or 0.
  var id: UInt64 { vv_way_id(word) }

  /// Returns the same way back with an additional owner.
  func retained() -> WayBack { WayBack(word: vv_way_retain(word)) }

  /// Gives up one ownership.
  @inline(__always)
  func release() { vv_way_release(word) }
}
