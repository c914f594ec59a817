internal import CVarveSystem

/// What a piece of work was scheduled during, as it carries that until it runs.
///
/// It is counted by hand: who gets one gives it on, or ends it by `release`.
struct WayBack: Sendable {
  // Safety of the node that it may own: see `HopNode`.
  let word: vv_way

  /// Of work that was scheduled while nobody asked for backtraces.
  @inline(__always)
  init() { word = 0 }

  private init(word: vv_way) { self.word = word }

  /// Of what the calling thread schedules now: the work that a scheduler runs there, else the task.
  @inline(__always)
  init(from thread: ThreadSlot) {
    if let task = TaskChain.current(on: thread) {
      word = vv_way_of_node(task.node.retained().pointer)
    } else {
      word = vv_way_from_here(thread)
    }
  }

  /// Whether somebody asked for backtraces.
  var isTaken: Bool { word != 0 }

  /// The id of the work during which it was scheduled, or 0.
  var id: UInt64 { vv_way_id(word) }

  /// The same once more, with an owner more.
  func retained() -> WayBack { WayBack(word: vv_way_retain(word)) }

  /// Gives one ownership up.
  @inline(__always)
  func release() { vv_way_release(word) }
}
