extension TraceContents {
  /// Returns the losses of a flight recorder's rings that have not been reported: the number of a
  /// record implies how many were before it.
  ///
  /// - Parameter start: A tick before all records.
  func overwritten(in rings: [SidecarRing], since start: UInt64) -> [TraceLoss] {
    let gaps = rings.compactMap { ring in gap(before: ring).map { (ring, $0.count, $0.end) } }
    guard !gaps.isEmpty else { return [] }
    let known = lastTicks
    return gaps.map { ring, count, end in
      let id = ring.thread.ring
      let told = ring.losses.filter { $0.ring == id && $0.reason == .notKept }
      let lastTick = told.reduce(known[id] ?? 0) { max($0, $1.ticks.upperBound) }
      let first = min(max(start, lastTick) &+ 1, end)
      return TraceLoss(ring: id, count: count, ticks: first...end, reason: .notKept)
    }
  }

  /// Returns the number of records before a ring's first that are neither in a block nor reported,
  /// and the last tick at which one of them can have happened.
  private func gap(before ring: SidecarRing) -> (count: UInt64, end: UInt64)? {
    let known = max(ring.told, lastSequences[ring.thread.ring] ?? 0)
    guard EventBlockHeader.sequences.contains(ring.firstSequence),
      ring.firstSequence > known, ring.firstSequence - known > 1, let first = ring.firstTick
    else { return nil }
    return (ring.firstSequence - 1 - known, first &- 1)
  }

  /// The last tick in the file, by ring.
  private var lastTicks: [UInt32: UInt64] {
    var ticks: [UInt32: UInt64] = [:]
    for block in blocks { ticks[block.ring] = block.ticks.upperBound }
    for loss in losses.all where loss.reason == .notKept {
      ticks[loss.ring] = max(ticks[loss.ring] ?? 0, loss.ticks.upperBound)
    }
    return ticks
  }
}

extension SidecarRing {
  /// The tick of the first record; nil if there is none.
  fileprivate var firstTick: UInt64? { withRecords { RingRecord($0)?.ticks } }
}
