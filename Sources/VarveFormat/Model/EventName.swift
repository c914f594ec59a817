/// What an event is called: its thread's number and its ordinal there, `4.1749`.
///
/// The name stays the same while the trace grows, after repair and in other files of the recording.
/// In a merge of several recordings the recording's number stands before it: `2:4.1749`.
public struct EventName: Hashable, Sendable {
  /// The ring that the event was written to: the number of its thread. In a merge of several
  /// recordings the upper eight bits are the recording's number; otherwise they are 0.
  public var ring: UInt32
  /// The event's ordinal on its thread, from 1.
  public var sequence: UInt64

  /// Creates a name.
  public init(ring: UInt32, sequence: UInt64) {
    self.ring = ring
    self.sequence = sequence
  }

  /// From the word that an event names a cause by: the upper 24 bits are the ring's number in the
  /// event's own recording.
  init(word: UInt64, inRecordingOf ring: UInt32) {
    self.init(
      ring: ring & ~Self.ringBits | UInt32(word >> 40), sequence: word & 0xff_ffff_ffff)
  }

  /// The word that rings and files hold.
  var word: UInt64 { UInt64(ring & Self.ringBits) << 40 | sequence & 0xff_ffff_ffff }

  /// The bits of a ring's id that are its number in its recording.
  public static let ringBits: UInt32 = 0xff_ffff

  /// The number of the recording that a ring belongs to; 0 where there is only one.
  public static func recording(_ ring: UInt32) -> UInt32 { ring >> 24 }

  /// The number of the thread behind a ring, as names of events begin: `4`, or `2:4`.
  public static func thread(_ ring: UInt32) -> String {
    let recording = recording(ring)
    return recording == 0 ? "\(ring)" : "\(recording):\(ring & ringBits)"
  }
}

extension EventName: Comparable {
  /// By thread, then in the thread's order, which says nothing of when events of two threads
  /// happened.
  public static func < (one: EventName, other: EventName) -> Bool {
    (one.ring, one.sequence) < (other.ring, other.sequence)
  }
}

extension EventName: LosslessStringConvertible {
  /// `4.1749`.
  public var description: String { "\(Self.thread(ring)).\(sequence)" }

  /// Reads a name, with or without a `#` before it.
  public init?(_ text: String) {
    var rest = Substring(text.hasPrefix("#") ? text.dropFirst() : text[...])
    var recording: UInt32 = 0
    if let colon = rest.firstIndex(of: ":") {
      guard let number = Self.number(rest[..<colon]), number < 1 << 8 else { return nil }
      recording = UInt32(number)
      rest = rest[rest.index(after: colon)...]
    }
    let parts = rest.split(separator: ".", omittingEmptySubsequences: false)
    // A trace of one recording may hold rings of more bits.
    guard parts.count == 2, let ring = Self.number(parts[0]), let sequence = Self.number(parts[1]),
      ring < 1 << (recording == 0 ? 32 : 24)
    else { return nil }
    self.init(ring: recording << 24 | UInt32(ring), sequence: sequence)
  }

  private static func number(_ digits: Substring) -> UInt64? {
    guard digits.utf8.allSatisfy({ 48...57 ~= $0 }), let number = UInt64(digits), number > 0 else {
      return nil
    }
    return number
  }
}
