internal import VarveFormat

/// Puts the events of several blocks into the order of their ticks; of two at one tick, that of the
/// older thread comes first, and of one thread's the one that it wrote first.
///
/// A block waits until an event of it may be the next one, and only then asks to be opened. What is
/// held of a block may be a part of its events: then it asks again when they have been used up.
struct EventMerge {
  /// Why no more events can be moved to a page.
  enum Pause {
    /// A block has to be opened, or given up, first.
    case due(Due)
    /// The events of a batch are all on the page now.
    case used(EventBatch)
    /// The page is full.
    case full
    /// There are no more events.
    case end
  }

  /// A block that has to be opened.
  struct Due {
    /// Its place in the trace.
    let block: Int
    /// The first of its events that is of interest.
    let start: Int
    /// So many blocks may be open beside it, itself counted.
    let depth: Int
  }

  private struct Run {
    let block: Int
    let depth: Int
    let lastTick: UInt64
    /// What is held of the block, and which of the events selected there comes next.
    var batch: EventBatch?
    var position = 0
    /// Where the events begin that the batch does not hold, and when; nil when there are none.
    var rest: (index: Int, tick: UInt64)?
  }

  /// When a block's next event happens, or may happen.
  private struct Turn {
    var tick: UInt64
    /// The block's place among all by thread and sequence.
    var rank: Int

    func isBefore(_ other: Turn) -> Bool {
      tick < other.tick || tick == other.tick && rank < other.rank
    }
  }

  /// The blocks by thread and sequence.
  private var runs: [Run]
  /// Whose turn it is, as a heap.
  private var turns: [Turn]
  /// What the batches take that are open, and the most that they took at any time.
  private var heldBytes = 0
  private(set) var mostBytes = 0

  /// Merges some blocks of a trace, by their places there.
  init(_ candidates: [Int], of blocks: [BlockSummary]) {
    let sorted = candidates.sorted {
      (blocks[$0].ring, blocks[$0].firstSequence, $0)
        < (blocks[$1].ring, blocks[$1].firstSequence, $1)
    }
    let depths = BlockDepths(of: sorted, in: blocks)
    runs = sorted.enumerated().map { rank, block in
      Run(
        block: block, depth: depths[rank], lastTick: blocks[block].ticks.upperBound,
        rest: (0, blocks[block].ticks.lowerBound))
    }
    turns = sorted.indices.map { Turn(tick: blocks[sorted[$0]].ticks.lowerBound, rank: $0) }
    turns.sort { $0.isBefore($1) }
  }

  /// Moves events to the page until something else has to be done.
  mutating func fill(_ page: EventPage) -> Pause {
    while let turn = turns.first {
      let rank = turn.rank
      guard let batch = runs[rank].batch else {
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
      runs[rank].batch = nil
      heldBytes -= batch.heldBytes
      if let rest = runs[rank].rest { postpone(to: rest.tick) } else { giveUp() }
      return .used(batch)
    }
    return .end
  }

  // MARK: - The block that is due

  /// Whether an event of the block that is due would be the next one.
  func isNext(tick: UInt64) -> Bool {
    guard let turn = turns.first, let next else { return true }
    // As `leave` would put it: a block's events may lie outside the time that its header says.
    let tick = min(tick, runs[turn.rank].lastTick)
    return Turn(tick: tick, rank: turn.rank).isBefore(next)
  }

  /// Opens the block that is due, with all of its events or the first of them; `rest` tells where
  /// the others begin.
  mutating func open(_ batch: EventBatch, rest: (index: Int, tick: UInt64)?) {
    guard let turn = turns.first else { return }
    let lastTick = runs[turn.rank].lastTick
    batch.prepareMerge(upTo: lastTick)
    heldBytes += batch.heldBytes
    mostBytes = max(mostBytes, heldBytes)
    runs[turn.rank].batch = batch
    runs[turn.rank].position = 0
    runs[turn.rank].rest = rest.map { ($0.index, min($0.tick, lastTick)) }
    postpone(to: batch.selectedTicks[0])
  }

  /// Leaves the block that is due closed until its next event's turn.
  mutating func leave(_ next: (index: Int, tick: UInt64)) {
    guard let turn = turns.first else { return }
    let tick = min(next.tick, runs[turn.rank].lastTick)
    runs[turn.rank].rest = (next.index, tick)
    postpone(to: tick)
  }

  /// Does without the block that is due.
  mutating func giveUp() {
    let last = turns.removeLast()
    guard !turns.isEmpty else { return }
    turns[0] = last
    sink()
  }

  // MARK: - Order

  /// How far the first block's events come before those of the others: at least one does.
  private func end(of batch: EventBatch, from position: Int) -> Int {
    var last = UInt64.max
    if let next { last = turns[0].rank < next.rank ? next.tick : next.tick &- 1 }
    let ticks = batch.selectedTicks
    let most = min(batch.count, position + EventPage.mostEntries)
    if ticks[most - 1] <= last { return most }
    var end = position + 1
    while end < most, ticks[end] <= last { end += 1 }
    return end
  }

  /// Whose turn it is after the first.
  private var next: Turn? {
    guard turns.count > 1 else { return nil }
    return turns.count > 2 && turns[2].isBefore(turns[1]) ? turns[2] : turns[1]
  }

  private mutating func postpone(to tick: UInt64) {
    turns[0].tick = tick
    sink()
  }

  /// Puts the first turn where it belongs.
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
