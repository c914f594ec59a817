internal import VarveFormat
internal import VarveProbe

/// One pass over the blocks of a trace that counts the events in the kept tiles.
///
/// Blocks are taken in the order in which they begin, and of each only the events before the next
/// one begins are counted at once. So tiles are finished one after the other, and few are open at a
/// time, whatever the number of threads.
final class TileSweep {
  private(set) var done: [TileKey: StoredTile] = [:]
  private(set) var tallies: LaneTallies
  private(set) var damage: [TraceFileError] = []

  private let plan: TilePlan
  private var balances: SubscriptionBalances
  private var finder: LaneFinder
  private var open: [TileKey: UnsafeMutablePointer<UInt32>] = [:]
  private var spare: [UnsafeMutablePointer<UInt32>] = []
  private var decoding: [Decoding] = []
  private var free: [Decoding] = []

  /// The tile that the last event fell into.
  private var place = Place()

  /// An open tile, and the ticks for which it is the deepest.
  private struct Place {
    /// The tile's cells; nil if it is finished.
    var cells: UnsafeMutablePointer<UInt32>?
    var lower: UInt64 = 1
    var upper: UInt64 = 0
    /// The tile's first tick.
    var origin: UInt64 = 0
    var shift: UInt64 = 0
  }

  /// A block of which a part has been counted.
  private final class Decoding {
    var columns = EventColumns()
    var next = 0
  }

  private var count: Int { TileGrid.buckets * plan.lanes }

  init(_ plan: TilePlan, _ lanes: TileLanes) {
    self.plan = plan
    finder = LaneFinder(lanes)
    tallies = LaneTallies(lanes.all.count)
    balances = SubscriptionBalances(plan.times, lanes: lanes.all.count)
  }

  deinit { for cells in Array(open.values) + spare { cells.deallocate() } }

  /// Counts the events of a part of the time, given in ticks from the first.
  ///
  /// - Parameters:
  ///   - decode: decodes times, streams and kinds of a block.
  ///   - goesOn: called with the number of events read since the last call.
  /// - Returns: false if `goesOn` did not want more.
  func run(
    _ ticks: Range<UInt64>,
    decode: (Int, inout EventColumns) throws(TraceFileError) -> Void, goesOn: (Int) -> Bool
  ) -> Bool {
    let times = plan.times
    let places = times.order.indices.filter {
      times.lower[$0] < ticks.upperBound && times.upper[$0] >= ticks.lowerBound
    }
    for (number, place) in places.enumerated() {
      let block = free.popLast() ?? Decoding()
      block.next = 0
      do {
        try decode(times.order[place], &block.columns)
        decoding.append(block)
      } catch {
        damage.append(error)
        free.append(block)
      }
      let next = number + 1 < places.count ? times.lower[places[number + 1]] : ticks.upperBound
      count(before: isCrowded ? ticks.upperBound : min(next, ticks.upperBound), of: ticks)
      if number % 16 == 15 { close(before: next, after: ticks.lowerBound) }
      guard goesOn(times.counts[place]) else { return false }
    }
    count(before: ticks.upperBound, of: ticks)
    return true
  }

  /// Whether so many blocks overlap that their events are counted without regard to time.
  private var isCrowded: Bool {
    decoding.count > 64
      && decoding.reduce(0) { $0 + $1.columns.count } > 2_500_000
  }

  private func count(before end: UInt64, of ticks: Range<UInt64>) {
    decoding.removeAll { block in
      add(block, before: end, of: ticks)
      let isDone = block.next >= block.columns.count
      if isDone { free.append(block) }
      return isDone
    }
  }

  private func add(_ block: Decoding, before end: UInt64, of ticks: Range<UInt64>) {
    let (first, last) = (plan.grid.first, plan.grid.last)
    let lanes = plan.lanes
    let isLast = end == ticks.upperBound
    var (next, hasWorked) = (block.next, false)
    // What every event needs is held in variables, which need no checks of exclusive access.
    var here = place
    var balances = self.balances
    self.balances = SubscriptionBalances()
    let recording = UInt64(EventName.recording(block.columns.ring))
    let (subscribed, ended) = (RecordKind.subscribed.rawValue, RecordKind.ended.rawValue)
    _ = tallies.withWords { words in
      TileCell.flags.withUnsafeBufferPointer { flags in
        next = finder.forEach(block.columns, from: next) { time, lane, kind in
          // A damaged block may tell of other times than its header.
          guard lane >= 0, time >= first, time <= last else { return true }
          let tick = time &- first
          guard tick < end else { return isLast }
          guard tick >= ticks.lowerBound else { return true }
          if tick < here.lower || tick > here.upper { here = place(of: tick) }
          LaneTallies.add(time, lane, kind, recording, to: words)
          if kind == subscribed { balances.note(1, lane, at: tick) }
          if kind == ended { balances.note(-1, lane, at: tick) }
          if kind == RecordKind.hopBegan.rawValue { hasWorked = true }
          guard let cells = here.cells else { return true }
          let cell = cells + (Int((tick &- here.origin) >> here.shift) &* lanes &+ lane)
          cell.pointee = TileCell.adding(flags[Int(kind)], to: cell.pointee)
          return true
        }
      }
    }
    if hasWorked { tallies.note(working: block.columns.ring) }
    block.next = next
    place = here
    self.balances = balances
  }

  /// Finds the deepest kept tile of a moment, and how far it is the deepest.
  private func place(of tick: UInt64) -> Place {
    let key = plan.deepest(at: tick)
    let below = key.level == 0 ? key : plan.grid.tile(of: tick, level: key.level - 1)
    let ticks = plan.grid.ticks(below)
    return Place(
      cells: done[key] == nil ? counts(key) : nil, lower: ticks.lowerBound,
      upper: ticks.upperBound, origin: plan.grid.ticks(key).lowerBound,
      shift: UInt64(2 * key.level))
  }

  private func counts(_ key: TileKey) -> UnsafeMutablePointer<UInt32> {
    if let known = open[key] { return known }
    let made = spare.popLast() ?? .allocate(capacity: count)
    made.initialize(repeating: 0, count: count)
    open[key] = made
    return made
  }

  /// Finishes the tiles that end before a moment and begin after another, from the finest on: to
  /// finish one may open the one above it.
  private func close(before end: UInt64, after start: UInt64) {
    for level in 0...plan.grid.root {
      for key in open.keys where key.level == level {
        let ticks = plan.grid.ticks(key)
        if ticks.upperBound < end, ticks.lowerBound >= start { finish(key) }
      }
    }
  }

  /// Adds a tile to the one above it, and stores it.
  private func finish(_ key: TileKey) {
    guard let cells = open.removeValue(forKey: key) else { return }
    if key.level < plan.grid.root, done[key.parent] == nil {
      let above = counts(key.parent)
      let lanes = plan.lanes
      for bucket in 0..<TileGrid.buckets {
        let to = above + (Int(key.index & 3) * 64 + bucket / 4) * lanes
        let from = cells + bucket * lanes
        for lane in 0..<lanes where from[lane] != 0 {
          to[lane] = TileCell.sum(to[lane], from[lane])
        }
      }
    }
    done[key] = StoredTile(cells, lanes: plan.lanes)
    spare.append(cells)
    place = Place()
  }

  /// Takes over what another sweep, of another part of the time, has counted.
  func take(_ other: TileSweep) {
    for (key, cells) in other.open {
      let own = counts(key)
      for index in 0..<count where cells[index] != 0 {
        own[index] = TileCell.sum(own[index], cells[index])
      }
    }
    done.merge(other.done) { own, _ in own }
    tallies.add(other.tallies)
    balances.add(other.balances)
    damage += other.damage
  }

  /// Finishes all tiles.
  func finish() {
    tallies.balances = balances
    for level in 0...plan.grid.root {
      for key in open.keys where key.level == level { finish(key) }
    }
  }
}
