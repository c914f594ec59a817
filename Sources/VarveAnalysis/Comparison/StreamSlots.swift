/// Where what belongs to a stream is kept, by the stream's id.
struct StreamSlots {
  private struct Recent {
    var stream: UInt32 = 0
    var slot = UInt32.max
  }

  private var slots: [UInt32: UInt32] = [:]
  /// Those that were found last: many streams deliver in turn, and to look one up takes longer than
  /// what is done with it.
  private var recent = [Recent](repeating: Recent(), count: Self.recentCount)

  private static let recentCount = 256

  /// The slot of a stream; nil when it has none.
  mutating func find(_ stream: UInt32) -> Int? {
    let place = Int(stream) & (Self.recentCount - 1)
    let known = recent[place]
    if known.stream == stream, known.slot != .max { return Int(known.slot) }
    guard let slot = slots[stream] else { return nil }
    recent[place] = Recent(stream: stream, slot: slot)
    return Int(slot)
  }

  /// Gives a stream its slot.
  mutating func add(_ stream: UInt32, slot: Int) { slots[stream] = UInt32(slot) }
}
