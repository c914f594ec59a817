/// Turns the ticks of a trace into nanoseconds since its start, and back.
///
/// A counter's rate is not known exactly, and a processor's may be tuned while it runs; so between
/// two anchors time is interpolated, with whole numbers and rounding down, so that every reader
/// gets the same nanoseconds. Before the first and after the last anchor the rate between these two
/// holds on.
public struct TraceTime: Sendable {
  /// The anchors that count, each later than the one before it in ticks and time.
  public let anchors: [ClockAnchor]
  /// Whether the rate is a guess: one anchor, and a counter of unknown rate.
  public let isGuessed: Bool
  private let start: ClockAnchor
  private let isCounter: Bool
  private let outerTicks: UInt64
  private let outerTime: UInt64

  /// Creates the time of a trace with this header and what else its file tells of its clock.
  public init(header: TraceHeader, anchors: [ClockAnchor]) {
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

  /// `finer(_:)`. Whatever the anchors claim, nothing here overflows.
  private init(_ time: TraceTime, fineness: UInt64) {
    start = ClockAnchor(ticks: time.start.ticks, monotonic: 0)
    let since = (time.isCounter ? time.anchors : [time.start]).map {
      ClockAnchor(ticks: $0.ticks, monotonic: $0.monotonic - time.start.monotonic)
    }
    anchors = since.prefix { $0.monotonic <= .max / fineness }.map {
      ClockAnchor(ticks: $0.ticks, monotonic: $0.monotonic * fineness)
    }
    isGuessed = time.isGuessed
    isCounter = true
    let isLong = time.outerTime > .max / fineness
    outerTicks = isLong ? max(time.outerTicks / fineness, 1) : time.outerTicks
    outerTime = isLong ? time.outerTime : time.outerTime * fineness
  }

  /// The same time in units of which `fineness` make a nanosecond: what has differed by less than a
  /// nanosecond differs still.
  func finer(_ fineness: UInt64) -> TraceTime {
    fineness == 1 ? self : TraceTime(self, fineness: fineness)
  }

  /// Nanoseconds between the trace's start and a tick, which may lie before it.
  public func nanoseconds(sinceStart ticks: UInt64) -> Int64 {
    guard isCounter else { return Self.difference(ticks, start.ticks) }
    return stretch(at: ticks).time(of: ticks)
  }

  /// The first tick that is not before a number of nanoseconds since the trace's start.
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

  /// A stretch of ticks in which the rate is one.
  struct Stretch: Sendable {
    /// The ticks that it is right for; the last is not among them.
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

  /// The stretch that a tick lies in.
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

  /// Ticks before the start.
  private func outer(_ anchor: ClockAnchor) -> Stretch {
    Stretch(
      range: 0..<anchor.ticks, anchor: anchor.ticks, time: 0, ticks: outerTicks,
      nanoseconds: outerTime)
  }
}

/// Turns many ticks that lie close together into nanoseconds: it remembers where the last one lay.
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

  /// The same as `TraceTime.nanoseconds(sinceStart:)`.
  public mutating func nanoseconds(sinceStart ticks: UInt64) -> Int64 {
    guard isCounter else { return time.nanoseconds(sinceStart: ticks) }
    if !stretch.range.contains(ticks) { stretch = time.stretch(at: ticks) }
    return stretch.time(of: ticks)
  }
}

extension TraceTime {
  /// No time is shown as farther from the trace's start than this: 146 years. So the distance of any
  /// two fits into an `Int64` as well, whatever ticks a file claims.
  public static let farthest: Int64 = (1 << 62) - 1

  /// Nanoseconds since 1970, of a moment so long after a program's start, which a file says was then.
  public static func sinceEpoch(_ nanoseconds: Int64, started: UInt64) -> Int64 {
    near(started) + near(nanoseconds)
  }

  /// Nanoseconds since a program's start, of a moment so long after 1970.
  public static func sinceStart(_ sinceEpoch: Int64, started: UInt64) -> Int64 {
    near(sinceEpoch) - near(started)
  }

  fileprivate var countsTicks: Bool { isCounter }

  /// `number * factor / divisor`, down or up, at most the largest `Int64`.
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
