internal import VarveFormat

/// Some events in the order in which they happened, and the blocks that they lie in.
///
/// A query hands the same page out again and again: it must not be kept.
public final class EventPage {
  /// An event, by its block's place in the page and its index there.
  public struct Entry: Sendable {
    /// Which of `batches`.
    public var batch: UInt32
    /// Which of its events.
    public var index: UInt32
  }

  /// The blocks that the events lie in.
  public private(set) var batches: [EventBatch] = []
  /// The events in their order.
  public private(set) var entries: [Entry] = []
  /// Which of the entries are asked for now.
  public private(set) var due = 0..<0

  /// The most blocks that a page refers to.
  static let mostBatches = 32
  /// The most events on a page.
  static let mostEntries = 8192

  init() {}

  /// Whether another event of the batch has no place.
  func isFull(for batch: EventBatch) -> Bool {
    entries.count >= Self.mostEntries || batch.place == nil && batches.count == Self.mostBatches
  }

  /// Adds events of a batch, by their positions among those that are selected.
  func append(_ positions: Range<Int>, of batch: EventBatch) {
    let place = place(of: batch)
    let indices = batch.selectedIndices
    for position in positions { entries.append(Entry(batch: place, index: indices[position])) }
    due = 0..<entries.count
  }

  private func place(of batch: EventBatch) -> UInt32 {
    if let place = batch.place { return place }
    let place = UInt32(batches.count)
    batch.place = place
    batches.append(batch)
    return place
  }

  /// Leaves the first events out.
  func skip(_ count: Int) { due = due.dropFirst(count) }

  /// Leaves all but the first events out.
  func keep(_ count: Int) { due = due.prefix(count) }

  func clear() {
    for batch in batches { batch.place = nil }
    batches.removeAll(keepingCapacity: true)
    entries.removeAll(keepingCapacity: true)
    due = 0..<0
  }

  /// Calls `body` with each event that is due.
  public func forEach(_ body: (EventBatch, Int) -> Void) {
    for position in due {
      let entry = entries[position]
      body(batches[Int(entry.batch)], Int(entry.index))
    }
  }

  /// Hands out the events that are due one at a time, with their ticks, as pages of one.
  public func forEachAlone(_ body: (UInt64) -> Void) {
    let all = due
    defer { due = all }
    for position in all {
      due = position..<position + 1
      let entry = entries[position]
      body(batches[Int(entry.batch)].columns.ticks[Int(entry.index)])
    }
  }
}
