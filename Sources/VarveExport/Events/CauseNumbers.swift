internal import VarveAnalysis
internal import VarveFormat

/// Finds the numbers of the events that caused an event.
final class CauseNumbers {
  private let number: (RecordReference) -> UInt64?

  init(_ source: some EventSource) { number = { source.eventNumber(of: $0) } }

  /// The nearest cause: the event during whose delivery this one happened, else the first of those
  /// that were named.
  @inline(__always)
  func nearest(_ block: ColumnPointers, _ batch: EventBatch, _ index: Int) -> UInt64? {
    let back = block.backs[index]
    if back == 0 { return nil }
    if Int(back) <= index { return block.firstEvent + UInt64(index) - UInt64(back) }
    return distant(batch, index, back).first
  }

  /// All causes, the nearest first.
  func all(_ block: ColumnPointers, _ batch: EventBatch, _ index: Int) -> [UInt64] {
    let back = block.backs[index]
    if back == 0 { return [] }
    guard Int(back) <= index else { return distant(batch, index, back) }
    return [block.firstEvent + UInt64(index) - UInt64(back)] + named(batch, index)
  }

  /// Causes that do not lie in the same block, or not only.
  private func distant(_ batch: EventBatch, _ index: Int, _ back: UInt32) -> [UInt64] {
    let sequence = batch.columns.firstSequence + UInt64(index)
    guard back != .max, sequence > UInt64(back) else { return named(batch, index) }
    let reference = RecordReference(ring: batch.columns.ring, sequence: sequence - UInt64(back))
    return [number(reference)].compactMap { $0 } + named(batch, index)
  }

  /// The causes that the recorder named; they stand in the order of the events.
  private func named(_ batch: EventBatch, _ index: Int) -> [UInt64] {
    let all = batch.columns.farCauses
    var lower = 0
    var upper = all.count
    while lower < upper {
      let middle = (lower + upper) / 2
      if all[middle].index < index { lower = middle + 1 } else { upper = middle }
    }
    return all[lower...].prefix { $0.index == index }.compactMap { number($0.cause) }
  }
}
