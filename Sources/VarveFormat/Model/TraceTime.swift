/// The conversion of a trace's ticks to nanoseconds since its start, and back.
///
/// A counter's rate is not known exactly, and a processor's may be adjusted while it runs, so time
/// is interpolated between two anchors, with integers and rounding down: every reader gets the same
/// nanoseconds. Before the first and after the last anchor, the rate between these two applies.
public struct TraceTime: Sendable {
  /// The anchors in use, each later than the one before it in both ticks and time.
  public let anchors: [ClockAnchor]
  /// The last tick at which the recorded program was known to be alive, whether or not it recorded
  /// anything then: what waits at the end of a trace has waited until this tick at least.
  public let lastTick: UInt64
  /// Whether the rate is a guess: one anchor, and a counter of unknown rate.
  public let isGuessed: Bool
  private let start: ClockAnchor
  private let isCounter: Bool
  private let outerTicks: UInt64
  private let outerTime: UInt64

  /// Creates the time of a trace from its header and the further anchors in its file.
  ///
  /// - Parameters:
  ///   - header: The trace's header.
  ///   - anchors: The further anchors, in any order.
  ///   - lastSeen: The tick at which the program was last known to be alive; 0 if unknown.
  public init(header: TraceHeader, anchors: [ClockAnchor], lastSeen: UInt64 = 0) {
    start = header.anchor
    var sound = [header.anchor]
    for anchor in anchors.sorted(by: { $0.ticks < $1.ticks })
    where anchor.ticks > sound[sound.count - 1].ticks
      && anchor.monotonic > sound[sound.count - 1].monotonic
    {
      sound.append(anchor)
    }
    self.anchors = sound
    let last = sound[sound.count - 1]
    lastTick = max(last.ticks, lastSeen)
    guard case .counter(let rate) = header.clock else {
      isCounter = false
      isGuessed = false
      (outerTicks, outerTime) = (1, 1)
      return
    }
    isCounter = true
    isGuessed = sound.count == 1 && rate == 0
    if sound.count > 1 {
      outerTicks = last.ticks - start.ticks
      outerTime = last.monotonic - start.monotonic
    } else {
      outerTicks = rate == 0 ? 1 : rate
      outerTime = rate == 0 ? 1 : 1_000_000_000
    }
  }

  /// Implements `finer(_:)`. Nothing here overflows, whatever the anchors claim.
  private init(_ time: TraceTime, fineness: UInt64) {
    start = ClockAnchor(ticks: time.start.ticks, monotonic: 0)
    let since = (time.isCounter ? time.anchors : [time.start]).map {
      ClockAnchor(ticks: $0.ticks, monotonic: $0.monotonic - time.start.monotonic)
    }
    anchors = since.prefix { $0.monotonic <= .max / fineness }.map {
      ClockAnchor(ticks: $0.ticks, monotonic: $0.monotonic * fineness)
    }
    lastTick = time.lastTick
    isGuessed = time.isGuessed
    isCounter = true
    let isLong = time.outerTime > .max / fineness
    outerTicks = isLong ? max(time.outerTicks / fineness, 1) : time.outerTicks
    outerTime = isLong ? time.outerTime : time.outerTime * fineness
  }

  /// Returns the same time in units of 1/`fineness` nanoseconds, in which moments less than a
  /// nanosecond apart remain distinct.
  func finer(_ fineness: UInt64) -> TraceTime {
    fineness == 1 ? self : TraceTime(self, fineness: fineness)
  }

  /// Returns the nanoseconds from the trace's start to a tick, which may be earlier.
  public func nanoseconds(sinceStart ticks: UInt64) -> Int64 {
    guard isCounter else { return Self.difference(ticks, start.ticks) }
    return stretch(at: ticks).time(of: ticks)
  }

  /// Returns the first tick at or after a number of nanoseconds since the trace's start.
  public func ticks(sinceStart nanoseconds: Int64) -> UInt64 {
    guard isCounter else { return Self.sum(start.ticks, nanoseconds) }
    var index = anchors.count - 1
    while index > 0, Self.difference(anchors[index].monotonic, start.monotonic) > nanoseconds {
      index -= 1
    }
    let stretch = stretch(from: index, isAfterLast: index == anchors.count - 1)
    return nanoseconds < 0
      ? outer(start).tick(at: nanoseconds) : stretch.tick(at: nanoseconds)
  }

  /// A range of ticks with a constant rate.
  struct Stretch: Sendable {
    /// The ticks that it applies to.
    var range: Range<UInt64>
    var anchor: UInt64
    var time: Int64
    var ticks: UInt64
    var nanoseconds: UInt64

    @inline(__always)
    func time(of tick: UInt64) -> Int64 {
      if tick >= anchor {
        let scaled = TraceTime.scale(tick &- anchor, by: nanoseconds, over: ticks, up: false)
        return TraceTime.sum(time, scaled)
      }
      let scaled = TraceTime.scale(anchor &- tick, by: nanoseconds, over: ticks, up: true)
      return TraceTime.less(time, scaled)
    }

    func tick(at moment: Int64) -> UInt64 {
      let distance = moment.subtractingReportingOverflow(time).partialValue
      let scaled = TraceTime.scale(
        distance.magnitude, by: ticks, over: nanoseconds, up: distance >= 0)
      return distance >= 0
        ? anchor.addingSaturating(scaled) : anchor - min(anchor, scaled)
    }
  }

  /// Returns the stretch that contains a tick.
  func stretch(at tick: UInt64) -> Stretch {
    guard tick >= start.ticks else { return outer(start) }
    var low = 0
    var high = anchors.count
    while high - low > 1 {
      let middle = (low + high) / 2
      if anchors[middle].ticks <= tick { low = middle } else { high = middle }
    }
    return stretch(from: low, isAfterLast: low == anchors.count - 1)
  }

  private func stretch(from index: Int, isAfterLast: Bool) -> Stretch {
    let anchor = anchors[index]
    let time = Self.difference(anchor.monotonic, start.monotonic)
    guard !isAfterLast else {
      return Stretch(
        range: anchor.ticks..<UInt64.max, anchor: anchor.ticks, time: time, ticks: outerTicks,
        nanoseconds: outerTime)
    }
    let next = anchors[index + 1]
    return Stretch(
      range: anchor.ticks..<next.ticks, anchor: anchor.ticks, time: time,
      ticks: next.ticks - anchor.ticks, nanoseconds: next.monotonic - anchor.monotonic)
  }

  /// Returns the stretch before the start.
  private func outer(_ anchor: ClockAnchor) -> Stretch {
    Stretch(
      range: 0..<anchor.ticks, anchor: anchor.ticks, time: 0, ticks: outerTicks,
      nanoseconds: outerTime)
  }
}

/// A converter of many ticks that lie close together, which remembers the stretch of the last one.
public struct TickConverter: Sendable {
  private let time: TraceTime
  private var stretch: TraceTime.Stretch
  private let isCounter: Bool

  /// Creates a converter for a trace's ticks.
  public init(_ time: TraceTime) {
    self.time = time
    stretch = time.stretch(at: 0)
    isCounter = time.countsTicks
  }

  /// Returns the same as `TraceTime.nanoseconds(sinceStart:)`.
  public mutating func nanoseconds(sinceStart ticks: UInt64) -> Int64 {
    guard isCounter else { return time.nanoseconds(sinceStart: ticks) }
    if !stretch.range.contains(ticks) { stretch = time.stretch(at: ticks) }
    return stretch.time(of: ticks)
  }
}

/// Ticks so close together that their times are, too.
package struct TickReach: Sendable {
  /// The greatest distance between two of the ticks.
  package var ticks: UInt64 = 0
  /// The last tick for which that holds.
  package var end: UInt64 = 0

  package init() {}
}

extension TickConverter {
  /// Returns a distance of ticks, from `tick` on, that is less than `nanoseconds`, by which rounding
  /// is taken into account.
  package mutating func reach(from tick: UInt64, within nanoseconds: UInt64) -> TickReach {
    var reach = TickReach()
    let most = nanoseconds - min(nanoseconds, 2)
    guard isCounter else {
      (reach.ticks, reach.end) = (most, .max)
      return reach
    }
    if !stretch.range.contains(tick) { stretch = time.stretch(at: tick) }
    guard stretch.range.contains(tick) else { return reach }
    let scaled = most.multipliedReportingOverflow(by: stretch.ticks)
    reach.ticks = scaled.overflow ? 0 : scaled.partialValue / max(stretch.nanoseconds, 1)
    reach.end = stretch.range.upperBound - 1
    return reach
  }
}

extension TraceTime {
  /// The farthest from the trace's start that a time is shown: 146 years. The distance between any
  /// two times then fits into an `Int64` as well, whatever ticks a file claims.
  public static let farthest: Int64 = (1 << 62) - 1

  /// Returns the nanoseconds since 1970 of a moment given in nanoseconds since a program's start,
  /// where `started` is that start as the file claims it.
  public static func sinceEpoch(_ nanoseconds: Int64, started: UInt64) -> Int64 {
    near(started) + near(nanoseconds)
  }

  /// Returns the nanoseconds since a program's start of a moment given in nanoseconds since 1970.
  public static func sinceStart(_ sinceEpoch: Int64, started: UInt64) -> Int64 {
    near(sinceEpoch) - near(started)
  }

  fileprivate var countsTicks: Bool { isCounter }

  /// Returns `number * factor / divisor`, rounded down or up, at most the largest `Int64`.
  fileprivate static func scale(
    _ number: UInt64, by factor: UInt64, over divisor: UInt64, up: Bool
  ) -> UInt64 {
    let (short, overflow) = number.multipliedReportingOverflow(by: factor)
    if !overflow {
      let (quotient, rest) = short.quotientAndRemainder(dividingBy: divisor)
      return quotient + (up && rest > 0 ? 1 : 0)
    }
    let (high, low) = number.multipliedFullWidth(by: factor)
    guard high < divisor else { return UInt64(Int64.max) }
    let (quotient, rest) = divisor.dividingFullWidth((high, low))
    return min(quotient, UInt64(Int64.max)) + (up && rest > 0 && quotient < 1 << 62 ? 1 : 0)
  }

  fileprivate static func difference(_ later: UInt64, _ earlier: UInt64) -> Int64 {
    later >= earlier ? near(later - earlier) : -near(earlier - later)
  }

  fileprivate static func sum(_ time: Int64, _ more: UInt64) -> Int64 {
    min(time + near(more), farthest)
  }

  fileprivate static func less(_ time: Int64, _ less: UInt64) -> Int64 {
    max(time - near(less), -farthest)
  }

  private static func near(_ distance: some BinaryInteger) -> Int64 {
    max(min(Int64(clamping: distance), farthest), -farthest)
  }

  fileprivate static func sum(_ ticks: UInt64, _ nanoseconds: Int64) -> UInt64 {
    nanoseconds >= 0
      ? ticks.addingSaturating(nanoseconds.magnitude)
      : ticks - min(ticks, nanoseconds.magnitude)
  }
}

extension UInt64 {
  fileprivate func addingSaturating(_ other: UInt64) -> UInt64 {
    let (sum, overflow) = addingReportingOverflow(other)
    return overflow ? .max : sum
  }
}
