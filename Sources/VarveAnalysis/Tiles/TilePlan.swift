internal import VarveFormat

/// The blocks of a trace in the order in which they begin, as plain numbers.
struct BlockTimes: Sendable {
  /// The positions of the blocks in the trace, by their first ticks.
  let order: [Int]
  /// Their first and last ticks, counted from the first of the trace, and numbers of events.
  let lower: [UInt64]
  let upper: [UInt64]
  let counts: [Int]

  init(_ blocks: [BlockSummary], from first: UInt64) {
    let order = blocks.indices.sorted {
      (blocks[$0].ticks.lowerBound, $0) < (blocks[$1].ticks.lowerBound, $1)
    }
    self.order = order
    lower = order.map { blocks[$0].ticks.lowerBound - first }
    upper = order.map { blocks[$0].ticks.upperBound - first }
    counts = order.map { blocks[$0].count }
  }

  /// The share of a block's events that lie in a range of ticks, if they are spread evenly.
  func events(of place: Int, in ticks: ClosedRange<UInt64>) -> Double {
    let from = max(ticks.lowerBound, lower[place])
    let to = min(ticks.upperBound, upper[place])
    guard from <= to else { return 0 }
    return Double(counts[place]) * (Double(to - from) + 1)
      / (Double(upper[place] - lower[place]) + 1)
  }

  /// The places of the blocks that overlap a range of ticks.
  func places(_ ticks: ClosedRange<UInt64>) -> [Int] {
    order.indices.filter { lower[$0] <= ticks.upperBound && upper[$0] >= ticks.lowerBound }
  }

  /// The greatest number of events of blocks that cover the same moment.
  var mostAtOnce: Int {
    let ends = order.indices.sorted { upper[$0] < upper[$1] }
    var (now, most, next) = (0, 0, 0)
    for place in order.indices {
      while next < ends.count, upper[ends[next]] < lower[place] {
        now -= counts[ends[next]]
        next += 1
      }
      now += counts[place]
      most = max(most, now)
    }
    return most
  }
}

/// Which tiles are kept: those in which the headers of the blocks promise so many events that to
/// count them when they are asked for would take too long. What a tile that is not kept has is
/// decoded when it is asked for.
struct TilePlan: Sendable {
  let grid: TileGrid
  let times: BlockTimes
  let lanes: Int
  private(set) var kept: Set<TileKey> = []

  /// The number of events that are always decoded when they are asked for …
  private static let leastEvents = 65_536.0
  /// … and the memory for tiles if all their cells were stored, in bytes: more where there are many
  /// lanes, because what is not kept is decoded for all of them.
  private static func mostCells(_ lanes: Int) -> Double {
    min(64 * 1_048_576 + Double(lanes) * 13_312, 192 * 1_048_576)
  }
  /// The memory for the cells of tiles that are being counted, where many are at once.
  private static let mostOpen = 48.0 * 1_048_576
  /// The greatest memory for blocks that are being counted.
  private static let mostDecoded = 32 << 20
  private static let bytesOfEvent = 13

  init(
    _ grid: TileGrid, _ blocks: [BlockSummary], lanes: Int, leastEvents: Double? = nil
  ) {
    self.grid = grid
    self.lanes = max(lanes, 1)
    times = BlockTimes(blocks, from: grid.first)
    let events = Double(times.counts.reduce(0, +))
    let row = Double(TileGrid.buckets * self.lanes)
    var least = leastEvents ?? max(Self.leastEvents, events * row / Self.mostCells(self.lanes))
    // Blocks of very many threads cannot be counted in the order of time, so all tiles are open at
    // once.
    if times.mostAtOnce * Self.bytesOfEvent > Self.mostDecoded {
      least = max(least, events * row * 4 / Self.mostOpen)
    }
    choose(atLeast: least)
  }

  /// Keeps tiles from the root down, so that those above a kept one are kept.
  private mutating func choose(atLeast least: Double) {
    let root = TileKey(level: grid.root, index: 0)
    kept.insert(root)
    var open = [(key: root, places: Array(times.order.indices))]
    while let (key, places) = open.popLast() {
      guard key.level > 0 else { continue }
      for quarter in 0..<UInt64(4) {
        let child = TileKey(level: key.level - 1, index: key.index << 2 + quarter)
        let ticks = grid.ticks(child)
        let inside = places.filter {
          times.lower[$0] <= ticks.upperBound && times.upper[$0] >= ticks.lowerBound
        }
        let events = inside.reduce(0.0) { $0 + times.events(of: $1, in: ticks) }
        guard events >= least else { continue }
        kept.insert(child)
        open.append((child, inside))
      }
    }
  }

  /// The deepest kept tile in which a tick lies.
  func deepest(at tick: UInt64) -> TileKey {
    var key = grid.tile(of: tick, level: grid.root)
    while key.level > 0 {
      let child = grid.tile(of: tick, level: key.level - 1)
      guard kept.contains(child) else { break }
      key = child
    }
    return key
  }
}
