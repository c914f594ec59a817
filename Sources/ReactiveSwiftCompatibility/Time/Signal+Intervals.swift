public import Dispatch
public import Foundation

extension Signal {
  /// Delays values and completion. See `delay(_:on:)` of a `Duration`.
  @preconcurrency
  public func delay(
    _ interval: TimeInterval, on scheduler: any DateScheduler
  ) -> Signal where Value: Sendable { delay(Duration(interval), on: scheduler) }

  /// Sends the latest value after a quiet time. See `debounce(_:on:discardWhenCompleted:)` of a
  /// `Duration`.
  @preconcurrency
  public func debounce(
    _ interval: TimeInterval, on scheduler: any DateScheduler, discardWhenCompleted: Bool = true
  ) -> Signal where Value: Sendable {
    debounce(Duration(interval), on: scheduler, discardWhenCompleted: discardWhenCompleted)
  }

  /// Sends at most one value in a time. See `throttle(_:on:)` of a `Duration`.
  @preconcurrency
  public func throttle(
    _ interval: TimeInterval, on scheduler: any DateScheduler
  ) -> Signal where Value: Sendable { throttle(Duration(interval), on: scheduler) }

  /// Sends what came in each slice of time. See
  /// `collect(every:on:skipEmpty:discardWhenCompleted:)` of a `Duration`.
  @preconcurrency
  @_disfavoredOverload
  public func collect(
    every interval: DispatchTimeInterval, on scheduler: any DateScheduler, skipEmpty: Bool = false,
    discardWhenCompleted: Bool = true
  ) -> Signal<[Value], Failure> where Value: Sendable {
    collect(
      every: Duration(interval), on: scheduler, skipEmpty: skipEmpty,
      discardWhenCompleted: discardWhenCompleted)
  }

  /// Fails unless the stream has ended in time. See `timeout(after:raising:on:)` of a `Duration`.
  public func timeout(
    after interval: TimeInterval, raising error: Failure, on scheduler: any DateScheduler
  ) -> Signal { timeout(after: Duration(interval), raising: error, on: scheduler) }
}

extension Signal where Failure == Never {
  /// Fails unless the stream has ended in time. See `timeout(after:raising:on:)` of a `Duration`.
  public func timeout<NewFailure: Swift.Error>(
    after interval: TimeInterval, raising error: NewFailure, on scheduler: any DateScheduler
  ) -> Signal<Value, NewFailure> {
    timeout(after: Duration(interval), raising: error, on: scheduler)
  }
}
