/// Everything in a trace is little-endian, on every machine.
extension [UInt8] {
  /// Appends a number of fixed width.
  mutating func append<Number: FixedWidthInteger>(little number: Number) {
    Swift.withUnsafeBytes(of: number.littleEndian) { append(contentsOf: $0) }
  }

  /// Appends a number in groups of seven bits, lowest first; every byte except the last has its top
  /// bit set.
  package mutating func append(varint number: UInt64) {
    var rest = number
    while rest >= 0x80 {
      append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    append(UInt8(rest))
  }

  /// Appends text: the number of its UTF-8 bytes as a varint, then the bytes. Text longer than
  /// `most` bytes is cut between two characters.
  mutating func append(text: String, most: Int) {
    var text = text
    let kept = text.withUTF8 { bytes in
      guard bytes.count > most else { return [UInt8](bytes) }
      var end = most
      while end > 0 && bytes[end] & 0xc0 == 0x80 { end -= 1 }
      return [UInt8](bytes[..<end])
    }
    append(varint: UInt64(kept.count))
    append(contentsOf: kept)
  }

  /// Overwrites bytes with a number of fixed width.
  mutating func replace<Number: FixedWidthInteger>(at offset: Int, little number: Number) {
    withUnsafeMutableBytes { $0.put(number, at: offset) }
  }
}

extension UnsafeMutableRawBufferPointer {
  /// Overwrites bytes with a number of fixed width.
  func put<Number: FixedWidthInteger>(_ number: Number, at offset: Int) {
    precondition(offset >= 0 && offset + MemoryLayout<Number>.size <= count)
    storeBytes(of: number.littleEndian, toByteOffset: offset, as: Number.self)
  }
}

extension UnsafeRawBufferPointer {
  /// Returns the number at an offset, which need not be aligned.
  @inline(__always)
  func little<Number: FixedWidthInteger>(_ type: Number.Type, at offset: Int) -> Number {
    precondition(offset >= 0 && offset + MemoryLayout<Number>.size <= count)
    return Number(littleEndian: loadUnaligned(fromByteOffset: offset, as: type))
  }
}
