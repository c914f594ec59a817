/// The grid on which the viewer counts: a bucket of level k is 4ᵏ ticks wide, and a tile has 256
/// buckets. Ticks are counted from the first one of the trace.
public struct TileGrid: Sendable, Hashable {
  /// The number of buckets of a tile.
  public static let buckets = 256

  /// The first tick of the trace …
  public let first: UInt64
  /// … and its last.
  public let last: UInt64
  /// The lowest level at which one tile covers the trace.
  public let root: Int

  /// Creates the grid of a trace that covers these ticks.
  public init(_ ticks: ClosedRange<UInt64>) {
    first = ticks.lowerBound
    last = ticks.upperBound
    var level = 0
    while (last - first) >> UInt64(2 * level) >= UInt64(Self.buckets) { level += 1 }
    root = level
  }

  /// The tile of a level in which a tick lies, counted from the first.
  @inline(__always)
  func tile(of tick: UInt64, level: Int) -> TileKey {
    TileKey(level: level, index: tick >> UInt64(8 + 2 * level))
  }

  /// The ticks of a tile, counted from the first.
  func ticks(_ key: TileKey) -> ClosedRange<UInt64> {
    let shift = UInt64(8 + 2 * key.level)
    let lower = key.index << shift
    return lower...max(lower, lower &+ (1 << shift &- 1))
  }
}

/// The place of a tile in the grid.
struct TileKey: Hashable, Sendable {
  var level: Int
  var index: UInt64

  /// The tile of the next level that covers this one.
  var parent: TileKey { TileKey(level: level + 1, index: index >> 2) }
}
