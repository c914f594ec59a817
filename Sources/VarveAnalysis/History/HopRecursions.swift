internal import VarveFormat

/// Chains of work, each piece of which was scheduled by the one before, that have become longer than
/// backtraces show: recursion that was cut.
public struct HopRecursions: Sendable {
  /// One of them.
  public struct Chain: Sendable, Hashable {
    /// The scheduler that the last piece was given to.
    public var scheduler: UInt32
    /// How many pieces of work there were.
    public var hops: UInt64
    /// How many segments the whole backtrace would have: pieces that the same code gave to the same
    /// scheduler, one after the other, are one.
    public var segments: UInt64
    /// When the first one was scheduled.
    public var first: EventMoment
    /// When the last one was.
    public var last: EventMoment
  }

  /// How a piece of work came about, as far as whoever it schedules has to know.
  struct Way: Sendable {
    fileprivate var stack: UInt32
    fileprivate var chain: Chain
  }

  /// Segments that a backtrace has at most.
  private static let mostSegments: UInt64 = 32
  /// So many chains are kept.
  private static let mostChains = 1_000

  /// By the event that each began with, its longest branch.
  private var longest: [EventName: Chain] = [:]

  /// The chains, the longest first.
  public var chains: [Chain] {
    longest.values.sorted { ($1.hops, $0.first.name) < ($0.hops, $1.first.name) }
  }

  /// Work is scheduled by other work, which came about by `way`, or by none.
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
