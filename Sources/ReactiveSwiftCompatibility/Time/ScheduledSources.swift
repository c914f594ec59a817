public import Dispatch
public import Foundation

extension SignalProducer where Value == Date, Failure == Never {
  /// Returns a producer that sends the scheduler's date every `interval`, counted from its start,
  /// with a leeway of a tenth of the interval.
  public static func timer(
    interval: DispatchTimeInterval, on scheduler: any DateScheduler
  ) -> SignalProducer {
    SignalProducer<SchedulerInstant, Never>.timer(interval: Duration(interval), on: scheduler)
      .map { _ in scheduler.currentDate }
  }

  /// Returns a producer that sends the scheduler's date every `interval`, counted from its start.
  public static func timer(
    interval: DispatchTimeInterval, on scheduler: any DateScheduler, leeway: DispatchTimeInterval
  ) -> SignalProducer {
    SignalProducer<SchedulerInstant, Never>.timer(
      interval: Duration(interval), on: scheduler, leeway: Duration(leeway)
    )
    .map { _ in scheduler.currentDate }
  }
}
