/// A length of time, as an argument of time-based operators.
///
/// `Duration` conforms to it. It is a protocol so that other units, such as seconds or Dispatch
/// intervals, need no overload of each operator: in a long chain of operators, each overload adds
/// considerably to the time of type checking.
public protocol TimeSpan: Sendable {
  /// The length as a duration.
  var asDuration: Duration { get }
}

extension Duration: TimeSpan {
  /// The duration itself.
  public var asDuration: Duration { self }
}

// Allows `.seconds(1)` as an argument for a time span.
extension TimeSpan where Self == Duration {
  /// A time span of zero.
  public static var zero: Duration { Duration.zero }

  /// Returns a time span of a number of seconds.
  public static func seconds(_ seconds: some BinaryInteger) -> Duration {
    Duration.seconds(seconds)
  }

  /// Returns a time span of a number of seconds.
  public static func seconds(_ seconds: Double) -> Duration { Duration.seconds(seconds) }

  /// Returns a time span of a number of milliseconds.
  public static func milliseconds(_ milliseconds: some BinaryInteger) -> Duration {
    Duration.milliseconds(milliseconds)
  }

  /// Returns a time span of a number of milliseconds.
  public static func milliseconds(_ milliseconds: Double) -> Duration {
    Duration.milliseconds(milliseconds)
  }

  /// Returns a time span of a number of microseconds.
  public static func microseconds(_ microseconds: some BinaryInteger) -> Duration {
    Duration.microseconds(microseconds)
  }

  /// Returns a time span of a number of microseconds.
  public static func microseconds(_ microseconds: Double) -> Duration {
    Duration.microseconds(microseconds)
  }

  /// Returns a time span of a number of nanoseconds.
  public static func nanoseconds(_ nanoseconds: some BinaryInteger) -> Duration {
    Duration.nanoseconds(nanoseconds)
  }
}
