internal import VarveFormat

/// Chains of work, each piece scheduled by the one before, that are longer than backtraces show.
public struct HopRecursions: Sendable {
  /// One such chain.
  public struct Chain: Sendable, Hashable {
    /// The scheduler of the last piece.
    public var scheduler: UInt32
    /// The number of pieces of work.
    public var hops: UInt64
    /// The number of segments in the whole backtrace, in which consecutive pieces that the same
    /// code gave to the same scheduler are one segment.
    public var segments: UInt64
    /// When the first piece was scheduled.
    public var first: EventMoment
    /// When the last piece was scheduled.
    public var last: EventMoment
  }

  /// How a piece of work came about, as far as the work that it schedules needs to know.
  struct Way: Sendable {
    fileprivate var stack: UInt32
    fileprivate var chain: Chain
  }

  /// The maximum number of segments in a backtrace.
  private static let mostSegments: UInt64 = 32
  /// The maximum number of chains kept.
  private static let mostChains = 1_000

  /// The longest branch of each chain, by the event that the chain began with.
  private var longest: [EventName: Chain] = [:]

  /// The chains, longest first.
  public var chains: [Chain] {
    longest.values.sorted { ($1.hops, $0.first.name) < ($0.hops, $1.first.name) }
  }

  /// Records that work was scheduled by other work, which came about by `way`, or by no work at
  /// all.
  mutating func note(
    _ way: Way?, _ stack: UInt32, _ scheduler: UInt32, at moment: EventMoment
  ) -> Way {
    guard var way else {
      let chain = Chain(
        scheduler: scheduler, hops: 1, segments: 1, first: moment, last: moment)
      return Way(stack: stack, chain: chain)
    }
    let isRepeated = stack != 0 && stack == way.stack && scheduler == way.chain.scheduler
    way.chain.hops += 1
    way.chain.segments += isRepeated ? 0 : 1
    way.chain.scheduler = scheduler
    way.chain.last = moment
    way.stack = stack
    if way.chain.segments > Self.mostSegments { keep(way.chain) }
    return way
  }

  private mutating func keep(_ chain: Chain) {
    let key = chain.first.name
    guard longest[key] != nil || longest.count < Self.mostChains else { return }
    if longest[key]?.hops ?? 0 < chain.hops { longest[key] = chain }
  }
}
