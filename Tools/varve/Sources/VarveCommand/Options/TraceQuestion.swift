internal import ArgumentParser

/// The words of a verb that asks one question about a trace: those that name the trace, then the
/// subject of the question.
struct TraceQuestion {
  /// The trace that examples ask.
  private static let fileOfExamples = "shop.varve"

  let files: [String]
  /// The last word.
  let subject: String

  /// - Parameters:
  ///   - missing: the message if there is only one word.
  ///   - examples: the examples of the verb; the message ends with the first one, of the trace that
  ///     was named.
  init(
    _ words: [String], _ missing: String, _ examples: [(command: String, meaning: String)]
  ) throws(CommandEnd) {
    guard words.count > 1, let subject = words.last else {
      let hint = examples.first.map { example in
        let file = words.first ?? Self.fileOfExamples
        return " try: " + example.command.replacing(Self.fileOfExamples, with: file)
      }
      throw CommandEnd(.wrongUsage, missing + (hint ?? ""))
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
