/// One column of a drawn lane.
package struct LaneGlyph: Sendable, Equatable {
  /// The meaning of a column, for coloring.
  package enum Role: Sendable, Hashable {
    case blank, line, started, value, count, completed, failed, interrupted, idle
  }

  /// The character; nil in the second column of a wide character.
  package var character: Character?
  /// The meaning of the column.
  package var role: Role

  /// Creates a column.
  package init(_ character: Character?, _ role: Role) {
    self.character = character
    self.role = role
  }
}

/// The kinds of end of a stream, or of one run of it.
package enum LaneEnding: Int, Sendable, Comparable {
  case completed, interrupted, failed

  /// A failure takes precedence over an interruption, and that over a completion.
  package static func < (first: LaneEnding, second: LaneEnding) -> Bool {
    first.rawValue < second.rawValue
  }
}

/// A reference to the event behind a mark on a lane.
package struct LaneTag: Sendable, Equatable {
  /// The number of the event.
  package var event: UInt64
  /// The time of the event, in nanoseconds since the start of the trace.
  package var time: UInt64

  /// Creates a tag.
  package init(event: UInt64 = 0, time: UInt64 = 0) {
    self.event = event
    self.time = time
  }
}
