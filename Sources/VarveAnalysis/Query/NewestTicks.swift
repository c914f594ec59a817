/// The ticks of the latest events, limited to a given number even if many events share a tick.
struct NewestTicks {
  /// The number of events at the oldest tick in excess of the limit.
  private(set) var surplus: UInt64 = 0
  private let count: Int
  /// The ticks kept, latest first; fewer than `count` until as many have been added.
  private var ticks: [UInt64] = []

  /// The memory for a tick in a growing array, in bytes.
  static let bytes = 16

  /// Creates a list of at most `count` ticks; `count` must be at least 1.
  init(_ count: Int) { self.count = count }

  /// The number of ticks kept.
  var held: Int { ticks.count }

  /// The oldest tick kept; nil until `count` ticks have been added.
  var oldest: UInt64? { ticks.count == count ? ticks[count - 1] : nil }

  /// Adds ticks of events.
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
