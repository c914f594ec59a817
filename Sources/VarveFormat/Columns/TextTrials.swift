/// Which way of packing text suited a thread when it was last tried.
///
/// A trial costs as much as packing the text of a quarter of a block, and what a thread writes
/// changes seldom: some blocks are packed like the one before. Only their size hangs on it.
struct TextTrials {
  private static let blocks = 15

  private struct Outcome {
    var ring: UInt32
    var strategy: Deflater.Strategy
    var blocksLeft: Int
  }

  /// The latest outcome of all rings that share a place.
  private var outcomes: [Outcome?] = Array(repeating: nil, count: 16)

  /// What suits the ring's next block; nil when it is to be tried.
  mutating func outcome(for ring: UInt32) -> Deflater.Strategy? {
    let place = Int(ring) % outcomes.count
    guard let outcome = outcomes[place], outcome.ring == ring, outcome.blocksLeft > 0 else {
      return nil
    }
    outcomes[place]?.blocksLeft -= 1
    return outcome.strategy
  }

  /// Keeps what a trial came to.
  mutating func note(_ strategy: Deflater.Strategy, for ring: UInt32) {
    outcomes[Int(ring) % outcomes.count] = Outcome(
      ring: ring, strategy: strategy, blocksLeft: Self.blocks)
  }
}
