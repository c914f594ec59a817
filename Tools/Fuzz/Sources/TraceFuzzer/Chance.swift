/// Numbers that follow from a seed.
struct Chance {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
    return mixed ^ (mixed >> 31)
  }

  mutating func below(_ end: Int) -> Int { end < 2 ? 0 : Int(next() % UInt64(end)) }

  /// True once in so many times.
  mutating func once(in times: Int) -> Bool { below(times) == 0 }

  /// Numbers of all sizes, and those at which things go wrong.
  mutating func number() -> UInt64 {
    switch below(4) {
    case 0: next() >> UInt64(below(64))
    case 1: UInt64(below(20))
    case 2: (1 << UInt64(below(64))) &- UInt64(below(3))
    default: .max - UInt64(below(3))
    }
  }

  mutating func bytes(_ count: Int) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(count)
    for _ in 0..<count { bytes.append(UInt8(truncatingIfNeeded: next() >> 24)) }
    return bytes
  }
}
