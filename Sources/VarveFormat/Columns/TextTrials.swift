/// The packing that suited each thread's text when it was last tried.
///
/// A trial costs as much as packing a quarter of a block's text, and the text of a thread seldom
/// changes in kind, so an outcome is used for several blocks. Only their size depends on it.
struct TextTrials {
  private static let blocks = 15

  private struct Outcome {
    var ring: UInt32
    var strategy: Deflater.Strategy
    var blocksLeft: Int
  }

  /// The latest outcomes; rings share places.
  private var outcomes: [Outcome?] = Array(repeating: nil, count: 16)

  /// Returns the packing for the ring's next block; nil if a trial is due.
  mutating func outcome(for ring: UInt32) -> Deflater.Strategy? {
    let place = Int(ring) % outcomes.count
    guard let outcome = outcomes[place], outcome.ring == ring, outcome.blocksLeft > 0 else {
      return nil
    }
    outcomes[place]?.blocksLeft -= 1
    return outcome.strategy
  }

  /// Stores the outcome of a trial.
  mutating func note(_ strategy: Deflater.Strategy, for ring: UInt32) {
    outcomes[Int(ring) % outcomes.count] = Outcome(
      ring: ring, strategy: strategy, blocksLeft: Self.blocks)
  }
}
