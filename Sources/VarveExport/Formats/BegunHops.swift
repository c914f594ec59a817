internal import VarveAnalysis

/// Hops whose beginning was written and whose end was not: each slice that ends has begun.
struct BegunHops {
  /// What was passed over because there was too much of it to remember.
  private(set) var passedOver = PassedOver()
  private var hops: Set<UInt64> = []
  private var most = HighWater()
  private var memory: WalkMemory

  /// What it takes to remember a hop, with its place in the set while that grows.
  private static let bytes = 48

  init(_ memory: WalkMemory) { self.memory = memory }

  /// Notes a beginning; returns false when it must not be written, because its end could not be.
  mutating func begin(_ hop: UInt64) -> Bool {
    guard most.rise(to: hops.count + 1, each: Self.bytes, &memory) else {
      passedOver.work += 1
      return false
    }
    hops.insert(hop)
    return true
  }

  /// Forgets a beginning; returns false when there is none.
  mutating func end(_ hop: UInt64) -> Bool { hops.remove(hop) != nil }
}
