internal import Synchronization
internal import VarveFormat
internal import VarveProbe

/// The pass that makes a pyramid exact. Its parts can be counted at once, by a thread each.
public final class TileCount: Sendable {
  /// The number of parts.
  public let parts: Int

  private let pyramid: TilePyramid
  private let ranges: [Range<UInt64>]
  private let sweeps: Lock<[Int: SweepBox]>
  private let read = Atomic<Int>(0)
  private let isStopped = Atomic<Bool>(false)

  /// A finished sweep.
  ///
  /// Safety: the thread that counted hands it over under a lock, and uses it no more.
  private struct SweepBox: @unchecked Sendable {
    let sweep: TileSweep
  }

  /// Prepares to count the events of a planned pyramid, in at most so many parts.
  public init(_ pyramid: TilePyramid, parts: Int) {
    self.pyramid = pyramid
    let times = pyramid.plan.times
    // Parts of as many blocks each, which begin where a block begins.
    var borders: [UInt64] = [0]
    for part in 1..<max(parts, 1) {
      let start = times.lower[times.order.count * part / parts]
      if start > borders[borders.count - 1] { borders.append(start) }
    }
    borders.append(.max)
    ranges = zip(borders, borders.dropFirst()).map { $0..<$1 }
    self.parts = ranges.count
    sweeps = Lock([:])
  }

  /// The number of events read, and of all. Where blocks reach into several parts, they are read
  /// for each.
  public var progress: (done: UInt64, total: UInt64) {
    let total = pyramid.source.events
    return (min(UInt64(read.load(ordering: .relaxed)), total), total)
  }

  /// Makes all parts stop soon.
  public func stop() { isStopped.store(true, ordering: .relaxed) }

  /// Counts a part; returns false if it was stopped.
  public func run(part: Int) -> Bool {
    let sweep = TileSweep(pyramid.plan, pyramid.lanes)
    let reader = pyramid.source
    let isWhole = sweep.run(
      ranges[part],
      decode: { block, columns throws(TraceFileError) in
        try reader.decode(block, into: &columns, columns: [.ticks, .kinds, .streams])
      },
      goesOn: {
        read.wrappingAdd($0, ordering: .relaxed)
        return !isStopped.load(ordering: .relaxed)
      })
    let box = SweepBox(sweep: sweep)
    sweeps.withLock { $0[part] = box }
    return isWhole
  }

  /// Returns the exact pyramid, when all parts have been counted.
  public func finish() -> TilePyramid {
    let all = sweeps.withLock { $0 }
    guard let sweep = all[0]?.sweep else { return pyramid }
    for part in 1..<max(parts, 1) {
      if let other = all[part]?.sweep { sweep.take(other) }
    }
    sweep.finish()
    return TilePyramid(
      pyramid.source, pyramid.plan, pyramid.lanes, tiles: sweep.done, tallies: sweep.tallies,
      damage: sweep.damage)
  }
}
