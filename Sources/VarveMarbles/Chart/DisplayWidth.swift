/// The width of text in columns of a terminal.
///
/// The names and values in a trace are arbitrary, so a chart has to know that `漢` takes two columns
/// and a combining accent none. Otherwise, its lanes would be misaligned.
package enum DisplayWidth {
  /// Returns the width of a character: 0, 1 or 2 columns.
  package static func of(_ character: Character) -> Int {
    var width = 0
    for scalar in character.unicodeScalars {
      if scalar.value == 0xfe0f { return 2 }
      width = max(width, of(scalar))
    }
    return width
  }

  /// Returns the width of a text in columns.
  package static func of(_ text: String) -> Int {
    text.reduce(0) { $0 + of($1) }
  }

  /// Returns the text, truncated at its end with an ellipsis if it is wider than `width` columns.
  package static func cut(_ text: String, to width: Int, ellipsis: String) -> String {
    guard of(text) > width else { return text }
    var kept = ""
    var room = width - ellipsis.count
    for character in text {
      room -= of(character)
      if room < 0 { break }
      kept.append(character)
    }
    return kept + ellipsis
  }

  private static func of(_ scalar: Unicode.Scalar) -> Int {
    let value = scalar.value
    if value < 0x300 { return 1 }
    if isWide(value) { return 2 }
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format: return 0
    default: return 1
    }
  }

  /// Returns whether a scalar has the East Asian Width "wide" or "fullwidth", or is drawn as an
  /// emoji by terminals.
  private static func isWide(_ value: UInt32) -> Bool {
    switch value {
    case 0x1100...0x115f, 0x231a...0x231b, 0x2329...0x232a, 0x23e9...0x23ec, 0x23f0, 0x23f3,
      0x25fd...0x25fe, 0x2614...0x2615, 0x2648...0x2653, 0x267f, 0x2693, 0x26a1, 0x26aa...0x26ab,
      0x26bd...0x26be, 0x26c4...0x26c5, 0x26ce, 0x26d4, 0x26ea, 0x26f2...0x26f3, 0x26f5, 0x26fa,
      0x26fd, 0x2705, 0x270a...0x270b, 0x2728, 0x274c, 0x274e, 0x2753...0x2755, 0x2757,
      0x2795...0x2797, 0x27b0, 0x27bf, 0x2b1b...0x2b1c, 0x2b50, 0x2b55, 0x2e80...0x303e,
      0x3041...0x33ff, 0x3400...0x4dbf, 0x4e00...0xa4cf, 0xa960...0xa97f, 0xac00...0xd7a3,
      0xf900...0xfaff, 0xfe10...0xfe19, 0xfe30...0xfe6f, 0xff00...0xff60, 0xffe0...0xffe6,
      0x1f004, 0x1f0cf, 0x1f18e, 0x1f191...0x1f19a, 0x1f200...0x1f320, 0x1f32d...0x1f335,
      0x1f337...0x1f37c, 0x1f37e...0x1f393, 0x1f3a0...0x1f3ca, 0x1f3cf...0x1f3d3,
      0x1f3e0...0x1f3f0, 0x1f3f4, 0x1f3f8...0x1f43e, 0x1f440, 0x1f442...0x1f4fc,
      0x1f4ff...0x1f53d, 0x1f54b...0x1f54e, 0x1f550...0x1f567, 0x1f57a, 0x1f595...0x1f596, 0x1f5a4,
      0x1f5fb...0x1f64f, 0x1f680...0x1f6c5, 0x1f6cc, 0x1f6d0...0x1f6d2, 0x1f6d5...0x1f6d7,
      0x1f6dc...0x1f6df, 0x1f6eb...0x1f6ec, 0x1f6f4...0x1f6fc, 0x1f7e0...0x1f7eb, 0x1f7f0,
      0x1f90c...0x1f93a, 0x1f93c...0x1f945, 0x1f947...0x1f9ff, 0x1fa70...0x1faff,
      0x20000...0x2fffd, 0x30000...0x3fffd:
      return true
    default: return false
    }
  }
}
