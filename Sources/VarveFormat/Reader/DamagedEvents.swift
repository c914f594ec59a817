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
      .mapValues { ToldLosses($0) }
    return gaps.compactMap { gap in
      var rest = gap
      rest.count -= min(told[gap.ring]?.count(in: gap.ticks) ?? 0, rest.count)
      return rest.count > 0 ? rest : nil
    }
  }
}

/// The recorded losses of a ring, summed up: a file may have very many.
private struct ToldLosses {
  /// The first ticks in their order, each with the count of all losses up to it; likewise the last ones.
  private let begun: [(tick: UInt64, count: UInt64)]
  private let ended: [(tick: UInt64, count: UInt64)]

  init(_ losses: [TraceLoss]) {
    func summed(_ ticks: [(tick: UInt64, count: UInt64)]) -> [(tick: UInt64, count: UInt64)] {
      var sum: UInt64 = 0
      return ticks.sorted { $0.tick < $1.tick }.map { tick, count in
        sum = sum.addingReportingOverflow(count).overflow ? .max : sum + count
        return (tick, sum)
      }
    }
    begun = summed(losses.map { ($0.ticks.lowerBound, $0.count) })
    ended = summed(losses.map { ($0.ticks.upperBound, $0.count) })
  }

  /// Returns the count of the losses that are not all before or after a period.
  func count(in ticks: ClosedRange<UInt64>) -> UInt64 {
    let first = begun.partitionPoint { $0.tick > ticks.upperBound }
    let last = ended.partitionPoint { $0.tick >= ticks.lowerBound }
    let begun = first > 0 ? begun[first - 1].count : 0
    let ended = last > 0 ? ended[last - 1].count : 0
    return begun - min(ended, begun)
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
