internal import CVarveSystem
internal import VarveFormat

/// Consecutive records in a ring, on their way into the file.
struct RecordRun {
  /// Whole records, unless they have been damaged.
  let records: UnsafeRawBufferPointer
  /// The number of bytes in which the due records begin.
  let enough: Int
  /// Whether the bytes at the beginning can be a record.
  let beginsWell: Bool
  /// The number of the first record.
  let firstSequence: UInt64
  /// The position of the first record in the ring.
  let position: UInt64

  /// Creates a run of the records at the beginning of `bytes`.
  ///
  /// - Parameters:
  ///   - position: The position of the bytes in the ring.
  ///   - enough: The number of bytes in which the due records begin.
  ///   - drained: The number of a record not far before the first.
  init(_ bytes: UnsafeRawBufferPointer, at position: UInt64, enough: UInt64, drained: UInt64) {
    records = bytes
    self.enough = Int(enough)
    self.position = position
    let first = bytes.baseAddress?.assumingMemoryBound(to: UInt8.self)
    beginsWell = vv_record_is_whole(first, UInt64(bytes.count))
    firstSequence = beginsWell ? vv_record_sequence(first, drained &+ 1) : 0
  }

  /// Whether the first record's number is valid.
  var isNumbered: Bool { EventBlockHeader.sequences.contains(firstSequence) }

  /// Whether the second record, if it is due, has the number after the first one's.
  var goesOn: Bool {
    let size = Int(records[0]) * 8
    guard size < enough else { return true }
    let second = UnsafeRawBufferPointer(rebasing: records[size...])
    let first = second.baseAddress?.assumingMemoryBound(to: UInt8.self)
    guard vv_record_is_whole(first, UInt64(second.count)) else { return true }
    return vv_record_sequence(first, firstSequence) == firstSequence &+ 1
  }

  /// The tick of the first record.
  var firstTick: UInt64 { records.loadUnaligned(fromByteOffset: 8, as: UInt64.self) }

  /// Returns the tick of the last record in the first `bytes`, which must be sound.
  func lastTick(in bytes: Int) -> UInt64 {
    var offset = 0
    while offset + Int(records[offset]) * 8 < bytes { offset += Int(records[offset]) * 8 }
    return records.loadUnaligned(fromByteOffset: offset + 8, as: UInt64.self)
  }
}
