/// Puts the events of several blocks into the order of their ticks; of two at one tick, that of the
/// older thread comes first, and of one thread's the one that it wrote first.
struct EventMerge {
  /// A block that has events left.
  private struct Open {
    let batch: EventBatch
    let ring: UInt32
    var position: Int
    var tick: UInt64

    /// Whether its next event comes before another's.
    func isBefore(_ other: Open) -> Bool {
      (tick, ring, batch.columns.firstSequence)
        < (other.tick, other.ring, other.batch.columns.firstSequence)
    }
  }

  /// The next one last.
  private var open: [Open] = []

  /// The tick of the next event; nil when there is none.
  var nextTick: UInt64? { open.last?.tick }

  /// Adds a block, of which some event must be selected.
  mutating func add(_ batch: EventBatch) {
    batch.prepareMerge()
    insert(
      Open(batch: batch, ring: batch.columns.ring, position: 0, tick: batch.selectedTicks[0]))
  }

  private mutating func insert(_ block: Open) {
    var place = open.count
    while place > 0, open[place - 1].isBefore(block) { place -= 1 }
    open.insert(block, at: place)
  }

  /// Moves events to the page as far as they come before `limit`; returns a block whose events are
  /// all on the page now, if there is one.
  mutating func fill(_ page: EventPage, before limit: UInt64?) -> EventBatch? {
    while var first = open.last, limit.map({ first.tick < $0 }) ?? true {
      guard !page.isFull(for: first.batch) else { return nil }
      open.removeLast()
      let end = end(of: first, before: limit)
      page.append(first.position..<end, of: first.batch)
      guard end < first.batch.count else { return first.batch }
      first.position = end
      first.tick = first.batch.selectedTicks[end]
      insert(first)
    }
    return nil
  }

  /// How far the block's events come before those of the others: at least one does.
  private func end(of first: Open, before limit: UInt64?) -> Int {
    var last = limit.map { $0 - 1 } ?? .max
    if let other = open.last {
      let reaches =
        first.ring < other.ring || other.tick == first.tick ? other.tick : other.tick - 1
      last = min(last, reaches)
    }
    let ticks = first.batch.selectedTicks
    let most = min(first.batch.count, first.position + EventPage.mostEntries)
    if ticks[most - 1] <= last { return most }
    var end = first.position + 1
    while end < most, ticks[end] <= last { end += 1 }
    return end
  }
}
