/// Writes untrusted text so that it cannot control a terminal.
///
/// A trace is untrusted input: its values may contain escape sequences. Control characters,
/// including the eight-bit ones and those that change the direction of writing, are written as
/// Swift writes them in a literal: `\n`, `\u{1b}`. Bytes that are not valid UTF-8 become `\xff`.
/// Where the output is limited to ASCII, so is every other character, but for the sign of what
/// names leave out, which is written as two dots, as everywhere in such output.
package enum TerminalText {
  /// Returns the greatest number of bytes that `count` bytes of text can become.
  static func mostBytes(_ count: Int) -> Int { count * 6 + 16 }

  /// Writes the text. There must be room for `mostBytes`.
  @inline(__always)
  static func write(
    _ text: UnsafeBufferPointer<UInt8>, quoted: Bool, ascii: Bool = false, to pen: inout Pen
  ) {
    if quoted { pen.put(UInt8(ascii: "\"")) }
    var index = 0
    while index < text.count, isPlain(text[index], quoted: quoted) {
      pen.put(text[index])
      index += 1
    }
    if index < text.count { writeRest(text, from: index, quoted: quoted, ascii: ascii, to: &pen) }
    if quoted { pen.put(UInt8(ascii: "\"")) }
  }

  /// Returns the text as a string, where speed does not matter.
  package static func escaped(_ text: String, ascii: Bool = false) -> String {
    var text = text
    return text.withUTF8 { bytes in
      let output = ByteOutput(capacity: mostBytes(bytes.count)) { _ in nil }
      var pen = output.pen()
      let start = pen.at
      write(bytes, quoted: false, ascii: ascii, to: &pen)
      return withExtendedLifetime(output) {
        String(decoding: UnsafeBufferPointer(start: start, count: pen.at - start), as: UTF8.self)
      }
    }
  }

  @inline(__always)
  private static func isPlain(_ byte: UInt8, quoted: Bool) -> Bool {
    byte >= 0x20 && byte < 0x7f && !(quoted && (byte == 0x22 || byte == 0x5c))
  }

  private static func writeRest(
    _ text: UnsafeBufferPointer<UInt8>, from start: Int, quoted: Bool, ascii: Bool,
    to pen: inout Pen
  ) {
    var index = start
    while index < text.count {
      if isPlain(text[index], quoted: quoted) {
        pen.put(text[index])
        index += 1
        continue
      }
      guard let (scalar, length) = UTF8Scalar.decode(text, at: index) else {
        pen.put("\\x")
        putHex(text[index], to: &pen)
        index += 1
        continue
      }
      if ascii, scalar == 0x2026 {
        pen.put("..")
      } else if ascii || isDangerous(scalar) || text[index] < 0x80 {
        writeEscape(scalar, to: &pen)
      } else {
        pen.put(UnsafeBufferPointer(rebasing: text[index..<index + length]))
      }
      index += length
    }
  }

  private static func writeEscape(_ scalar: UInt32, to pen: inout Pen) {
    switch scalar {
    case 0x0a: pen.put("\\n")
    case 0x0d: pen.put("\\r")
    case 0x09: pen.put("\\t")
    case 0x22: pen.put("\\\"")
    case 0x5c: pen.put("\\\\")
    default:
      pen.put("\\u{")
      for digit in String(scalar, radix: 16).utf8 { pen.put(digit) }
      pen.put("}")
    }
  }

  /// Returns a name as a string; one without characters is `""`, so that it is seen.
  package static func name(_ text: String, ascii: Bool = false) -> String {
    text.isEmpty ? "\"\"" : escaped(text, ascii: ascii)
  }

  /// Returns whether a scalar can control a terminal or make one text look like another: controls,
  /// line separators, characters that change the direction of writing, and those that are never
  /// seen: soft hyphens, fillers, zero-width characters, the byte-order mark, tags.
  static func isDangerous(_ scalar: UInt32) -> Bool {
    guard scalar >= 0x7f else { return scalar < 0x20 }
    switch scalar {
    case 0x7f...0x9f, 0xad, 0x034f, 0x061c, 0x115f...0x1160, 0x17b4...0x17b5, 0x180b...0x180f,
      0x200b...0x200f, 0x2028...0x202e, 0x2060...0x206f, 0x3164, 0xfeff, 0xffa0, 0xfff9...0xfffb,
      0xe0000...0xe0fff:
      return true
    default: return false
    }
  }

  static func putHex(_ byte: UInt8, to pen: inout Pen) {
    for nibble in [byte >> 4, byte & 15] {
      pen.put(nibble < 10 ? 0x30 + nibble : 0x57 + nibble)
    }
  }
}

/// Decodes a scalar from bytes that may not be UTF-8.
enum UTF8Scalar {
  /// Returns the scalar at `index` and its length; nil if there is none. Overlong forms, surrogates
  /// and values past the last plane are invalid.
  static func decode(
    _ text: UnsafeBufferPointer<UInt8>, at index: Int
  ) -> (scalar: UInt32, length: Int)? {
    let first = UInt32(text[index])
    let length: Int
    switch first {
    case 0..<0x80: return (first, 1)
    case 0xc2...0xdf: length = 2
    case 0xe0...0xef: length = 3
    case 0xf0...0xf4: length = 4
    default: return nil
    }
    guard index + length <= text.count else { return nil }
    var scalar = first & (0x7f >> UInt32(length))
    for offset in 1..<length {
      let byte = text[index + offset]
      guard byte & 0xc0 == 0x80 else { return nil }
      scalar = scalar << 6 | UInt32(byte & 0x3f)
    }
    let smallest: [UInt32] = [0, 0, 0x80, 0x800, 0x10000]
    guard scalar >= smallest[length], scalar <= 0x10ffff, !(0xd800...0xdfff).contains(scalar)
    else { return nil }
    return (scalar, length)
  }
}
