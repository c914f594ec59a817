/// How times of events are written in text.
public enum TimeForm: String, Sendable, Hashable, CaseIterable {
  /// Since the recording began, in one unit for the whole trace.
  case elapsed
  /// Since the line above.
  case delta
  /// The wall's clock where the command runs.
  case wall
  /// The wall's clock in UTC.
  case utc
  /// The recorder's ticks.
  case ticks
}
