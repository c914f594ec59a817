internal import VarvePlatform

/// Where the recorder says what there is no caller to throw an error to.
enum StandardError {
  /// Writes a note of one line.
  static func note(_ message: String) {
    var line = "varve: \(message.split(separator: "\n").joined(separator: " "))\n"
    line.withUTF8 { _ = write(STDERR_FILENO, $0.baseAddress, $0.count) }
  }
}
