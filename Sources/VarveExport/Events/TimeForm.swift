/// A form for the times of events in text.
public enum TimeForm: String, Sendable, Hashable, CaseIterable {
  /// The time since the recording began, in one unit for the whole trace.
  case elapsed
  /// The time since the line above.
  case delta
  /// Wall-clock time in the local time zone.
  case wall
  /// Wall-clock time in UTC.
  case utc
  /// The recorder's ticks.
  case ticks
}
