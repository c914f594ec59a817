internal import Foundation

// Schedulers that think in dates count nanoseconds since the reference date. These reach three
// centuries, but tests go to `Date.distantFuture`, which is twenty off: `TestScheduler.run()` moves
// the clock there. So that date, with the years around it, is given an instant that is in reach.

extension SchedulerInstant {
  /// The instant of a date on a clock that thinks in dates.
  init(_ date: Date) {
    let left = date.timeIntervalSince(.distantFuture)
    self =
      left < -Self.aroundDistantFuture
      ? SchedulerInstant(nanoseconds: 0) + Duration(date.timeIntervalSinceReferenceDate)
      : .dateOfDistantFuture + Duration(left)
  }

  /// The instant that stands for `Date.distantFuture`: a century and a half after the reference date.
  static let dateOfDistantFuture = SchedulerInstant(nanoseconds: .max / 2)

  /// How many seconds before it belong to the distant future: ten years.
  fileprivate static let aroundDistantFuture: TimeInterval = 315_360_000
}

extension Date {
  /// The date of an instant on a clock that thinks in dates.
  init(_ instant: SchedulerInstant) {
    let left = (instant - .dateOfDistantFuture).inSeconds
    self =
      left < -SchedulerInstant.aroundDistantFuture
      ? Date(
        timeIntervalSinceReferenceDate: (instant - SchedulerInstant(nanoseconds: 0)).inSeconds)
      : Date.distantFuture.addingTimeInterval(left)
  }

  /// Whether this is among the years that `Date.distantFuture` stands in.
  var isInDistantFuture: Bool {
    timeIntervalSince(.distantFuture) >= -SchedulerInstant.aroundDistantFuture
  }
}
