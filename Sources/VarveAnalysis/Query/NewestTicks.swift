/// The ticks of the latest events, so many of them, however many happened at one tick.
struct NewestTicks {
  /// Events at the oldest tick beyond those that were asked for.
  private(set) var surplus: UInt64 = 0
  private let count: Int
  /// As many as were asked for, the latest first; fewer until there are as many.
  private var ticks: [UInt64] = []

  /// What it takes to remember a tick, in an array that grows.
  static let bytes = 16

  /// For `count` events, at least one.
  init(_ count: Int) { self.count = count }

  /// How many are kept.
  var held: Int { ticks.count }

  /// The tick of the oldest of them; nil until there are as many as were asked for.
  var oldest: UInt64? { ticks.count == count ? ticks[count - 1] : nil }

  /// Adds the ticks of some events.
  mutating func add(_ more: some Sequence<UInt64>) {
    let known = oldest
    var atOldest: UInt64 = 0
    for tick in more {
      if let known, tick <= known {
        if tick == known { atOldest += 1 }
      } else {
        ticks.append(tick)
      }
    }
    if known != nil, ticks.count == count { return surplus += atOldest }
    guard ticks.count >= count else { return }
    ticks.sort(by: >)
    let oldest = ticks[count - 1]
    let left = ticks[count...].prefix { $0 == oldest }.count
    surplus = UInt64(left) + (oldest == known ? surplus + atOldest : 0)
    ticks.removeSubrange(count...)
  }
}
