// The smallest parts of the format, by the document and not by the library.

/// The checksum.
enum CRC32 {
  private static let table: [UInt32] = (0..<256).map { byte in
    (0..<8).reduce(UInt32(byte)) { sum, _ in sum & 1 == 1 ? sum >> 1 ^ 0xedb8_8320 : sum >> 1 }
  }

  static func of(_ bytes: UnsafeRawBufferPointer, from sum: UInt32) -> UInt32 {
    var sum = ~sum
    table.withUnsafeBufferPointer { table in
      for byte in bytes { sum = table[Int(UInt8(truncatingIfNeeded: sum) ^ byte)] ^ sum &>> 8 }
    }
    return ~sum
  }

  static func of(_ bytes: ArraySlice<UInt8>, from sum: UInt32) -> UInt32 {
    bytes.withUnsafeBytes { of($0, from: sum) }
  }
}

extension UnsafeRawBufferPointer {
  /// The number that lies somewhere; 0 where the bytes end before it does.
  func number(at offset: Int, bytes size: Int) -> Int {
    guard offset + size <= count else { return 0 }
    var number = 0
    for place in (0..<size).reversed() { number = number << 8 | Int(self[offset + place]) }
    return number
  }
}

extension [UInt8] {
  func number(at offset: Int, bytes size: Int) -> Int {
    withUnsafeBytes { $0.number(at: offset, bytes: size) }
  }

  /// Puts the lowest bytes of a number somewhere.
  mutating func put(_ number: UInt64, at offset: Int, bytes size: Int) {
    guard offset + size <= count else { return }
    for place in 0..<size {
      self[offset + place] = UInt8(truncatingIfNeeded: number >> UInt64(place * 8))
    }
  }

  mutating func append(_ number: UInt64, bytes size: Int) {
    for place in 0..<size { append(UInt8(truncatingIfNeeded: number >> UInt64(place * 8))) }
  }

  mutating func append(varint number: UInt64) {
    var rest = number
    while rest >= 0x80 {
      append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    append(UInt8(rest))
  }

  mutating func append(text: [UInt8]) {
    append(varint: UInt64(text.count))
    self += text
  }

  /// Takes a varint from somewhere; nil where none is.
  func varint(at offset: inout Int) -> UInt64? {
    var number: UInt64 = 0
    for place in 0..<10 {
      guard offset < count else { return nil }
      let byte = self[offset]
      offset += 1
      number |= UInt64(byte & 0x7f) &<< UInt64(place * 7)
      if byte < 0x80 { return number }
    }
    return nil
  }

  /// Has libFuzzer change the bytes from `start` on, which may become more by `room`.
  mutating func mutate(from start: Int = 0, room: Int) {
    let part = count - start
    let most = part + Swift.max(room, 0)
    guard most > 0 else { return }
    self += [UInt8](repeating: 0, count: most - part)
    let left = withUnsafeMutableBufferPointer {
      libFuzzerMutate($0.baseAddress! + start, part, most)
    }
    removeLast(most - left)
  }
}
