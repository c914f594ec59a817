public import VarveFormat

/// A decoded block or a part of one, and which of its events are asked for.
///
/// A query uses the same few objects again and again: nothing is allocated per event.
public final class EventBatch {
  /// The events. Only the columns that were asked for are filled.
  public internal(set) var columns = EventColumns()

  /// The indices of the events that match, ascending, and their ticks: apart from the columns, so
  /// that merging touches nothing else.
  var selected: [UInt32] = []
  private(set) var selectedTicks: UnsafeMutablePointer<UInt64>
  private(set) var selectedIndices: UnsafeMutablePointer<UInt32>
  private(set) var count = 0
  private var capacity = 0
  /// Where the batch stands in the page that is being put together; nil when it does not.
  var place: UInt32?

  init() {
    selectedTicks = .allocate(capacity: 0)
    selectedIndices = .allocate(capacity: 0)
  }

  deinit {
    selectedTicks.deallocate()
    selectedIndices.deallocate()
  }

  /// Takes over what is selected, before it is merged with what others have. Its turn comes at
  /// `lastTick` at the latest: a block that goes on for longer than it says would be held for longer.
  func prepareMerge(upTo lastTick: UInt64) {
    reserve(selected.count)
    count = selected.count
    columns.ticks.withUnsafeBufferPointer { ticks in
      selected.withUnsafeBufferPointer { selected in
        for (position, index) in selected.enumerated() {
          selectedIndices[position] = index
          selectedTicks[position] = min(ticks[Int(index)], lastTick)
        }
      }
    }
  }

  private func reserve(_ wanted: Int) {
    guard wanted > capacity else { return }
    selectedTicks.deallocate()
    selectedIndices.deallocate()
    capacity = wanted
    selectedTicks = .allocate(capacity: wanted)
    selectedIndices = .allocate(capacity: wanted)
  }

  // MARK: - Memory

  /// What an event takes that is selected, beside its columns.
  private static let bytesOfSelected =
    2 * MemoryLayout<UInt32>.stride + MemoryLayout<UInt64>.stride

  /// How much memory the batch has been given, or needs for being merged.
  var heldBytes: Int {
    columns.heldBytes + selected.capacity * MemoryLayout<UInt32>.stride
      + max(capacity, selected.count) * (Self.bytesOfSelected - MemoryLayout<UInt32>.stride)
  }

  /// How many events from the first that is selected on fit into so many bytes.
  func fitting(_ most: Int) -> Int {
    let start = Int(selected[0])
    return (1..<columns.count - start + 1).partitionPoint { count in
      columns.bytes(of: start..<start + count) + count * Self.bytesOfSelected > most
    } - 1
  }

  /// So many events from the first that is selected on, as a batch of their own, and where the next
  /// one lies that is selected.
  func beginning(_ count: Int) -> (batch: EventBatch, rest: (index: Int, tick: UInt64)?) {
    let start = Int(selected[0])
    let part = EventBatch()
    part.columns = EventColumns(start..<start + count, of: columns)
    let end = selected.partitionPoint { Int($0) >= start + count }
    part.selected = selected[..<end].map { $0 - UInt32(start) }
    guard end < selected.count else { return (part, nil) }
    return (part, (Int(selected[end]), columns.ticks[Int(selected[end])]))
  }
}
