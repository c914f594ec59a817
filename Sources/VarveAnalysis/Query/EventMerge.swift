internal import VarveFormat

/// Merges the events of several blocks in tick order. At the same tick, the event of the older
/// thread comes first; on the same thread, the event that was written first.
///
/// A block is opened only when one of its events may be the next. If only some of its events are
/// held, it has to be opened again when those are used up.
struct EventMerge {
  /// The reason why no more events can be moved to a page.
  enum Pause {
    /// A block has to be opened or given up first.
    case due(Due)
    /// All events of a batch are on the page now.
    case used(EventBatch)
    /// The page is full.
    case full
    /// There are no more events.
    case end
  }

  /// A block that has to be opened.
  struct Due {
    /// Its index in the trace.
    let block: Int
    /// The index of its first event of interest.
    let start: Int
    /// The number of blocks that may be open at the same time, including this one.
    let depth: Int
  }

  private struct Run {
    let block: Int
    let depth: Int
    let lastTick: UInt64
    /// The position of the next event among those selected in the part of the block that is held.
    var position = 0
    /// The index and tick of the first event that the batch does not hold; nil when there is none.
    var rest: (index: Int, tick: UInt64)?
  }

  /// The tick of a block's next event, or the earliest that it may have.
  private struct Turn {
    var tick: UInt64
    /// The block's rank among all by thread and sequence.
    var rank: Int

    func isBefore(_ other: Turn) -> Bool {
      tick < other.tick || tick == other.tick && rank < other.rank
    }
  }

  /// The blocks by thread and sequence.
  private var runs: [Run]
  /// The parts of them that are held; apart, since a copy of a run should copy no reference.
  private var batches: [EventBatch?]
  /// The blocks' turns, as a heap.
  private var turns: [Turn]
  /// The current and the maximum memory of the open batches, in bytes.
  private var heldBytes = 0
  private(set) var mostBytes = 0
  /// Whether the blocks follow each other as a whole, thread after thread.
  private let isByThread: Bool

  /// Creates a merge of some blocks of a trace, given by index.
  ///
  /// - Parameter isByThread: Puts all events of a thread before those of the next, in the order in
  ///   which they were written.
  init(_ candidates: [Int], of blocks: [BlockSummary], isByThread: Bool = false) {
    self.isByThread = isByThread
    let sorted = candidates.sorted {
      (blocks[$0].ring, blocks[$0].firstSequence, $0)
        < (blocks[$1].ring, blocks[$1].firstSequence, $1)
    }
    let depths = isByThread ? nil : BlockDepths(of: sorted, in: blocks)
    runs = sorted.enumerated().map { rank, block in
      Run(
        block: block, depth: depths?[rank] ?? 1, lastTick: blocks[block].ticks.upperBound,
        rest: (0, blocks[block].ticks.lowerBound))
    }
    batches = Array(repeating: nil, count: sorted.count)
    turns = sorted.indices.map {
      Turn(tick: isByThread ? 0 : blocks[sorted[$0]].ticks.lowerBound, rank: $0)
    }
    turns.sort { $0.isBefore($1) }
  }

  /// The blocks in the order in which they will be opened; to be asked for before the first is.
  var blocks: [Int] { turns.map { runs[$0.rank].block } }

  /// The greatest number of blocks that may be open at the same time.
  var depth: Int { runs.lazy.map(\.depth).max() ?? 0 }

  /// Moves events to the page until something else has to be done first.
  mutating func fill(_ page: EventPage) -> Pause {
    while let turn = turns.first {
      let rank = turn.rank
      guard let batch = batches[rank] else {
        return .due(
          Due(
            block: runs[rank].block, start: runs[rank].rest?.index ?? 0, depth: runs[rank].depth))
      }
      guard !page.isFull(for: batch) else { return .full }
      let position = runs[rank].position
      let end = end(of: batch, from: position)
      page.append(position..<end, of: batch)
      runs[rank].position = end
      if end < batch.count {
        postpone(to: batch.selectedTicks[end])
        continue
      }
      batches[rank] = nil
      heldBytes -= batch.heldBytes
      if let rest = runs[rank].rest { postpone(to: rest.tick) } else { giveUp() }
      return .used(batch)
    }
    return .end
  }

  // MARK: - The block that is due

  /// Returns whether an event of the due block at `tick` would be the next one.
  func isNext(tick: UInt64) -> Bool {
    guard !isByThread, let turn = turns.first, let next else { return true }
    // As in `leave`: a block's events may lie outside the time in its header.
    let tick = min(tick, runs[turn.rank].lastTick)
    return Turn(tick: tick, rank: turn.rank).isBefore(next)
  }

  /// Opens the due block with all of its events, or the first of them; `rest` is the first of the
  /// others.
  mutating func open(_ batch: EventBatch, rest: (index: Int, tick: UInt64)?) {
    guard let turn = turns.first else { return }
    let lastTick = runs[turn.rank].lastTick
    batch.prepareMerge(upTo: lastTick)
    heldBytes += batch.heldBytes
    mostBytes = max(mostBytes, heldBytes)
    batches[turn.rank] = batch
    runs[turn.rank].position = 0
    runs[turn.rank].rest = rest.map { ($0.index, min($0.tick, lastTick)) }
    postpone(to: batch.selectedTicks[0])
  }

  /// Leaves the due block closed until the turn of its next event.
  mutating func leave(_ next: (index: Int, tick: UInt64)) {
    guard let turn = turns.first else { return }
    let tick = min(next.tick, runs[turn.rank].lastTick)
    runs[turn.rank].rest = (next.index, tick)
    postpone(to: tick)
  }

  /// Drops the due block.
  mutating func giveUp() {
    let last = turns.removeLast()
    guard !turns.isEmpty else { return }
    turns[0] = last
    sink()
  }

  // MARK: - Order

  /// Returns the position up to which the first block's events come before those of all others; at
  /// least one does.
  private func end(of batch: EventBatch, from position: Int) -> Int {
    var last = UInt64.max
    if !isByThread, let next { last = turns[0].rank < next.rank ? next.tick : next.tick &- 1 }
    let ticks = batch.selectedTicks
    let most = min(batch.count, position + EventPage.mostEntries)
    if ticks[most - 1] <= last { return most }
    var end = position + 1
    while end < most, ticks[end] <= last { end += 1 }
    return end
  }

  /// The turn after the first one.
  private var next: Turn? {
    guard turns.count > 1 else { return nil }
    return turns.count > 2 && turns[2].isBefore(turns[1]) ? turns[2] : turns[1]
  }

  private mutating func postpone(to tick: UInt64) {
    if !isByThread { turns[0].tick = tick }
    sink()
  }

  /// Sifts the first turn down to its place in the heap.
  private mutating func sink() {
    let turn = turns[0]
    var place = 0
    while true {
      var child = 2 * place + 1
      guard child < turns.count else { break }
      if child + 1 < turns.count, turns[child + 1].isBefore(turns[child]) { child += 1 }
      guard turns[child].isBefore(turn) else { break }
      turns[place] = turns[child]
      place = child
    }
    turns[place] = turn
  }
}
