internal import VarveExport
internal import VarveMarbles
internal import VarvePlatform

/// Messages on standard error.
enum Messages {
  /// Reports an error, and what to try: one line, which a terminal shows broken between words.
  static func error(_ text: String) { sentence("varve: \(text)") }

  /// Warns the reader of the output, like ``error(_:)``.
  static func warning(_ text: String) { sentence("varve: warning: \(text)") }

  private static func sentence(_ text: String) {
    let style = OutputStyle(colours: false, ascii: true, width: Terminal.width(of: STDERR_FILENO))
    for part in style.hanging(TerminalText.escaped(text)) { line(part) }
  }

  /// Writes lines, broken between words where they do not fit the terminal.
  static func fitted(_ text: String) {
    let style = OutputStyle(colours: false, ascii: true, width: Terminal.width(of: STDERR_FILENO))
    for part in text.split(separator: "\n", omittingEmptySubsequences: false) {
      let isWide = style.width.map { DisplayWidth.of(String(part)) > $0 } ?? false
      for piece in isWide ? style.hanging(String(part)) : [String(part)] { line(piece) }
    }
  }

  /// Writes lines as they are.
  static func plain(_ text: String) {
    for part in text.split(separator: "\n", omittingEmptySubsequences: false) {
      line(String(part))
    }
  }

  /// Shows a text of the command line, and a caret under the character at an offset. Of a text that
  /// does not fit the terminal, what is around the caret is shown.
  static func mark(_ offset: Int, in text: String) {
    var before = TerminalText.escaped(String(text.prefix(offset)))
    var after = TerminalText.escaped(String(text.dropFirst(offset)))
    if let width = Terminal.width(of: STDERR_FILENO) {
      let room = max(width - 2, 20)
      if DisplayWidth.of(before + after) > room {
        let most = DisplayWidth.of(after) < room / 3 ? room - DisplayWidth.of(after) : room * 2 / 3
        if DisplayWidth.of(before) > most {
          while !before.isEmpty, DisplayWidth.of(before) + 2 > most { before.removeFirst() }
          before = ".." + before
        }
        after = DisplayWidth.cut(after, to: room - DisplayWidth.of(before), ellipsis: "..")
      }
    }
    line("  \(before)\(after)")
    line("  " + String(repeating: " ", count: DisplayWidth.of(before)) + "^")
  }

  /// Writes one line. Names of files and texts from a trace are escaped, so that they cannot begin
  /// another line or control the terminal.
  private static func line(_ text: String) {
    ReadingProgress.end()
    _ = Descriptor.write(Array((TerminalText.escaped(text) + "\n").utf8), to: STDERR_FILENO)
  }
}
