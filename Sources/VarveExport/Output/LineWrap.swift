internal import VarveMarbles

extension OutputStyle {
  /// Returns text broken between words into lines that fit behind an indentation; one line if the
  /// style has no width. A word that is too long has a line of its own, uncut: it may be a place.
  func wrapped(_ text: String, indent: Int) -> [String] {
    guard let width else { return [text] }
    let room = max(width - indent, 20)
    var lines: [String] = []
    var line = ""
    for word in text.split(separator: " ", omittingEmptySubsequences: false) {
      if line.isEmpty, lines.isEmpty || !word.isEmpty {
        line = String(word)
      } else if DisplayWidth.of(line) + 1 + DisplayWidth.of(String(word)) <= room {
        line += " " + word
      } else {
        lines.append(line)
        line = String(word)
      }
    }
    return lines + [line]
  }

  /// The same style without colors and of unlimited width, to measure lines.
  var unlimited: OutputStyle { OutputStyle(colours: false, ascii: ascii, width: nil) }

  /// Returns whether lines without colors fit.
  func fits(_ lines: [String]) -> Bool {
    width.map { width in lines.allSatisfy { DisplayWidth.of($0) <= width } } ?? true
  }
}
