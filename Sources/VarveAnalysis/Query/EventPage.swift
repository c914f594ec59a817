internal import VarveFormat

/// Some events in the order in which they happened, with their blocks.
///
/// A query reuses its page, so the page must not be kept.
public final class EventPage {
  /// An event, given by its block's position in the page and its index in the block.
  public struct Entry: Sendable {
    /// The position of the block in `batches`.
    public var batch: UInt32
    /// The index of the event in the block.
    public var index: UInt32
  }

  // Safety: a page belongs to the query that fills it, every few events, and nothing calls out while it
  // changes one of these.
  /// The blocks that the events lie in.
  @exclusivity(unchecked) public private(set) var batches: [EventBatch] = []
  /// The events, in order.
  @exclusivity(unchecked) public private(set) var entries: [Entry] = []
  /// The range of entries that is currently due.
  @exclusivity(unchecked) public private(set) var due = 0..<0

  /// The maximum number of blocks that a page refers to.
  static let mostBatches = 32
  /// The maximum number of events on a page.
  static let mostEntries = 8192

  package init() {}

  /// Returns whether the page has no room for another event of the batch.
  func isFull(for batch: EventBatch) -> Bool {
    entries.count >= Self.mostEntries || batch.place == nil && batches.count == Self.mostBatches
  }

  /// Adds events of a batch, given by their positions among the selected ones.
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

  /// Drops the first events.
  func skip(_ count: Int) { due = due.dropFirst(count) }

  /// Drops all but the first events.
  func keep(_ count: Int) { due = due.prefix(count) }

  func clear() {
    for batch in batches { batch.place = nil }
    batches.removeAll(keepingCapacity: true)
    entries.removeAll(keepingCapacity: true)
    due = 0..<0
  }

  /// The tick of the last due event; nil when there is none.
  public var lastTick: UInt64? {
    due.last.map { position in
      let entry = entries[position]
      return batches[Int(entry.batch)].columns.ticks[Int(entry.index)]
    }
  }

  /// Calls `body` with each due event.
  public func forEach(_ body: (EventBatch, Int) -> Void) {
    for position in due {
      let entry = entries[position]
      body(batches[Int(entry.batch)], Int(entry.index))
    }
  }

  /// Calls `body` with the tick of each due event in turn, while the page holds only that event.
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
