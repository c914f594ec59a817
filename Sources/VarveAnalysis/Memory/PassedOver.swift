/// What a walk over a trace passed over because it would have had to remember too much: a few bytes
/// of a trace can tell of any number of things. Figures about these are incomplete.
public struct PassedOver: Sendable, Hashable {
  /// Events of streams that the trace does not define, beyond those streams that are told apart.
  public internal(set) var ofStreams: UInt64 = 0
  /// Observations of streams.
  public package(set) var observations: UInt64 = 0
  /// Pieces of work, or what happened to them.
  public package(set) var work: UInt64 = 0
  /// Values that were swallowed, for reasons that are not told.
  public internal(set) var absorbed: UInt64 = 0

  /// Nothing.
  public init() {}

  /// What two walks passed over, one part of a trace each.
  public static func + (one: PassedOver, other: PassedOver) -> PassedOver {
    one.combined(with: other, +)
  }

  /// What two walks over the same things passed over.
  public func merged(_ other: PassedOver) -> PassedOver { combined(with: other, max) }

  private func combined(
    with other: PassedOver, _ combine: (UInt64, UInt64) -> UInt64
  ) -> PassedOver {
    var all = PassedOver()
    all.ofStreams = combine(ofStreams, other.ofStreams)
    all.observations = combine(observations, other.observations)
    all.work = combine(work, other.work)
    all.absorbed = combine(absorbed, other.absorbed)
    return all
  }
}
