internal import CVarveSystem
internal import VarveFormat

/// Records that follow each other in a ring, on their way into the file.
struct RecordRun {
  /// The records, whole.
  let records: UnsafeRawBufferPointer
  /// How many they are; 0 when what lies there cannot be records.
  let count: UInt64
  /// The number of the first of them.
  let firstSequence: UInt64
  /// The position in the ring behind the last.
  let end: UInt64

  /// Takes whole records from the beginning of `bytes`, until `enough` bytes are passed.
  ///
  /// - Parameters:
  ///   - position: where the bytes begin in the ring.
  ///   - drained: the number of a record that is not far before the first.
  init(_ bytes: UnsafeRawBufferPointer, at position: UInt64, enough: UInt64, drained: UInt64) {
    var count: UInt64 = 0
    let first = bytes.baseAddress?.assumingMemoryBound(to: UInt8.self)
    let passed = vv_records_walk(first, UInt64(bytes.count), enough, &count)
    self.count = count
    records = UnsafeRawBufferPointer(rebasing: bytes[..<Int(passed)])
    firstSequence = count > 0 ? vv_record_sequence(first, drained + 1) : 0
    end = position + passed
  }

  private init(
    records: UnsafeRawBufferPointer, count: UInt64, firstSequence: UInt64, end: UInt64
  ) {
    self.records = records
    self.count = count
    self.firstSequence = firstSequence
    self.end = end
  }

  /// The run's first records alone, which take so many bytes.
  func first(_ count: UInt64, bytes: Int) -> RecordRun {
    RecordRun(
      records: UnsafeRawBufferPointer(rebasing: records[..<bytes]), count: count,
      firstSequence: firstSequence, end: end - UInt64(records.count - bytes))
  }

  /// Whether the second record has the number behind the first one's, if there is a second.
  var goesOn: Bool {
    let second = Int(records[0]) * 8
    guard second < records.count else { return true }
    let number = records.loadUnaligned(fromByteOffset: second + 16, as: UInt32.self)
    return number == UInt32(truncatingIfNeeded: firstSequence) &+ 1
  }

  /// The tick of the first record.
  var firstTick: UInt64 { records.loadUnaligned(fromByteOffset: 8, as: UInt64.self) }

  /// The tick of the last record.
  var lastTick: UInt64 {
    var offset = 0
    while offset + Int(records[offset]) * 8 < records.count { offset += Int(records[offset]) * 8 }
    return records.loadUnaligned(fromByteOffset: offset + 8, as: UInt64.self)
  }
}
