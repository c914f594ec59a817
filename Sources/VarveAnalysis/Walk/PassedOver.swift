/// Counts of what a walk over a trace passed over because it would have taken too much memory: a
/// few bytes of a trace can describe any number of things. Figures about these parts are
/// incomplete.
public struct PassedOver: Sendable, Hashable {
  /// The parts that are counted separately.
  @usableFromInline
  package enum Part: Int, Sendable {
    case ofStreams, observations, work, absorbed
  }

  private var counts = SIMD4<UInt64>()

  /// Events of streams that the trace does not define, once there are too many such streams to keep
  /// apart.
  public var ofStreams: UInt64 { self[.ofStreams] }
  /// Observations of streams.
  public var observations: UInt64 { self[.observations] }
  /// Pieces of work, or their events.
  public var work: UInt64 { self[.work] }
  /// Values that were absorbed, for reasons that are not listed.
  public var absorbed: UInt64 { self[.absorbed] }

  /// Creates counts of zero.
  public init() {}

  package internal(set) subscript(part: Part) -> UInt64 {
    get { counts[part.rawValue] }
    set { counts[part.rawValue] = newValue }
  }

  /// Returns the sum of what two walks passed over, each in its own part of a trace.
  public static func + (one: PassedOver, other: PassedOver) -> PassedOver {
    var all = PassedOver()
    all.counts = one.counts &+ other.counts
    return all
  }

  /// Returns what two walks over the same part of a trace passed over.
  public func merged(_ other: PassedOver) -> PassedOver {
    var all = PassedOver()
    all.counts = pointwiseMax(counts, other.counts)
    return all
  }
}
