internal import VarvePlatform

/// The output for errors that have no caller to be thrown to.
enum StandardError {
  /// Writes a note of one line.
  static func note(_ message: String) {
    var line = "varve: \(message.split(separator: "\n").joined(separator: " "))\n"
    line.withUTF8 { _ = write(STDERR_FILENO, $0.baseAddress, $0.count) }
  }
}
