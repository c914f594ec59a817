#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#endif

/// A fast generator that gives the same numbers each time.
struct Chance: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
    return mixed ^ (mixed >> 31)
  }

  /// A gap of exponential distribution, in whole nanoseconds.
  mutating func gap(mean: Double) -> UInt64 {
    let share = Double(next() >> 11) * 0x1p-53
    return UInt64(-log(1 - share) * mean)
  }

  /// How far a counter that advances by 26 goes between two reads in a row: mostly one step.
  mutating func steps() -> UInt64 {
    let share = next() >> 54
    if share < 690 { return 26 }
    if share < 960 { return 52 }
    if share < 1_014 { return 78 }
    return 26 * (4 + next() >> 60)
  }
}
