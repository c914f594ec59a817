import VarveFormat

/// A block put together by hand from `Docs/Format.md`, for blocks that the writer would not write.
struct CraftedBlock {
  var kind: UInt8
  var codec: UInt8 = 0
  var fields: [UInt8] = []
  var payload: [UInt8] = []
  /// What the header says of the payload's unpacked size; nil for the payload's own size.
  var rawBytes: UInt32?
  /// What the header says of the payload's size; nil for the truth.
  var storedBytes: UInt32?

  /// The block's bytes in a trace of this id.
  func bytes(in id: TraceID = TraceHeader.sample().id) -> [UInt8] {
    let seed = crc(little(id.low) + little(id.high))
    var header: [UInt8] = [0xd6, 0x56, 0x42, 0x1a, kind, codec]
    header += little(UInt16(24 + fields.count))
    header += little(rawBytes ?? UInt32(payload.count))
    header += little(storedBytes ?? UInt32(payload.count))
    header += little(crc(payload, from: seed)) + fields
    return header + little(crc(header, from: seed)) + payload
  }
}

/// CRC-32, bit by bit.
func crc(_ bytes: [UInt8], from seed: UInt32 = 0) -> UInt32 {
  var sum = ~seed
  for byte in bytes {
    sum ^= UInt32(byte)
    for _ in 0..<8 { sum = sum & 1 == 0 ? sum >> 1 : sum >> 1 ^ 0xedb8_8320 }
  }
  return ~sum
}

/// Where the blocks of a trace lie, found by walking from header to header.
func blockRanges(in file: [UInt8]) -> [(kind: UInt8, range: Range<Int>)] {
  var ranges: [(kind: UInt8, range: Range<Int>)] = []
  var offset = Int(number(in: file, at: 12, bytes: 4))
  while offset + 24 <= file.count {
    let header = Int(number(in: file, at: offset + 6, bytes: 2))
    let stored = Int(number(in: file, at: offset + 12, bytes: 4))
    ranges.append((file[offset + 4], offset..<offset + header + stored))
    offset += header + stored
  }
  return ranges
}

/// The number at an offset.
func number(in bytes: [UInt8], at offset: Int, bytes count: Int) -> UInt64 {
  bytes[offset..<offset + count].reversed().reduce(0) { $0 << 8 | UInt64($1) }
}

/// A number in groups of seven bits, lowest first.
func varint(_ number: Int) -> [UInt8] {
  number < 0x80 ? [UInt8(number)] : [UInt8(number & 0x7f | 0x80)] + varint(number >> 7)
}
