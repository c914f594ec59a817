internal import VarveProbe

/// A stream that operators write about, such as `logEvents`.
struct StreamLog {
  private let stream: StreamReference?

  init(of stream: StreamReference?) { self.stream = stream }

  /// The stream's name.
  var name: String { stream.map { NameRendering.name(of: $0) } ?? "" }

  /// Whether there is a trace to write to.
  static var hasTrace: Bool { Records.isRecording }

  /// Returns the text of a value, as far as a trace may have it.
  static func text<Content>(of content: Content) -> String? { Records.text(of: content) }

  /// Writes a line about the stream to the trace.
  func write(_ line: String) {
    if let stream { Records.log(line, about: stream) }
  }
}
