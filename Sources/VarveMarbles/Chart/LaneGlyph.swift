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
