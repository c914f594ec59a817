/// The columns of an event block, by their numbers in the file. A column whose entries are all 0 is
/// omitted.
///
/// Events are grouped by *shape*: stream, kind, payload kind, and number of far causes. A block
/// holds the table of its shapes once and, for each event, the number of its shape. Whatever
/// depends on the shape alone costs nothing more, and most other fields differ little, if at all,
/// from the same field of the previous event of that shape.
package enum Column {
  /// The ticks of each event except the first, less those of the event before it.
  package static let ticks: UInt8 = 1
  /// Each shape's stream, less that of the shape before it.
  package static let shapeStreams: UInt8 = 2
  /// Each shape's record kind.
  package static let shapeKinds: UInt8 = 3
  /// Each shape's payload kind.
  package static let shapePayloads: UInt8 = 4
  /// Each shape's number of far causes.
  package static let shapeFarCauses: UInt8 = 5
  /// The subscription of each shape's first event, less that of the shape before it.
  package static let shapeSubscriptions: UInt8 = 6
  /// The cause of each shape's first event, in records back.
  package static let shapeBacks: UInt8 = 7
  /// The form of each shape's words: a `WordForm`.
  package static let shapeWordForms: UInt8 = 8
  /// The word of the first event of each shape whose words are differences, less that of the shape
  /// before it; for other shapes, that word counts as 0.
  package static let shapeWords: UInt8 = 9
  /// Each event's shape.
  package static let shapes: UInt8 = 10
  /// Each event's subscription, less that of the shape's last event.
  package static let subscriptions: UInt8 = 11
  /// Each event's cause in records back, less that of the shape's last event.
  package static let backs: UInt8 = 12
  /// The words of the events that have one.
  package static let words: UInt8 = 13
  /// For each event with text: 0 for a text that is new in the block, otherwise the text's number,
  /// from 1 in order of appearance.
  package static let texts: UInt8 = 14
  /// For each event with text, the number of bytes cut off.
  package static let cuts: UInt8 = 15
  /// The length of each new text in bytes.
  package static let textLengths: UInt8 = 16
  /// The length of the prefix that each new text shares with the text of its shape's last event.
  package static let textPrefixes: UInt8 = 17
  /// The remaining bytes of the new texts.
  package static let heap: UInt8 = 18
  /// Far causes, less the far cause in the same position of the shape's last event.
  package static let farCauses: UInt8 = 19

  /// One more than the last number.
  package static let end: UInt8 = 20
}

/// The encoding of a shape's words.
package enum WordForm {
  /// As they are: small numbers in no order.
  package static let plain: UInt8 = 0
  /// Less the word of the shape's last event: numbers that rise, or change little.
  package static let difference: UInt8 = 1
}

/// The encoding of a plane.
package enum PlaneForm {
  /// All bytes are the same; the byte takes the place of the length.
  package static let constant: UInt8 = 0
  /// As it is.
  package static let stored: UInt8 = 1
  /// A raw deflate stream.
  package static let deflated: UInt8 = 2
  /// Codes of a few bits for the values that make up nearly all bytes; see `PlaneCodes`.
  package static let encoded: UInt8 = 3
}

/// Maps signed differences to unsigned numbers so that small ones stay small: 0, -1, 1, -2 become
/// 0, 1, 2, 3.
@inline(__always)
func zigzag(_ difference: UInt64) -> UInt64 {
  (difference << 1) ^ UInt64(bitPattern: Int64(bitPattern: difference) >> 63)
}

/// Maps differences of 32-bit numbers in the same way.
@inline(__always)
func zigzag(_ number: UInt32, less previous: UInt32) -> UInt32 {
  let difference = number &- previous
  return (difference << 1) ^ UInt32(bitPattern: Int32(bitPattern: difference) >> 31)
}

/// Reverses `zigzag`.
@inline(__always)
func unzigzag(_ number: UInt64) -> UInt64 {
  (number >> 1) ^ (0 &- (number & 1))
}
