public import Dispatch
internal import Foundation

/// A time span in seconds, like `TimeInterval`.
extension Double: TimeSpan {
  /// The duration in seconds, to the nanosecond.
  public var asDuration: Duration { Duration(self) }
}

extension DispatchTimeInterval: TimeSpan {
  /// The interval as a duration; `never` is longer than the range of any clock.
  public var asDuration: Duration { Duration(self) }
}

extension Duration {
  /// Creates a duration from a Dispatch interval; `never` is longer than the range of any clock.
  init(_ interval: DispatchTimeInterval) {
    self =
      switch interval {
      case .seconds(let seconds): .seconds(seconds)
      case .milliseconds(let milliseconds): .milliseconds(milliseconds)
      case .microseconds(let microseconds): .microseconds(microseconds)
      case .nanoseconds(let nanoseconds): .nanoseconds(nanoseconds)
      case .never: .endless
      @unknown default: .endless
      }
  }

  /// Creates a duration from a number of seconds, to the nanosecond.
  init(_ seconds: TimeInterval) {
    guard seconds.isFinite, abs(seconds) < Self.longest else {
      self = seconds < 0 ? .zero - .endless : .endless
      return
    }
    let whole = seconds.rounded(.down)
    let rest = ((seconds - whole) * 1e9).rounded()
    self = .seconds(Int64(whole)) + .nanoseconds(Int64(rest))
  }

  /// A duration that exceeds the range of any scheduler's clock.
  static let endless = Duration.nanoseconds(Int64.max)

  private static let longest = TimeInterval(Int64.max / 1_000_000_000)

  /// The duration in seconds.
  var inSeconds: TimeInterval {
    TimeInterval(components.seconds) + TimeInterval(components.attoseconds) / 1e18
  }
}

extension DispatchTimeInterval {
  /// Creates an interval from a duration; a duration beyond the range of any clock becomes `never`.
  init(_ duration: Duration) {
    let nanoseconds = duration / .nanoseconds(1)
    self = nanoseconds < Double(Int.max) ? .nanoseconds(Int(duration.wholeSteps)) : .never
  }
}

extension Duration {
  /// The duration in nanoseconds. It must be within the range of a clock.
  fileprivate var wholeSteps: Int64 {
    components.seconds * 1_000_000_000 + components.attoseconds / 1_000_000_000
  }
}
