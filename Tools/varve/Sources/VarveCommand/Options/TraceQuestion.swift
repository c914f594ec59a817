internal import ArgumentParser

/// What a verb is asked that asks one thing of a trace: the words that name the trace, one or several,
/// and then the thing.
struct TraceQuestion {
  let files: [String]
  /// The last word.
  let subject: String

  /// - Parameters:
  ///   - missing: what is asked back when there is only one word.
  ///   - examples: those of the verb, of which the first is shown then.
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

  /// What the words mean.
  static func help(_ subject: String) -> ArgumentHelp {
    ArgumentHelp(
      "The trace; several, or folders of them, become one on one clock; - is standard input. Then "
        + "\(subject).", valueName: "file")
  }

  /// The parser writes of a list that its words are alike.
  static func usage(_ verb: String, _ subject: String) -> String {
    "varve \(verb) <file> ... <\(subject)> [<options>]"
  }
}
