/// How many subscriptions of each lane began, less those that ended, in parts of the time. So how many
/// were open at a moment is known when the events of one part have been counted.
struct SubscriptionBalances: Sendable {
  /// Where a part ends and the next one begins, in ticks from the first.
  private let borders: [UInt64]
  private let lanes: Int
  /// For each part, a number for each lane.
  private var changes: [Int32]
  /// The part of the last event, and the ticks that are in it.
  private var part = 0
  private var lower: UInt64 = 1
  private var upper: UInt64 = 0

  private static let mostParts = 256
  /// Memory for all parts, in bytes.
  private static let mostBytes = 16 << 20
  private static let fewestBlocks = 8

  /// Nothing.
  init() { (borders, lanes, changes) = ([], 0, []) }

  /// Makes parts of as many blocks each, which end where a block begins.
  init(_ times: BlockTimes, lanes: Int) {
    let most = min(Self.mostParts, max(Self.mostBytes / 4 / max(lanes, 1), 1))
    let step = max((times.order.count + most - 1) / most, Self.fewestBlocks)
    var borders: [UInt64] = []
    for place in stride(from: step, to: times.order.count, by: step)
    where times.lower[place] > borders.last ?? 0 {
      borders.append(times.lower[place])
    }
    self.borders = borders
    self.lanes = lanes
    changes = Array(repeating: 0, count: (borders.count + 1) * lanes)
  }

  /// Notes that subscriptions of a lane began, or ended.
  @inline(__always)
  mutating func note(_ change: Int32, _ lane: Int, at tick: UInt64) {
    if tick < lower || tick > upper { find(tick) }
    changes[part &* lanes &+ lane] &+= change
  }

  private mutating func find(_ tick: UInt64) {
    part = parts(until: tick)
    lower = part == 0 ? 0 : borders[part - 1]
    upper = part == borders.count ? .max : borders[part] - 1
  }

  /// The number of borders at or before a moment.
  private func parts(until tick: UInt64) -> Int {
    var (low, high) = (0, borders.count)
    while low < high {
      let middle = (low + high) / 2
      if borders[middle] <= tick { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// Adds what was counted of another part of the time.
  mutating func add(_ other: SubscriptionBalances) {
    for index in changes.indices where index < other.changes.count {
      changes[index] &+= other.changes[index]
    }
  }

  /// The last border before a moment, and how many subscriptions of each lane were open there. Those
  /// that began before the trace did are not among them.
  func open(before tick: UInt64) -> (from: UInt64, open: [Int]) {
    let whole = parts(until: tick)
    var open = [Int](repeating: 0, count: lanes)
    for part in 0..<whole {
      for lane in 0..<lanes { open[lane] += Int(changes[part * lanes + lane]) }
    }
    return (whole == 0 ? 0 : borders[whole - 1], open)
  }
}
