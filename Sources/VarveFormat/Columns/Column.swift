/// The columns of an event block, by their numbers in the file. A column whose entries are all 0 is
/// left out.
///
/// Events are told apart by *shape*: stream, kind, payload kind and number of far causes. A block
/// holds the table of its shapes once and, for each event, the number of its shape; what depends on
/// the shape alone costs nothing more, and most other fields differ little, or not at all, from the
/// same field of the last event of that shape.
package enum Column {
  /// Ticks of each event but the first, less those of the event before it.
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
  /// How each shape's words are written: a `WordForm`.
  package static let shapeWordForms: UInt8 = 8
  /// The word of the first event of each shape whose words are differences, less that of the shape
  /// before it; for the others, as if that word were 0.
  package static let shapeWords: UInt8 = 9
  /// Each event's shape.
  package static let shapes: UInt8 = 10
  /// Each event's subscription, less that of the shape's last event.
  package static let subscriptions: UInt8 = 11
  /// Each event's cause in records back, less that of the shape's last event.
  package static let backs: UInt8 = 12
  /// The words of the events that have one.
  package static let words: UInt8 = 13
  /// For each event with text: 0 for a text that is new in the block, else the text's number, from
  /// 1 in the order in which they were new.
  package static let texts: UInt8 = 14
  /// For each event with text, how many bytes it had beyond those that are kept.
  package static let cuts: UInt8 = 15
  /// How many bytes each new text has.
  package static let textLengths: UInt8 = 16
  /// How many bytes each new text begins with that the text of its shape's last event begins with.
  package static let textPrefixes: UInt8 = 17
  /// The new texts' other bytes.
  package static let heap: UInt8 = 18
  /// Far causes, less the far cause in the same place of the shape's last event.
  package static let farCauses: UInt8 = 19

  /// One more than the last number.
  package static let end: UInt8 = 20
}

/// How the words of a shape are written.
package enum WordForm {
  /// As they are: small numbers in no order.
  package static let plain: UInt8 = 0
  /// Less the word of the shape's last event: numbers that go up, or change little.
  package static let difference: UInt8 = 1
}

/// How a plane is written.
package enum PlaneForm {
  /// Every byte is the same; it stands in the place of the length.
  package static let constant: UInt8 = 0
  /// As it is.
  package static let stored: UInt8 = 1
  /// A raw deflate stream.
  package static let deflated: UInt8 = 2
  /// Codes of a few bits for the values that make up nearly all bytes, see `PlaneCodes`.
  package static let encoded: UInt8 = 3
}

/// Maps signed differences to unsigned numbers so that small ones stay small: 0, -1, 1, -2 become
/// 0, 1, 2, 3.
@inline(__always)
func zigzag(_ difference: UInt64) -> UInt64 {
  (difference << 1) ^ UInt64(bitPattern: Int64(bitPattern: difference) >> 63)
}

/// The same for numbers of 32 bits.
@inline(__always)
func zigzag(_ number: UInt32, less previous: UInt32) -> UInt32 {
  let difference = number &- previous
  return (difference << 1) ^ UInt32(bitPattern: Int32(bitPattern: difference) >> 31)
}

/// Undoes `zigzag`.
@inline(__always)
func unzigzag(_ number: UInt64) -> UInt64 {
  (number >> 1) ^ (0 &- (number & 1))
}
