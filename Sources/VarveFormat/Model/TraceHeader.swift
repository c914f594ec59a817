/// The description that precedes a trace's first event.
public struct TraceHeader: Sendable, Hashable {
  /// The version of the file's format.
  public var version: TraceVersion
  /// The unique ID of the trace, which its sidecar shares.
  public var id: TraceID
  /// The program that was recorded.
  public var process: ProcessDescription
  /// The meaning of a tick.
  public var clock: TraceClock
  /// The moment from which times are counted.
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
  /// Incremented when an old reader could misunderstand a new file, and so must refuse it.
  public var major: UInt16
  /// Incremented when something is added that an old reader may skip.
  public var minor: UInt16

  /// Creates a version.
  public init(major: UInt16, minor: UInt16) {
    self.major = major
    self.minor = minor
  }

  /// The version that this library writes, and the newest that it reads.
  public static let current = TraceVersion(major: 1, minor: 7)

  /// The first version in which events are named after their threads.
  static let namesEvents = TraceVersion(major: 1, minor: 2)

  /// Returns whether one version is older than another.
  public static func < (one: TraceVersion, other: TraceVersion) -> Bool {
    (one.major, one.minor) < (other.major, other.minor)
  }

  /// The version in the form `1.0`.
  public var description: String { "\(major).\(minor)" }
}

/// A 128-bit number that no two traces share.
public struct TraceID: Sendable, Hashable, CustomStringConvertible {
  /// The lower half.
  public var low: UInt64
  /// The upper half.
  public var high: UInt64

  /// Creates an ID from its halves.
  public init(low: UInt64, high: UInt64) {
    self.low = low
    self.high = high
  }

  /// Returns a new, random ID.
  public static func random() -> TraceID {
    var source = SystemRandomNumberGenerator()
    return TraceID(low: source.next(), high: source.next())
  }

  /// The ID as 32 hexadecimal digits.
  public var description: String {
    [high, low].map { half in
      let digits = String(half, radix: 16)
      return String(repeating: "0", count: 16 - digits.count) + digits
    }.joined()
  }
}

/// The meaning of a trace's ticks.
public enum TraceClock: Sendable, Hashable {
  /// Nanoseconds of the system's monotonic clock.
  case monotonic
  /// Nanoseconds of a virtual clock that is advanced by hand.
  case byHand
  /// The processor's counter. Anchors convert it to time; `perSecond` is the recorder's initial
  /// estimate of the rate, for traces with only one anchor, or 0.
  case counter(perSecond: UInt64)
}
