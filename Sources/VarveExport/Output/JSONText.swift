/// Writes JSON strings and numbers.
///
/// Beyond what JSON demands, all control characters are escaped, including the eight-bit ones, and
/// so are characters that change the direction of writing or are never seen: the output may reach a
/// terminal. Each byte that is not valid UTF-8 becomes U+FFFD.
enum JSONText {
  /// Returns the greatest number of bytes that `count` bytes of text can become.
  static func mostBytes(_ count: Int) -> Int { count * 6 + 16 }

  /// Writes text in quotes. There must be room for `mostBytes`.
  @inline(__always)
  static func write(_ text: UnsafeBufferPointer<UInt8>, to pen: inout Pen) {
    pen.put(UInt8(ascii: "\""))
    var index = 0
    while index < text.count, isPlain(text[index]) {
      pen.put(text[index])
      index += 1
    }
    if index < text.count { writeRest(text, from: index, to: &pen) }
    pen.put(UInt8(ascii: "\""))
  }

  /// Writes text in quotes, and makes room for it.
  static func write(_ text: String, to pen: inout Pen) {
    var text = text
    text.withUTF8 {
      pen.extend(by: mostBytes($0.count))
      write($0, to: &pen)
    }
  }

  /// Returns the text in quotes.
  static func quoted(_ text: String) -> String {
    let output = ByteOutput(capacity: mostBytes(text.utf8.count)) { _ in nil }
    var pen = output.pen()
    let start = pen.at
    write(text, to: &pen)
    return withExtendedLifetime(output) {
      String(decoding: UnsafeBufferPointer(start: start, count: pen.at - start), as: UTF8.self)
    }
  }

  @inline(__always)
  private static func isPlain(_ byte: UInt8) -> Bool {
    byte >= 0x20 && byte < 0x7f && byte != 0x22 && byte != 0x5c
  }

  private static func writeRest(
    _ text: UnsafeBufferPointer<UInt8>, from start: Int, to pen: inout Pen
  ) {
    var index = start
    while index < text.count {
      if isPlain(text[index]) {
        pen.put(text[index])
        index += 1
      } else if let (scalar, length) = UTF8Scalar.decode(text, at: index) {
        writeScalar(scalar, text[index..<index + length], to: &pen)
        index += length
      } else {
        pen.put("\u{fffd}")
        index += 1
      }
    }
  }

  private static func writeScalar(
    _ scalar: UInt32, _ bytes: Slice<UnsafeBufferPointer<UInt8>>, to pen: inout Pen
  ) {
    switch scalar {
    case 0x22: pen.put("\\\"")
    case 0x5c: pen.put("\\\\")
    case 0x0a: pen.put("\\n")
    case 0x0d: pen.put("\\r")
    case 0x09: pen.put("\\t")
    case 0x08: pen.put("\\b")
    case 0x0c: pen.put("\\f")
    case _ where TerminalText.isDangerous(scalar):
      for unit in String(UnicodeScalar(scalar) ?? "\u{fffd}").utf16 {
        pen.put("\\u")
        TerminalText.putHex(UInt8(unit >> 8), to: &pen)
        TerminalText.putHex(UInt8(unit & 0xff), to: &pen)
      }
    default: pen.put(UnsafeBufferPointer(rebasing: bytes))
    }
  }

  /// Writes a floating-point number; as a string if JSON has no number for it.
  static func write(_ real: Double, to pen: inout Pen) {
    pen.write(RealText.json(real))
  }
}
