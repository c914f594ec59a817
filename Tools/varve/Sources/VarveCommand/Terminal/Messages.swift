internal import VarveExport
internal import VarvePlatform

/// What is said on standard error.
enum Messages {
  /// Something that went wrong, and what to try: one line.
  static func error(_ text: String) { line("varve: \(text)") }

  /// Something that the reader of the output should know: one line.
  static func warning(_ text: String) { line("varve: warning: \(text)") }

  /// Lines as they are.
  static func plain(_ text: String) {
    for part in text.split(separator: "\n", omittingEmptySubsequences: false) {
      line(String(part))
    }
  }

  /// It may quote the names of files, or what a trace says: neither begins another line, or has a
  /// say in what the terminal does.
  private static func line(_ text: String) {
    _ = Descriptor.write(Array((TerminalText.escaped(text) + "\n").utf8), to: STDERR_FILENO)
  }
}
