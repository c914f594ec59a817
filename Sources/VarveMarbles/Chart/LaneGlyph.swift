/// One column of a drawn lane.
package struct LaneGlyph: Sendable, Equatable {
  /// The meaning of a column, for coloring.
  package enum Role: Sendable, Hashable {
    case blank, line, started, value, count, completed, failed, interrupted, idle, hop
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
  /// The event's thread; 0 when there is no event.
  package var ring: UInt32
  /// The event's ordinal there.
  package var sequence: UInt64
  /// When it happened, in nanoseconds since the trace's start.
  package var time: UInt64

  /// Creates a tag.
  package init(ring: UInt32 = 0, sequence: UInt64 = 0, time: UInt64 = 0) {
    self.ring = ring
    self.sequence = sequence
    self.time = time
  }
}
