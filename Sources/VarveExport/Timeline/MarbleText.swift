internal import VarveAnalysis
internal import VarveProbe

/// Writes a value on a lane: as little as distinguishes values.
enum MarbleText {
  private static let longest = 120

  /// The signs that stand for characters which cannot be seen or shown. That of events which are
  /// missing is none of them. In ASCII, values may have the signs themselves, too.
  static func signs(ascii: Bool) -> [(sign: Character, meaning: String)] {
    ascii
      ? [
        ("<", "also backspace"), ("$", "also a line break"), (">", "also a tab"),
        ("_", "also a space"), (other(ascii: true), "also what ASCII lacks"),
      ]
      : [
        ("⌫", "backspace"), ("⏎", "line break"), ("⇥", "tab"), ("␣", "space"),
        (other(ascii: false), "a character that is not shown"),
      ]
  }

  private static func other(ascii: Bool) -> Character { ascii ? "*" : "\u{fffd}" }

  /// Returns the text of a value; empty if a sign is enough (`()`, values that were not recorded).
  static func text(
    payload: UInt8, word: UInt64, bytes: UnsafeBufferPointer<UInt8>, ascii: Bool
  ) -> String {
    switch PayloadKind(rawValue: payload) {
    case .integer: String(Int64(bitPattern: word))
    case .unsigned: String(word)
    case .real: real(Double(bitPattern: word))
    case .boolean: word == 0 ? "false" : "true"
    case .null: "nil"
    case .string: string(bytes, ascii: ascii)
    case .description: visible(bytes, ascii: ascii)
    case .typeOnly, .bytes, .absent, .unit, .withheld, .stream, .reason, .cause, .task, .awaited,
      .made, nil:
      ""
    }
  }

  /// Returns four significant digits.
  private static func real(_ value: Double) -> String {
    guard value.isFinite, value != 0 else { return value.description }
    var scale = 1.0
    while abs(value) * scale < 1_000, scale < 1e9 { scale *= 10 }
    let rounded = (value * scale).rounded() / scale
    let text = RealText.text(rounded)
    return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
  }

  /// Returns the text, in quotes only if its ends would be invisible otherwise.
  private static func string(_ bytes: UnsafeBufferPointer<UInt8>, ascii: Bool) -> String {
    let text = visible(bytes, ascii: ascii)
    if text == " " { return ascii ? "_" : "␣" }
    if text.isEmpty || text.first == " " || text.last == " " { return "\"\(text)\"" }
    return text
  }

  /// Returns the text with a visible sign for each control character.
  private static func visible(_ bytes: UnsafeBufferPointer<UInt8>, ascii: Bool) -> String {
    let start = UnsafeBufferPointer(rebasing: bytes.prefix(longest))
    var text = ""
    for scalar in String(decoding: start, as: UTF8.self).unicodeScalars {
      switch scalar.value {
      case 0x08, 0x7f: text += ascii ? "<" : "⌫"
      case 0x0a, 0x0d: text += ascii ? "$" : "⏎"
      case 0x09: text += ascii ? ">" : "⇥"
      case 0..<0x20: text.unicodeScalars.append(picture(scalar, ascii: ascii))
      case let value where TerminalText.isDangerous(value): text.append(other(ascii: ascii))
      case _ where ascii && !scalar.isASCII: text.append(other(ascii: true))
      default: text.unicodeScalars.append(scalar)
      }
    }
    return text
  }

  private static func picture(_ control: Unicode.Scalar, ascii: Bool) -> Unicode.Scalar {
    ascii ? "*" : Unicode.Scalar(0x2400 + control.value) ?? "\u{fffd}"
  }
}
