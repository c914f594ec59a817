/// A map from stream IDs to slots.
struct StreamSlots {
  private struct Recent {
    var stream: UInt32 = 0
    var slot = UInt32.max
  }

  private var slots: [UInt32: UInt32] = [:]
  /// The most recently found slots. Many streams deliver in turn, and a hash lookup takes longer
  /// than the work on a delivery.
  private var recent = [Recent](repeating: Recent(), count: Self.recentCount)

  private static let recentCount = 256

  /// Returns the slot of a stream; nil when it has none.
  mutating func find(_ stream: UInt32) -> Int? {
    let place = Int(stream) & (Self.recentCount - 1)
    let known = recent[place]
    if known.stream == stream, known.slot != .max { return Int(known.slot) }
    guard let slot = slots[stream] else { return nil }
    recent[place] = Recent(stream: stream, slot: slot)
    return Int(slot)
  }

  /// Sets the slot of a stream.
  mutating func add(_ stream: UInt32, slot: Int) { slots[stream] = UInt32(slot) }
}
