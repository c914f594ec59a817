internal import VarveFormat
internal import VarveProbe

/// The tiles of an answer that are not kept, while they are counted or estimated.
struct TileRequest {
  private let level: Int
  private let keys: [TileKey]
  private let lanes: [Int]
  private let isMissing: [Bool]
  private var counts: [UInt32]

  private var width: Int { keys.count * TileGrid.buckets }
  private var shift: UInt64 { UInt64(2 * level) }
  private var origin: UInt64 { keys[0].index << (shift + 8) }

  init(level: Int, keys: [TileKey], missing: [Int], lanes: [Int]) {
    self.level = level
    self.keys = keys
    self.lanes = lanes
    var isMissing = [Bool](repeating: false, count: keys.count)
    for number in missing { isMissing[number] = true }
    self.isMissing = isMissing
    counts = Array(repeating: 0, count: keys.count * TileGrid.buckets * lanes.count)
  }

  /// Copies the cells of missing tiles to an answer.
  func write(to cells: inout [UInt8]) {
    for index in counts.indices where counts[index] != 0 {
      if isMissing[index % width / TileGrid.buckets] { cells[index] = TileCell.byte(counts[index]) }
    }
  }

  /// The row of each lane of the pyramid; -1 for lanes that were not asked for.
  private func rows(_ count: Int) -> [Int32] {
    var rows = [Int32](repeating: -1, count: count)
    for (row, lane) in lanes.enumerated() where rows.indices.contains(lane) {
      rows[lane] = Int32(row)
    }
    return rows
  }

  // MARK: - Counting

  /// Counts the events of blocks, given by their places; of many, on two threads.
  ///
  /// - Returns: the events; nil if they are too many to be kept.
  mutating func count(_ places: [Int], in pyramid: TilePyramid) -> [CountedEvent]? {
    let middle = places.count / 2
    guard middle >= Self.fewestBlocks, pyramid.source.decodesConcurrently else {
      return count(places[...], in: pyramid)
    }
    let halves = [places[..<middle], places[middle...]]
    let own = self
    let done = Lock<[(request: TileRequest, events: [CountedEvent]?)]>([])
    Halves.run { half in
      var request = own
      let events = request.count(halves[half], in: pyramid)
      done.withLock { $0.append((request, events)) }
    }
    var events: [CountedEvent]? = []
    for (request, found) in done.withLock({ $0 }) {
      for index in counts.indices where request.counts[index] != 0 {
        counts[index] = TileCell.sum(counts[index], request.counts[index])
      }
      if let found { events?.append(contentsOf: found) } else { events = nil }
    }
    return events.flatMap { $0.count <= CountedEvent.most ? $0 : nil }
  }

  /// Counts events that were found for a wider picture of the same lanes.
  mutating func count(_ events: [CountedEvent], from first: UInt64) {
    let start = first + origin
    for event in events where event.tick >= start {
      let bucket = (event.tick - start) >> shift
      guard bucket < UInt64(width) else { continue }
      let cell = Int(event.row) * width + Int(bucket)
      counts[cell] = TileCell.adding(TileCell.flags[Int(event.kind)], to: counts[cell])
    }
  }

  private static let fewestBlocks = 4

  private mutating func count(
    _ places: ArraySlice<Int>, in pyramid: TilePyramid
  ) -> [CountedEvent]? {
    let wanted = WantedLanes(lanes, of: pyramid.lanes)
    let rows = rows(pyramid.lanes.all.count)
    var finder = LaneFinder(pyramid.lanes)
    var columns = EventColumns()
    var events: [CountedEvent]? = []
    for place in places {
      let block = pyramid.plan.times.order[place]
      guard wanted.mayBe(in: pyramid.source.blocks[block]) else { continue }
      // Damaged blocks are reported by the pass.
      do {
        try pyramid.source.decode(block, into: &columns, columns: [.ticks, .kinds, .streams])
      } catch { continue }
      add(columns, rows, &finder, pyramid.grid, &events)
      if let found = events?.count, found > CountedEvent.most { events = nil }
    }
    return events
  }

  private mutating func add(
    _ columns: borrowing EventColumns, _ rows: [Int32], _ finder: inout LaneFinder,
    _ grid: TileGrid, _ events: inout [CountedEvent]?
  ) {
    let (first, origin, shift, width) = (grid.first, origin, shift, UInt64(width))
    counts.withUnsafeMutableBufferPointer { counts in
      rows.withUnsafeBufferPointer { rows in
        TileCell.flags.withUnsafeBufferPointer { flags in
          _ = finder.forEach(columns, from: 0) { time, lane, kind in
            guard lane >= 0, time >= first, time &- first >= origin else { return true }
            let bucket = (time &- first &- origin) >> shift
            let row = Int(rows[lane])
            guard bucket < width, row >= 0 else { return true }
            events?.append(CountedEvent(tick: time, row: UInt32(row), kind: kind))
            let cell = row &* Int(width) &+ Int(bucket)
            counts[cell] = TileCell.adding(flags[Int(kind)], to: counts[cell])
            return true
          }
        }
      }
    }
  }

  // MARK: - Estimating

  /// Spreads the events of blocks evenly over their times and streams, which is all that headers
  /// tell.
  mutating func estimate(_ places: [Int], in pyramid: TilePyramid) {
    let times = pyramid.plan.times
    let streams: [(id: UInt32, row: Int)] = lanes.enumerated().compactMap { row, lane in
      guard pyramid.lanes.all.indices.contains(lane),
        case .stream(let id) = pyramid.lanes.all[lane]
      else { return nil }
      return (id, row)
    }
    // Differences between neighboring buckets, which are then summed.
    var changes = [Float](repeating: 0, count: lanes.count * (width + 1))
    let end = UInt64(width)
    for place in places {
      let block = pyramid.source.blocks[times.order[place]]
      let members = max(block.streams.words.reduce(0) { $0 + $1.nonzeroBitCount }, 1)
      let from = times.lower[place] <= origin ? 0 : (times.lower[place] - origin) >> shift
      guard times.upper[place] >= origin, from < end else { continue }
      let to = min((times.upper[place] - origin) >> shift, end - 1)
      let buckets = Float((times.upper[place] - times.lower[place]) >> shift) + 1
      let share = Float(times.counts[place]) / Float(members) / buckets
      for stream in streams where block.streams.mayContain(stream.id) {
        let start = stream.row * (width + 1)
        changes[start + Int(from)] += share
        changes[start + Int(to) + 1] -= share
      }
    }
    for row in lanes.indices {
      var sum: Float = 0
      for bucket in 0..<width {
        sum += changes[row * (width + 1) + bucket]
        // Sums of fractions end near 0, not at it.
        if sum > 0.01 { counts[row * width + bucket] = UInt32(min(max(sum, 1), 1e8)) }
      }
    }
  }
}

/// The blocks in which some lanes may have events, judging by the headers.
struct WantedLanes {
  private var streams = StreamSet()
  private var rings: Set<UInt32> = []
  private var hasSchedulers = false

  init(_ lanes: [Int], of all: TileLanes) {
    for lane in lanes where all.all.indices.contains(lane) {
      switch all.all[lane] {
      case .stream(let id): streams.insert(id)
      case .scheduler: hasSchedulers = true
      case .thread(let ring): rings.insert(ring)
      case .task: continue
      }
    }
  }

  func mayBe(in block: BlockSummary) -> Bool {
    streams.mayIntersect(block.streams) || rings.contains(block.ring)
      || hasSchedulers && block.kinds.mayIntersect(Self.hops)
  }

  private static let hops: KindSet = {
    var kinds = KindSet()
    for kind in [RecordKind.hopScheduled, .hopBegan, .hopEnded, .hopCancelled] {
      kinds.insert(kind.rawValue)
    }
    return kinds
  }()
}
