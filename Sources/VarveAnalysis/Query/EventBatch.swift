public import VarveFormat

/// A decoded block or a part of one, and the selection of its events.
///
/// A query reuses a few of these objects, so nothing is allocated per event.
public final class EventBatch {
  /// The events. Only the requested columns are filled.
  public internal(set) var columns = EventColumns()

  /// The indices of the matching events, ascending, and their ticks. They are kept apart from the
  /// columns so that merging touches nothing else.
  package var selected: [UInt32] = []
  // Safety: what is not checked is looked at for every few events, by one thread at a time, and nothing
  // calls out while it changes one of these.
  /// The block's index in its source.
  @exclusivity(unchecked) package internal(set) var block = 0
  /// The batch's position in the page that is being assembled; nil when it is not on the page.
  @exclusivity(unchecked) var place: UInt32?
  /// Of the selected events that stand for others of the block, by their indices: for how many, and the
  /// index of the last of these. Both are empty where each stands for itself.
  @exclusivity(unchecked) package var others: [UInt32] = []
  @exclusivity(unchecked) package var lastOthers: [UInt32] = []
  // Safety: as above.
  @exclusivity(unchecked) private(set) var selectedTicks: UnsafeMutablePointer<UInt64>
  @exclusivity(unchecked) private(set) var selectedIndices: UnsafeMutablePointer<UInt32>
  @exclusivity(unchecked) private(set) var count = 0
  private var capacity = 0

  init() {
    selectedTicks = .allocate(capacity: 0)
    selectedIndices = .allocate(capacity: 0)
  }

  deinit {
    selectedTicks.deallocate()
    selectedIndices.deallocate()
  }

  /// Removes selected events.
  func sift(_ body: (inout [UInt32], ColumnPointers) -> Void) {
    var rows: [UInt32] = []
    swap(&rows, &selected)
    withPointers { body(&rows, $0) }
    selected = rows
  }

  /// Prepares the selected events for merging. Later ticks count as `lastTick`, so that a block
  /// that lasts longer than its header says is not held longer.
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

  /// The memory for a selected event besides its columns, in bytes.
  private static let bytesOfSelected =
    2 * MemoryLayout<UInt32>.stride + MemoryLayout<UInt64>.stride

  /// The memory allocated for the batch, including what merging needs, in bytes.
  var heldBytes: Int {
    columns.heldBytes + selected.capacity * MemoryLayout<UInt32>.stride
      + max(capacity, selected.count) * (Self.bytesOfSelected - MemoryLayout<UInt32>.stride)
  }

  /// Returns the number of events, from the first selected one on, that fit into `most` bytes.
  func fitting(_ most: Int) -> Int {
    let start = Int(selected[0])
    return (1..<columns.count - start + 1).partitionPoint { count in
      columns.bytes(of: start..<start + count) + count * Self.bytesOfSelected > most
    } - 1
  }

  /// Returns the `count` events from the first selected one on, as a batch of their own, and the
  /// next selected event after them.
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
