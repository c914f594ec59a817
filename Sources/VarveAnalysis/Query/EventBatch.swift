public import VarveFormat

/// A decoded block, and which of its events are asked for.
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

  /// Takes over what is selected, before it is merged with what others have.
  func prepareMerge() {
    reserve(selected.count)
    count = selected.count
    columns.ticks.withUnsafeBufferPointer { ticks in
      selected.withUnsafeBufferPointer { selected in
        for (position, index) in selected.enumerated() {
          selectedIndices[position] = index
          selectedTicks[position] = ticks[Int(index)]
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
}
