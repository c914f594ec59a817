public import Dispatch
internal import Foundation

/// A number of seconds, as `TimeInterval` is one.
extension Double: TimeSpan {
  /// As many seconds, to the nanosecond.
  public var asDuration: Duration { Duration(self) }
}

extension DispatchTimeInterval: TimeSpan {
  /// The same length; `never` is longer than any clock goes.
  public var asDuration: Duration { Duration(self) }
}

extension Duration {
  /// As long as an interval of Dispatch; `never` is longer than any clock goes.
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

  /// As long as a number of seconds, to the nanosecond.
  init(_ seconds: TimeInterval) {
    guard seconds.isFinite, abs(seconds) < Self.longest else {
      self = seconds < 0 ? .zero - .endless : .endless
      return
    }
    let whole = seconds.rounded(.down)
    let rest = ((seconds - whole) * 1e9).rounded()
    self = .seconds(Int64(whole)) + .nanoseconds(Int64(rest))
  }

  /// Longer than any scheduler's clock goes.
  static let endless = Duration.nanoseconds(Int64.max)

  private static let longest = TimeInterval(Int64.max / 1_000_000_000)

  /// The number of seconds.
  var inSeconds: TimeInterval {
    TimeInterval(components.seconds) + TimeInterval(components.attoseconds) / 1e18
  }
}

extension DispatchTimeInterval {
  /// As long as a duration; what is longer than any clock goes is `never`.
  init(_ duration: Duration) {
    let nanoseconds = duration / .nanoseconds(1)
    self = nanoseconds < Double(Int.max) ? .nanoseconds(Int(duration.wholeSteps)) : .never
  }
}

extension Duration {
  /// The number of nanoseconds; the duration must not be longer than a clock goes.
  fileprivate var wholeSteps: Int64 {
    components.seconds * 1_000_000_000 + components.attoseconds / 1_000_000_000
  }
}
