/// What a trace says of itself before its first event.
public struct TraceHeader: Sendable, Hashable {
  /// The format that the file is written in.
  public var version: TraceVersion
  /// Tells this trace from all others; its sidecar bears the same.
  public var id: TraceID
  /// The program that was recorded.
  public var process: ProcessDescription
  /// What a tick is.
  public var clock: TraceClock
  /// The moment that times are counted from.
  public var anchor: ClockAnchor

  /// Creates a header in the current version of the format.
  public init(id: TraceID, process: ProcessDescription, clock: TraceClock, anchor: ClockAnchor) {
    version = .current
    self.id = id
    self.process = process
    self.clock = clock
    self.anchor = anchor
  }
}

/// A version of the file format.
public struct TraceVersion: Sendable, Hashable, Comparable, CustomStringConvertible {
  /// Rises when an old reader could misunderstand a new file: it must refuse.
  public var major: UInt16
  /// Rises when something was added that an old reader may pass over.
  public var minor: UInt16

  /// Creates a version.
  public init(major: UInt16, minor: UInt16) {
    self.major = major
    self.minor = minor
  }

  /// What this library writes, and the newest that it reads.
  public static let current = TraceVersion(major: 1, minor: 2)

  /// From this version on, events are called after their threads.
  static let namesEvents = TraceVersion(major: 1, minor: 2)

  /// The older one is less.
  public static func < (one: TraceVersion, other: TraceVersion) -> Bool {
    (one.major, one.minor) < (other.major, other.minor)
  }

  /// `1.0`.
  public var description: String { "\(major).\(minor)" }
}

/// A number of 128 bits that no two traces share.
public struct TraceID: Sendable, Hashable, CustomStringConvertible {
  /// The lower half.
  public var low: UInt64
  /// The upper half.
  public var high: UInt64

  /// Creates an id from its halves.
  public init(low: UInt64, high: UInt64) {
    self.low = low
    self.high = high
  }

  /// Draws a new id.
  public static func random() -> TraceID {
    var source = SystemRandomNumberGenerator()
    return TraceID(low: source.next(), high: source.next())
  }

  /// 32 hexadecimal digits.
  public var description: String {
    [high, low].map { half in
      let digits = String(half, radix: 16)
      return String(repeating: "0", count: 16 - digits.count) + digits
    }.joined()
  }
}

/// What the ticks of a trace count.
public enum TraceClock: Sendable, Hashable {
  /// Nanoseconds of the system's monotonic clock.
  case monotonic
  /// Nanoseconds of a virtual clock that somebody turned by hand.
  case byHand
  /// The processor's counter. Anchors turn it into time; `perSecond` is the rate as the recorder
  /// estimated it at the beginning, for traces that hold only one anchor, or 0.
  case counter(perSecond: UInt64)
}
