public import VarveFormat
internal import VarveProbe

/// Counts of events for each lane and time, at every zoom: the picture that the viewer draws while
/// events are too many to be drawn one by one.
///
/// An answer consists of tiles: for each lane, a byte for each of 256 buckets of 4ᵏ ticks. Its lower
/// four bits are the bit length of the number of events, at most 15, the upper four tell of
/// failures, ends, absorbed values, and others. Tiles with many events are kept, after one pass over
/// the trace; those with few are decoded when they are asked for.
///
/// Memory: some 64 MiB of tiles of traces with few lanes, at most 192 MiB of those with many; of most
/// traces, much less.
public final class TilePyramid: Sendable {
  /// The grid that levels and tiles refer to.
  public let grid: TileGrid
  /// The lanes, whose numbers requests give.
  public let lanes: TileLanes
  /// What each lane has in total; nil before the pass.
  public let tallies: LaneTallies?
  /// Blocks that could not be counted.
  public let damage: [TraceFileError]

  let source: TraceReader
  let plan: TilePlan
  let tiles: [TileKey: StoredTile]
  private let recent = Lock(CountedEvents())

  /// The number of tiles of lanes that one answer has at most.
  public static let mostTiles = 20_000
  /// The number of events that an answer may count before the pass is done.
  private static let mostDecoded = 1_000_000.0

  /// Plans the pyramid of a trace, without reading events: what it answers are estimates unless few
  /// events are asked for. Nil if the trace has no events.
  ///
  /// - Parameters:
  ///   - reader: the trace, which is kept to be read when tiles are asked for
  ///   - lanes: what is counted apart, in the order of the answers
  ///   - first: the tick to count from, if it is not later than all events
  public convenience init?(_ reader: TraceReader, lanes: TileLanes, from first: UInt64 = .max) {
    self.init(reader, lanes: lanes, from: first, leastEvents: nil)
  }

  /// Plans a pyramid that keeps tiles with at least so many events.
  package convenience init?(
    _ reader: TraceReader, lanes: TileLanes, from first: UInt64 = .max, leastEvents: Double?
  ) {
    guard let ticks = TraceSpan(of: reader).ticks else { return nil }
    let grid = TileGrid(min(first, ticks.lowerBound)...ticks.upperBound)
    self.init(
      reader, TilePlan(grid, reader.blocks, lanes: lanes.all.count, leastEvents: leastEvents),
      lanes,
      tiles: [:],
      tallies: nil, damage: [])
  }

  init(
    _ source: TraceReader, _ plan: TilePlan, _ lanes: TileLanes, tiles: [TileKey: StoredTile],
    tallies: LaneTallies?, damage: [TraceFileError]
  ) {
    self.source = source
    self.plan = plan
    grid = plan.grid
    self.lanes = lanes
    self.tiles = tiles
    self.tallies = tallies
    self.damage = damage
  }

  /// Whether the pass has been made.
  public var isExact: Bool { tallies != nil }

  /// The memory of the tiles, in bytes.
  package var heldBytes: Int { tiles.values.reduce(0) { $0 + $1.heldBytes } }

  /// Tiles as they are sent.
  public struct Answer: Sendable {
    /// Whether the cells are estimates from the headers of blocks.
    public var isEstimate: Bool
    /// The cells: for each lane, one tile after the other.
    public var cells: [UInt8]
  }

  /// Returns tiles of some lanes; nil if these are too many.
  ///
  /// - Parameters:
  ///   - level: the level of the buckets.
  ///   - first: the first tile.
  ///   - count: the number of tiles.
  ///   - lanes: the lanes, each at most once.
  public func answer(level: Int, first: UInt64, count: Int, lanes: [Int]) -> Answer? {
    guard (0...28).contains(level), count > 0, count <= Self.mostTiles,
      lanes.count <= Self.mostTiles, lanes.count * count <= Self.mostTiles,
      first <= UInt64.max >> UInt64(min(8 + 2 * level, 63)), Set(lanes).count == lanes.count
    else { return nil }
    let cells = [UInt8](repeating: 0, count: lanes.count * count * TileGrid.buckets)
    var answer = Answer(isEstimate: false, cells: cells)
    guard level <= grid.root else {
      coarsen(level: level, first: first, lanes: lanes, count: count, into: &answer)
      return answer
    }
    let keys = (0..<UInt64(count)).map { TileKey(level: level, index: first + $0) }
    var missing: [Int] = []
    for (number, key) in keys.enumerated() {
      // Behind the last tile there is nothing.
      guard key.index <= grid.tile(of: grid.last - grid.first, level: level).index else { break }
      if let tile = tiles[key] {
        answer.cells.withUnsafeMutableBufferPointer { cells in
          for (row, lane) in lanes.enumerated() {
            tile.copy(lane, to: cells.baseAddress! + (row * count + number) * TileGrid.buckets)
          }
        }
      } else {
        missing.append(number)
      }
    }
    guard !missing.isEmpty else { return answer }
    let ranges = missing.map { grid.ticks(keys[$0]) }
    let whole = ranges[0].lowerBound...ranges[ranges.count - 1].upperBound
    // Between tiles that are missing, others may be kept, whose events are not read.
    let isGapless = missing[missing.count - 1] - missing[0] == missing.count - 1
    var request = TileRequest(level: level, keys: keys, missing: missing, lanes: lanes)
    if isGapless, let events = recent.withLock({ $0.events(of: lanes, in: whole) }) {
      request.count(events, from: grid.first)
      request.write(to: &answer.cells)
      return answer
    }
    let places = plan.times.places(whole).filter { place in
      ranges.contains {
        plan.times.lower[place] <= $0.upperBound && plan.times.upper[place] >= $0.lowerBound
      }
    }
    let promised = places.reduce(0) { $0 + plan.times.counts[$1] }
    if isExact || Double(promised) <= Self.mostDecoded {
      let events = request.count(places, in: self)
      if isGapless, let events { recent.withLock { $0.keep(events, of: lanes, in: whole) } }
    } else {
      request.estimate(places, in: self)
      answer.isEstimate = true
    }
    request.write(to: &answer.cells)
    return answer
  }

  /// Of levels above the root, all is in one tile.
  private func coarsen(
    level: Int, first: UInt64, lanes: [Int], count: Int, into answer: inout Answer
  ) {
    guard first == 0, let root = self.answer(level: grid.root, first: 0, count: 1, lanes: lanes)
    else { return }
    answer.isEstimate = root.isEstimate
    let shift = 2 * (level - grid.root)
    for row in lanes.indices {
      var counts = [UInt32](repeating: 0, count: TileGrid.buckets)
      for bucket in 0..<TileGrid.buckets {
        let cell = root.cells[row * TileGrid.buckets + bucket]
        guard cell != 0 else { continue }
        // The count is known up to its bit length.
        let number = UInt32(1) << UInt32(max(cell & 15, 1) - 1)
        let to = bucket >> shift
        counts[to] = TileCell.sum(counts[to], number | UInt32(cell & 0xf0) << 24)
      }
      let start = row * count * TileGrid.buckets
      for bucket in 0..<TileGrid.buckets {
        answer.cells[start + bucket] = TileCell.byte(counts[bucket])
      }
    }
  }
}
