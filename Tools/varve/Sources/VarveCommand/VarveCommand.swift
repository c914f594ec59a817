internal import ArgumentParser
internal import VarveExport

/// The command with its verbs. Each verb has its own file in `Verbs`.
struct VarveCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "varve",
    abstract: "Replays, filters, draws, and explains the traces that Varve's streams leave.",
    version: "0.1.0",
    subcommands: [
      Info.self, Streams.self, Replay.self, TimelineVerb.self, View.self, Why.self, WhySilent.self,
      Latency.self, BacktraceVerb.self, Tasks.self, RunVerb.self, TestVerb.self, Control.self,
      Verify.self,
      Repair.self,
      MergeVerb.self, Scrub.self, Symbolicate.self, Postmortem.self, Diff.self, Export.self,
      Query.self,
      Manual.self, Completion.self, ConfigVerb.self,
    ])
}

extension VarveCommand {
  /// The names of all verbs.
  static var verbs: [String] { configuration.subcommands.map { $0._commandName } }
}

/// A verb whose help begins with examples.
protocol ExampledCommand: ParsableCommand {
  /// Commands and what they do.
  static var examples: [(command: String, meaning: String)] { get }
}

/// The examples at the beginning of help texts.
enum Examples {
  static let common: [(command: String, meaning: String)] = [
    ("varve run -- ./shop", "record a program without changing it"),
    ("varve shop.varve", "what is this trace?"),
    ("varve timeline shop.varve", "what happened, as marbles"),
    ("varve replay shop.varve -n 'login*'", "the events of the streams called so"),
    ("varve why shop.varve 4.1749", "what led to that event"),
  ]

  /// Returns the examples of the verb that the arguments name, or the common ones.
  static func text(for arguments: [String]) -> String {
    let verb = arguments.first { !$0.hasPrefix("-") && $0 != "help" }
    let command = VarveCommand.configuration.subcommands.first { $0._commandName == verb }
    let examples = (command as? any ExampledCommand.Type)?.examples ?? common
    let width = examples.map(\.command.count).max() ?? 0
    let style = OutputStyle(colours: false, ascii: Terminal.isASCII, width: Terminal.width)
    let lines = examples.map { example in
      let padding = String(repeating: " ", count: width - example.command.count)
      let line = "  \(example.command)\(padding)  \(example.meaning)"
      guard let room = style.width, line.count > room else { return line + "\n" }
      // For lack of room, what a command does stands below it.
      let below =
        style.wrapped(example.command, indent: 2).map { "  \($0)\n" }
        + style.wrapped(example.meaning, indent: 6).map { "      \($0)\n" }
      return below.joined()
    }
    return "EXAMPLES:\n" + lines.joined() + "\n"
  }
}

/// Reads `varve FILE` as `varve info FILE`, or as `varve replay FILE` if flags select events, and
/// the names that other tools have for verbs.
enum BareFile {
  /// The flags that select events.
  static let selecting: Set<String> = [
    "-n", "--name", "-x", "--exclude", "-k", "--kind", "--where", "--since", "--until", "--around",
    "--head", "--tail", "--thread", "--scheduler", "--subscription", "--upstream-of",
    "--downstream-of",
  ]

  /// What people type who know other tools, and what it is here.
  private static let otherNames = [
    "stats": ["streams"], "graph": ["streams", "--tree"], "marbles": ["timeline"],
    "show": ["info"], "open": ["view"], "completions": ["completion"], "man": ["manual"],
  ]

  static func asInfo(_ arguments: [String]) throws -> [String] {
    guard let first = arguments.first else { return ["--help"] }
    if let verb = otherNames[first], !FileSystem.exists(first) {
      return verb + arguments.dropFirst()
    }
    let verbs = VarveCommand.verbs + ["help"]
    if first == "help", let verb = arguments.dropFirst().first, !verb.hasPrefix("-"),
      !verbs.contains(verb)
    {
      if let known = otherNames[verb]?.first { return ["help", known] }
      let hint = Suggestion.text(verb, among: verbs) ?? "try \"varve help\""
      throw CommandEnd(.wrongUsage, "there is no verb \"\(verb)\"; \(hint)")
    }
    let ofParser = ["--help", "-h", "--version", "--generate-completion-script"]
    if verbs.contains(first) || ofParser.contains(where: { first.hasPrefix($0) })
      || first.hasPrefix("--experimental") || first.hasPrefix("---")
    {
      return arguments
    }
    let isFile = first.hasPrefix("-") || first.contains("/") || first.contains(".")
    guard isFile || FileSystem.exists(first) else {
      let hint = Suggestion.text(first, among: verbs) ?? "try \"varve --help\""
      throw CommandEnd(
        .wrongUsage, "there is no verb \"\(first)\", and no file of that name; \(hint)")
    }
    let selects = arguments.contains { argument in
      selecting.contains(argument.split(separator: "=").first.map(String.init) ?? argument)
    }
    return [selects ? "replay" : "info"] + arguments
  }
}
