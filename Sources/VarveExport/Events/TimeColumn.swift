internal import VarveAnalysis
internal import VarveFormat
internal import VarvePlatform

/// Writes the time of an event, always in the same width.
struct TimeColumn {
  private enum Unit {
    /// Seconds with microseconds.
    case seconds
    /// Milliseconds with nanoseconds, for traces of less than a tenth of a second.
    case milliseconds
  }

  /// The width of a time in columns.
  private(set) var width: Int
  private let form: TimeForm
  private let unit: Unit
  private let wholeDigits: Int
  private let started: UInt64
  private var second = Int64.min
  private var secondText: [UInt8] = []
  private var lane = DecimalLane()
  private var isShort = false

  init(_ form: TimeForm, span: TraceSpan, started: UInt64) {
    self.form = form
    self.started = started
    unit = span.duration >= 100_000_000 ? .seconds : .milliseconds
    let whole = span.duration / (unit == .seconds ? 1_000_000_000 : 1_000_000)
    wholeDigits = Pen.digits(of: whole)
    switch form {
    case .elapsed: width = wholeDigits + 7 + (unit == .seconds ? 2 : 3)
    case .delta: width = StepColumn.width
    case .wall: width = 15
    case .utc: width = 27
    case .ticks: width = Pen.digits(of: span.ticks?.upperBound ?? 0)
    }
  }

  /// The same column with three digits behind the point; nil for forms that have no others.
  var shortened: TimeColumn? {
    guard form == .elapsed, !isShort else { return nil }
    var short = self
    short.isShort = true
    short.width -= 3
    return short
  }

  /// Writes a time.
  @inline(__always)
  mutating func write(_ nanoseconds: Int64, ticks: UInt64, to pen: inout Pen) {
    switch form {
    case .elapsed: writeElapsed(nanoseconds, to: &pen)
    case .delta: break
    case .wall, .utc: writeWall(TraceTime.sinceEpoch(nanoseconds, started: started), to: &pen)
    case .ticks: pen.put(decimal: ticks, width: width)
    }
  }

  @inline(__always)
  private mutating func writeElapsed(_ nanoseconds: Int64, to pen: inout Pen) {
    let parts = unit == .seconds ? nanoseconds.magnitude / 1_000 : nanoseconds.magnitude
    let (unit, digits) = (unit, wholeDigits)
    if nanoseconds < 0 || isShort {
      return Self.write(
        parts, isNegative: nanoseconds < 0, unit, wholeDigits: digits, isShort: isShort, to: &pen)
    }
    lane.put(parts, behind: unit == .seconds ? 2 : 3, to: &pen) { pen in
      Self.write(parts, isNegative: false, unit, wholeDigits: digits, to: &pen)
    }
  }

  private static func write(
    _ parts: UInt64, isNegative: Bool, _ unit: Unit, wholeDigits: Int, isShort: Bool = false,
    to pen: inout Pen
  ) {
    let whole = parts / 1_000_000
    if isNegative {
      // A time before the start of the recording: a stream that is older than the recorder.
      pen.put(spaces: wholeDigits - 1 - Pen.digits(of: whole))
      pen.put(UInt8(ascii: "-"))
      pen.put(decimal: whole)
    } else {
      pen.put(decimal: whole, width: wholeDigits)
    }
    pen.put(UInt8(ascii: "."))
    pen.put(isShort ? parts / 1_000 : parts, digits: isShort ? 3 : 6)
    if unit == .seconds { pen.put(" s") } else { pen.put(" ms") }
  }

  private mutating func writeWall(_ wall: Int64, to pen: inout Pen) {
    var current = wall / 1_000_000_000
    if wall % 1_000_000_000 < 0 { current -= 1 }
    if current != second {
      second = current
      secondText = Array((form == .utc ? Self.utc(current) : Self.local(current)).utf8)
    }
    secondText.withUnsafeBufferPointer { pen.put($0) }
    pen.put(UInt8(ascii: "."))
    pen.put(UInt64((wall - current * 1_000_000_000) / 1_000), digits: 6)
    if form == .utc { pen.put(UInt8(ascii: "Z")) }
  }

  private static func utc(_ second: Int64) -> String {
    String(WallTime.text(nanoseconds: second &* 1_000_000_000, digits: 0).dropLast())
  }

  private static func local(_ second: Int64) -> String {
    var time = time_t(second)
    var parts = tm()
    guard localtime_r(&time, &parts) != nil else { return "--:--:--" }
    return [parts.tm_hour, parts.tm_min, parts.tm_sec]
      .map { ($0 < 10 ? "0" : "") + String($0) }.joined(separator: ":")
  }
}
