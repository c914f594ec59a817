internal import VarveProbe

/// What happened in one bucket of one lane: a count, and which kinds of events were among them.
///
/// While events are counted, a cell is a word with the count in its lower 28 bits, which stops at
/// their greatest number, and a flag for each class of kinds in the upper four. In an answer it is
/// one byte: the bit length of the count, at most 15, and the flags.
enum TileCell {
  static let countMask: UInt32 = 0x0fff_ffff
  static let flagMask: UInt32 = 0xf000_0000

  /// The flags of each kind of event, by its raw value.
  static let flags: [UInt32] = (0...255).map { flag(RecordKind(rawValue: UInt8($0))) << 28 }

  private static func flag(_ kind: RecordKind?) -> UInt32 {
    switch kind {
    case .value: 0
    case .failed: 1
    case .completed, .interrupted, .ended: 2
    case .absorbed, .skipped: 4
    case .assembled, .subscribed, .hopScheduled, .hopBegan, .hopEnded, .hopCancelled, .log, .mark,
      .sent, .waitBegan, .waitEnded, .read, .taskCreated, .taskCancelled, .taskFailed,
      .taskFailureRead, .hopSampled, .errorThrown, nil:
      8
    }
  }

  /// A cell with one more event.
  @inline(__always)
  static func adding(_ flags: UInt32, to cell: UInt32) -> UInt32 {
    let isFull = cell & countMask == countMask
    return (isFull ? cell : cell &+ 1) | flags
  }

  /// The sum of two cells.
  @inline(__always)
  static func sum(_ one: UInt32, _ other: UInt32) -> UInt32 {
    min((one & countMask) &+ (other & countMask), countMask) | (one | other) & flagMask
  }

  /// A cell as it is sent.
  @inline(__always)
  static func byte(_ cell: UInt32) -> UInt8 {
    let count = cell & countMask
    guard count > 0 else { return 0 }
    return UInt8(min(15, 32 - count.leadingZeroBitCount)) | UInt8(truncatingIfNeeded: cell >> 24)
  }
}
