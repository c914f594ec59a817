internal import ArgumentParser

/// The words of a verb that asks one question about a trace: those that name the trace, then the
/// subject of the question.
struct TraceQuestion {
  let files: [String]
  /// The last word.
  let subject: String

  /// - Parameters:
  ///   - missing: the message if there is only one word.
  ///   - examples: the examples of the verb; the message ends with the first one.
  init(
    _ words: [String], _ missing: String, _ examples: [(command: String, meaning: String)]
  ) throws(CommandEnd) {
    guard words.count > 1, let subject = words.last else {
      let hint = examples.first.map { " try: \($0.command)" } ?? ""
      throw CommandEnd(.wrongUsage, missing + hint)
    }
    files = words.dropLast()
    self.subject = subject
  }

  /// Returns the help of the words.
  static func help(_ subject: String) -> ArgumentHelp {
    ArgumentHelp(
      "The trace (several traces, or folders of traces, are shown as one, on one clock; - is standard input), then "
        + "\(subject).", valueName: "file")
  }

  /// Returns the usage line. The parser's own would show all words of the list as alike.
  static func usage(_ verb: String, _ subject: String) -> String {
    "varve \(verb) <file> ... <\(subject)> [<options>]"
  }
}
