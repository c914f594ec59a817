internal import Foundation

// Schedulers with dates count nanoseconds since the reference date. Their range is three centuries,
// but tests reach `Date.distantFuture`, which is twenty centuries away: `TestScheduler.run()` moves
// the clock there. That date and the years around it are therefore mapped to instants within the
// range.

extension SchedulerInstant {
  /// Creates the instant of a date on a clock that shows dates.
  init(_ date: Date) {
    let left = date.timeIntervalSince(.distantFuture)
    self =
      left < -Self.aroundDistantFuture
      ? SchedulerInstant(nanoseconds: 0) + Duration(date.timeIntervalSinceReferenceDate)
      : .dateOfDistantFuture + Duration(left)
  }

  /// The instant that stands for `Date.distantFuture`: a century and a half after the reference date.
  static let dateOfDistantFuture = SchedulerInstant(nanoseconds: .max / 2)

  /// The number of seconds before it that belong to the distant future: ten years.
  fileprivate static let aroundDistantFuture: TimeInterval = 315_360_000
}

extension Date {
  /// Creates the date of an instant on a clock that shows dates.
  init(_ instant: SchedulerInstant) {
    let left = (instant - .dateOfDistantFuture).inSeconds
    self =
      left < -SchedulerInstant.aroundDistantFuture
      ? Date(
        timeIntervalSinceReferenceDate: (instant - SchedulerInstant(nanoseconds: 0)).inSeconds)
      : Date.distantFuture.addingTimeInterval(left)
  }

  /// Whether the date is among the years around `Date.distantFuture`.
  var isInDistantFuture: Bool {
    timeIntervalSince(.distantFuture) >= -SchedulerInstant.aroundDistantFuture
  }
}
