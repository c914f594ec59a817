internal import CVarveSystem
internal import VarveFormat

/// Records that follow each other in a ring, on their way into the file.
struct RecordRun {
  /// Whole records, if nothing has damaged them.
  let records: UnsafeRawBufferPointer
  /// Those of them that begin in so many bytes are due.
  let enough: Int
  /// Whether what lies at their beginning can be a record.
  let beginsWell: Bool
  /// The number of the first of them.
  let firstSequence: UInt64
  /// Where they begin in the ring.
  let position: UInt64

  /// Takes records from the beginning of `bytes`.
  ///
  /// - Parameters:
  ///   - position: where the bytes begin in the ring.
  ///   - enough: how many bytes the records that are due begin in.
  ///   - drained: the number of a record that is not far before the first.
  init(_ bytes: UnsafeRawBufferPointer, at position: UInt64, enough: UInt64, drained: UInt64) {
    records = bytes
    self.enough = Int(enough)
    self.position = position
    let first = bytes.baseAddress?.assumingMemoryBound(to: UInt8.self)
    beginsWell = vv_record_is_whole(first, UInt64(bytes.count))
    firstSequence = beginsWell ? vv_record_sequence(first, drained &+ 1) : 0
  }

  /// Whether the first record's number can be one.
  var isNumbered: Bool { EventBlockHeader.sequences.contains(firstSequence) }

  /// Whether the second record has the number behind the first one's, if a second is due.
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

  /// The tick of the last of the records that make up the first `bytes`, which are sound.
  func lastTick(in bytes: Int) -> UInt64 {
    var offset = 0
    while offset + Int(records[offset]) * 8 < bytes { offset += Int(records[offset]) * 8 }
    return records.loadUnaligned(fromByteOffset: offset + 8, as: UInt64.self)
  }
}
