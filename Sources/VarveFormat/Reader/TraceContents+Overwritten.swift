extension TraceContents {
  /// What the rings of a flight recorder have given up, and nobody has told of: a record's number
  /// says how many were before it.
  ///
  /// - Parameter start: a tick before all records.
  func overwritten(in rings: [SidecarRing], since start: UInt64) -> [TraceLoss] {
    rings.compactMap { ring in
      let id = ring.thread.ring
      let known = max(ring.told, lastSequences[id] ?? 0)
      guard EventBlockHeader.sequences.contains(ring.firstSequence),
        ring.firstSequence > known, ring.firstSequence - known > 1, let first = ring.firstTick
      else { return nil }
      let last = first &- 1
      let before = max(start, lastTick(of: ring)) &+ 1
      return TraceLoss(
        ring: id, count: ring.firstSequence - 1 - known, ticks: min(before, last)...last,
        reason: .notKept)
    }
  }

  /// The last tick of a ring that something is known of.
  private func lastTick(of ring: SidecarRing) -> UInt64 {
    let id = ring.thread.ring
    let inBlocks = blocks.last { $0.ring == id }?.ticks.upperBound ?? 0
    let told = (losses.sorted + ring.losses).filter { $0.ring == id && $0.reason == .notKept }
    return told.reduce(inBlocks) { max($0, $1.ticks.upperBound) }
  }
}

extension SidecarRing {
  /// The tick of the first record; nil when there is none.
  fileprivate var firstTick: UInt64? { withRecords { RingRecord($0)?.ticks } }
}
