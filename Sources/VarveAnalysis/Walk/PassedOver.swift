/// What a walk over a trace passed over because it would have had to remember too much: a few bytes
/// of a trace can tell of any number of things. Figures about these are incomplete.
public struct PassedOver: Sendable, Hashable {
  /// What is counted apart.
  package enum Part: Int, Sendable {
    case ofStreams, observations, work, absorbed
  }

  private var counts = SIMD4<UInt64>()

  /// Events of streams that the trace does not define, beyond those streams that are told apart.
  public var ofStreams: UInt64 { self[.ofStreams] }
  /// Observations of streams.
  public var observations: UInt64 { self[.observations] }
  /// Pieces of work, or what happened to them.
  public var work: UInt64 { self[.work] }
  /// Values that were swallowed, for reasons that are not told.
  public var absorbed: UInt64 { self[.absorbed] }

  /// Nothing.
  public init() {}

  package internal(set) subscript(part: Part) -> UInt64 {
    get { counts[part.rawValue] }
    set { counts[part.rawValue] = newValue }
  }

  /// What two walks passed over, one part of a trace each.
  public static func + (one: PassedOver, other: PassedOver) -> PassedOver {
    var all = PassedOver()
    all.counts = one.counts &+ other.counts
    return all
  }

  /// What two walks over the same things passed over.
  public func merged(_ other: PassedOver) -> PassedOver {
    var all = PassedOver()
    all.counts = pointwiseMax(counts, other.counts)
    return all
  }
}
