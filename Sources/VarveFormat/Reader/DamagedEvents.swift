/// The events that are missing because parts of a file cannot be read.
enum DamagedEvents {
  /// Returns the gaps between the blocks of a thread that no loss accounts for: events are numbered, those
  /// that were lost as well.
  ///
  /// - Parameters:
  ///   - blocks: the blocks that can be read.
  ///   - losses: the losses that were recorded.
  static func between(_ blocks: [BlockSummary], _ losses: [TraceLoss]) -> [TraceLoss] {
    var last: [UInt32: BlockSummary] = [:]
    var gaps: [TraceLoss] = []
    for block in blocks {
      defer { last[block.ring] = block }
      guard let before = last[block.ring] else { continue }
      let end = before.firstSequence &+ UInt64(before.count)
      guard block.firstSequence > end else { continue }
      let first = min(before.ticks.upperBound, block.ticks.lowerBound)
      gaps.append(
        TraceLoss(
          ring: block.ring, count: block.firstSequence - end, ticks: first...block.ticks.lowerBound,
          reason: .damaged))
    }
    guard !gaps.isEmpty else { return [] }
    let told = Dictionary(grouping: losses.filter { $0.reason != .notDefined }, by: \.ring)
    return gaps.compactMap { gap in
      var rest = gap
      for loss in told[gap.ring] ?? [] where loss.ticks.overlaps(gap.ticks) {
        rest.count -= min(loss.count, rest.count)
      }
      return rest.count > 0 ? rest : nil
    }
  }
}

extension TraceLoss {
  /// The loss of all events of a block that cannot be read.
  init(of block: BlockSummary) {
    self.init(ring: block.ring, count: UInt64(block.count), ticks: block.ticks, reason: .damaged)
  }
}

extension TraceReader {
  /// Returns a reader of the same trace that leaves out damaged blocks, whose events count as lost.
  ///
  /// - Parameter damage: what ``checkBlocks(progress:)`` has found.
  public func leavingOut(_ damage: [TraceDamage]) -> TraceReader {
    let offsets = Set(damage.map(\.offset))
    let damaged = Set(
      blocks.indices.filter { blocks[$0].offset.map(offsets.contains) ?? false })
    return damaged.isEmpty ? self : TraceReader(self, without: damaged, damage: damage)
  }
}
