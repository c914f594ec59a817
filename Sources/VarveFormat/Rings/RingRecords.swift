internal import CVarveSystem
internal import VarveProbe

/// Reads records as they lie in a ring (`varve_ring.h`), for the events that no block holds yet.
///
/// What is read may come from a process that wrote into its own memory by mistake: every length is
/// checked before it is followed.
public enum RingRecords {
  /// How far a run of records is sound.
  public struct Extent: Sendable, Hashable {
    /// Whole, sound records.
    public var count = 0
    /// Their bytes.
    public var bytes = 0
    /// Why the run ends before its bytes do; nil when it does not.
    public var flaw: String?
  }

  /// Walks records from the first to the first that is not sound: whose length, far causes, text
  /// or sequence number contradicts the rest.
  public static func check(_ records: UnsafeRawBufferPointer, firstSequence: UInt64) -> Extent {
    var extent = Extent()
    while extent.bytes < records.count {
      let sequence = UInt32(truncatingIfNeeded: firstSequence) &+ UInt32(extent.count)
      let rest = UnsafeRawBufferPointer(rebasing: records[extent.bytes...])
      guard let record = RingRecord(rest) else {
        extent.flaw = "a record's lengths contradict each other"
        return extent
      }
      guard record.sequence == sequence else {
        extent.flaw = "record \(record.sequence) lies where \(sequence) should"
        return extent
      }
      extent.count += 1
      extent.bytes += record.size
    }
    return extent
  }
}

/// One record in a ring, its lengths checked.
struct RingRecord {
  let bytes: UnsafeRawBufferPointer
  let size: Int
  let farCauses: Int

  /// The record that `bytes` begins with; nil when its lengths cannot be.
  init?(_ bytes: UnsafeRawBufferPointer) {
    let head = Int(VV_RECORD_HEAD_BYTES)
    guard bytes.count >= head else { return nil }
    size = Int(bytes[0]) * 8
    farCauses = Int(bytes[3])
    guard size >= head, size <= bytes.count, farCauses <= Int(VV_FAR_LARGEST) else { return nil }
    self.bytes = UnsafeRawBufferPointer(rebasing: bytes[..<size])
    let room = size - head - farCauses * 8
    switch PayloadLayout(bytes[2]) {
    case .none: guard room >= 0 else { return nil }
    case .word: guard room >= 8 else { return nil }
    case .text: guard room >= 8, textBytes <= room - 8 else { return nil }
    }
  }

  var sequence: UInt32 { bytes.little(UInt32.self, at: 16) }
  /// For text and bytes, how many bytes are kept.
  var textBytes: Int { Int(bytes.little(UInt32.self, at: 36)) }
}
