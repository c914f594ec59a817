#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#endif

/// How often each symbol was seen, and how many bytes a symbol needs at least when each is coded by
/// itself: the floor under any encoding that does not look at its neighbours.
public struct Entropy {
  private var small = [Int](repeating: 0, count: 1 << 16)
  private var large: [UInt64: Int] = [:]
  private var count = 0

  /// Starts with nothing seen.
  public init() {}

  /// Sees a symbol.
  public mutating func add(_ symbol: UInt64) {
    count += 1
    if symbol < 1 << 16 {
      small[Int(symbol)] += 1
    } else {
      large[symbol, default: 0] += 1
    }
  }

  /// Bytes for each symbol.
  public var bytes: Double {
    let frequencies = small.lazy.filter { $0 > 0 } + Array(large.values)
    let bits = frequencies.reduce(0.0) { sum, frequency in
      let share = Double(frequency) / Double(count)
      return sum - share * log2(share)
    }
    return bits / 8
  }
}
