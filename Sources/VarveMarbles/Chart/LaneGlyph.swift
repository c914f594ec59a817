/// One column of a drawn lane.
package struct LaneGlyph: Sendable, Equatable {
  /// What a column means, for those who colour it.
  package enum Role: Sendable, Hashable {
    case blank, line, started, value, count, completed, failed, interrupted, idle
  }

  /// What is drawn; nil in the second column of a wide character.
  package var character: Character?
  /// What it means.
  package var role: Role

  /// Creates a column.
  package init(_ character: Character?, _ role: Role) {
    self.character = character
    self.role = role
  }
}

/// How a stream, or one run of it, ended.
package enum LaneEnding: Int, Sendable, Comparable {
  case completed, interrupted, failed

  /// A failure is told before an interruption, and that before a completion.
  package static func < (first: LaneEnding, second: LaneEnding) -> Bool {
    first.rawValue < second.rawValue
  }
}

/// Which event something on a lane is.
package struct LaneTag: Sendable, Equatable {
  /// The event's number.
  package var event: UInt64
  /// When it happened, in nanoseconds since the trace's start.
  package var time: UInt64

  /// Creates a tag.
  package init(event: UInt64 = 0, time: UInt64 = 0) {
    self.event = event
    self.time = time
  }
}
