internal import CVarveSystem

/// A record in a ring, with validated lengths.
struct RingRecord {
  let bytes: UnsafeRawBufferPointer
  let size: Int
  let farCauses: Int
  let layout: PayloadLayout

  /// Creates the record at the beginning of `bytes`; nil if its lengths are invalid.
  init?(_ bytes: UnsafeRawBufferPointer) {
    let head = Int(VV_RECORD_HEAD_BYTES)
    guard bytes.count >= head else { return nil }
    size = Int(bytes[0]) * 8
    farCauses = Int(bytes[3])
    guard size >= head, size <= bytes.count, farCauses <= Int(VV_FAR_LARGEST) else { return nil }
    self.bytes = UnsafeRawBufferPointer(rebasing: bytes[..<size])
    let room = size - head - farCauses * 8
    layout = PayloadLayout(bytes[2])
    switch layout {
    case .none: guard room >= 0 else { return nil }
    case .word: guard room >= 8 else { return nil }
    case .text: guard room >= 8, textBytes <= room - 8 else { return nil }
    }
  }

  var kind: UInt8 { bytes[1] }
  var payload: UInt8 { bytes[2] }
  var stream: UInt32 { bytes.little(UInt32.self, at: 4) }
  var ticks: UInt64 { bytes.little(UInt64.self, at: 8) }
  var sequence: UInt32 { bytes.little(UInt32.self, at: 16) }
  var back: UInt32 { bytes.little(UInt32.self, at: 20) }
  var subscription: UInt64 { bytes.little(UInt64.self, at: 24) }

  /// The payload's word; for text and bytes, the length of the original value.
  var word: UInt64 {
    switch layout {
    case .none: 0
    case .word: bytes.little(UInt64.self, at: 32)
    case .text: UInt64(bytes.little(UInt32.self, at: 32))
    }
  }

  /// The kept part of the text or the bytes.
  var text: UnsafeRawBufferPointer {
    guard layout == .text else { return UnsafeRawBufferPointer(start: nil, count: 0) }
    return UnsafeRawBufferPointer(rebasing: bytes[40..<40 + textBytes])
  }

  func farCause(_ place: Int) -> UInt64 {
    bytes.little(UInt64.self, at: size - (farCauses - place) * 8)
  }

  private var textBytes: Int { Int(bytes.little(UInt32.self, at: 36)) }
}
