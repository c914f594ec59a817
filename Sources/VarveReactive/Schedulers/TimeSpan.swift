/// A length of time: what the operators that shift time are given.
///
/// `Duration` is one. It is a protocol so that those who reckon in seconds or in Dispatch's intervals
/// need no second form of each operator: where a chain is one expression, every further form makes
/// the compiler look for its types much longer.
public protocol TimeSpan: Sendable {
  /// The length as a duration.
  var asDuration: Duration { get }
}

extension Duration: TimeSpan {
  /// The duration itself.
  public var asDuration: Duration { self }
}

// So that `.seconds(1)` can be written where a time span is asked for.
extension TimeSpan where Self == Duration {
  /// No time at all.
  public static var zero: Duration { Duration.zero }

  /// A number of seconds.
  public static func seconds(_ seconds: some BinaryInteger) -> Duration {
    Duration.seconds(seconds)
  }

  /// A number of seconds.
  public static func seconds(_ seconds: Double) -> Duration { Duration.seconds(seconds) }

  /// A number of milliseconds.
  public static func milliseconds(_ milliseconds: some BinaryInteger) -> Duration {
    Duration.milliseconds(milliseconds)
  }

  /// A number of milliseconds.
  public static func milliseconds(_ milliseconds: Double) -> Duration {
    Duration.milliseconds(milliseconds)
  }

  /// A number of microseconds.
  public static func microseconds(_ microseconds: some BinaryInteger) -> Duration {
    Duration.microseconds(microseconds)
  }

  /// A number of microseconds.
  public static func microseconds(_ microseconds: Double) -> Duration {
    Duration.microseconds(microseconds)
  }

  /// A number of nanoseconds.
  public static func nanoseconds(_ nanoseconds: some BinaryInteger) -> Duration {
    Duration.nanoseconds(nanoseconds)
  }
}
