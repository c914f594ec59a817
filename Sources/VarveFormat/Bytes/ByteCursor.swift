/// An error for bytes that are not as expected.
struct MalformedBytes: Error {
  /// The position, from the beginning of what was read.
  var offset: Int
}

/// A reader of untrusted bytes, from the first to the last and never past the end.
struct ByteCursor {
  let bytes: UnsafeRawBufferPointer
  private(set) var offset: Int

  /// Begins at `offset`, which must lie inside.
  init(_ bytes: UnsafeRawBufferPointer, at offset: Int = 0) {
    self.bytes = bytes
    self.offset = offset
  }

  var remaining: Int { bytes.count - offset }

  /// Takes a number of fixed width.
  mutating func take<Number: FixedWidthInteger>(_ type: Number.Type) throws(MalformedBytes)
    -> Number
  {
    let size = MemoryLayout<Number>.size
    guard remaining >= size else { throw MalformedBytes(offset: offset) }
    defer { offset += size }
    return bytes.little(type, at: offset)
  }

  /// Takes a number in groups of seven bits.
  mutating func takeVarint() throws(MalformedBytes) -> UInt64 {
    var number: UInt64 = 0
    var shift: UInt64 = 0
    while true {
      let byte = try take(UInt8.self)
      guard shift < 63 || byte <= 1 else { throw MalformedBytes(offset: offset - 1) }
      number |= UInt64(byte & 0x7f) << shift
      if byte < 0x80 { return number }
      shift += 7
    }
  }

  /// Takes a varint that must not exceed `most`.
  mutating func takeCount(most: Int) throws(MalformedBytes) -> Int {
    let start = offset
    let number = try takeVarint()
    guard number <= UInt64(most) else { throw MalformedBytes(offset: start) }
    return Int(number)
  }

  /// Takes a number of bytes.
  mutating func take(bytes count: Int) throws(MalformedBytes) -> UnsafeRawBufferPointer {
    guard count >= 0 && remaining >= count else { throw MalformedBytes(offset: offset) }
    defer { offset += count }
    return UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + count])
  }

  /// Takes text; invalid UTF-8 is replaced.
  mutating func takeText() throws(MalformedBytes) -> String {
    let length = try takeCount(most: remaining)
    return String(decoding: try take(bytes: length), as: UTF8.self)
  }
}
