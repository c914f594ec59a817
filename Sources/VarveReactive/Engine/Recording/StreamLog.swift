internal import VarveProbe

/// A stream, for operators that speak of it: `logEvents`.
struct StreamLog {
  private let stream: StreamReference?

  init(of stream: StreamReference?) { self.stream = stream }

  /// The stream's name.
  var name: String { stream.map { NameRendering.name(of: $0) } ?? "" }

  /// Whether there is a trace to write into.
  static var hasTrace: Bool { Records.isRecording }

  /// What a trace may have of a value, as text.
  static func text<Content>(of content: Content) -> String? { Records.text(of: content) }

  /// Writes a line into the trace, about the stream.
  func write(_ line: String) {
    if let stream { Records.log(line, about: stream) }
  }
}
