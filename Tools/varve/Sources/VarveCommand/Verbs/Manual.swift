internal import ArgumentParser
internal import VarveExport

/// `varve manual`
struct Manual: ExampledCommand {
  static let configuration = CommandConfiguration(
    abstract: "The manual's pages: of the command, or of one verb.",
    discussion: "A terminal gets a page as man shows it, anything else what man reads.")

  static let examples = [
    (command: "varve manual replay", meaning: "read one"),
    (command: "varve manual --into ~/.local/share/man/man1", meaning: "keep all"),
  ]

  @Argument(
    help: "A verb; the whole command when there is none.",
    completion: .list(VarveCommand.verbs)) var verb: String?

  @Option(help: "Writes all pages into this folder, replacing older ones.", completion: .directory)
  var into: String?

  func run() throws {
    let verbs = VarveCommand.configuration.subcommands
    if let into {
      guard verb == nil else {
        throw CommandEnd(.wrongUsage, "--into writes all pages: leave out \"\(verb ?? "")\"")
      }
      return try write(verbs, into: into)
    }
    guard let verb else { return try show(ManualPage.ofCommand(verbs)) }
    guard let command = verbs.first(where: { $0._commandName == verb }) else {
      let hint = Suggestion.text(verb, among: verbs.map { $0._commandName })
      throw CommandEnd(
        .wrongUsage, "there is no verb \"\(verb)\"\(hint.map { "; \($0)" } ?? "")")
    }
    try show(ManualPage.of(command))
  }

  /// Writes a page as `man` reads it; at a terminal, shows it by `man` or, where that is missing, as
  /// text.
  private func show(_ page: String) throws {
    guard Terminal.isThere else { return StandardOutput.write(page) }
    let (path, file) = try OutputFile.temporary(suffix: ".1")
    UnfinishedFiles.add(path)
    defer { UnfinishedFiles.remove(path) }
    file.write(page)
    try StandardOutput.close(file)
    // Not every system's man takes a file.
    if let ending = try? ChildProcess.run(["man", "-l", path], environment: [:]) {
      if ending.code == 0 || ending.signal != nil { return }
    }
    let style = OutputStyle(colours: false, ascii: Terminal.isASCII, width: Terminal.width)
    StandardOutput.usePager(true, cutting: style)
    let output = StandardOutput.open()
    output.write(PlainManual.text(page, style: style))
    try StandardOutput.close(output)
  }

  private func write(_ verbs: [any ParsableCommand.Type], into folder: String) throws {
    var pages = verbs.map { ("varve-\($0._commandName).1", ManualPage.of($0)) }
    pages.append(("varve.1", ManualPage.ofCommand(verbs)))
    for (name, page) in pages {
      let file = try OutputFile("\(folder)/\(name)", force: true, besides: [])
      file.output.write(page)
      try StandardOutput.close(file.output)
      try file.publish()
    }
  }
}

/// Manual pages in the language of `man`, made from the help of the verbs.
enum ManualPage {
  /// The meaning of the exit statuses. `Docs` and the tests hold the command to it.
  private static let statuses = [
    ("0", "It ran well, and there was something to show."),
    ("1", "It ran well, and nothing matched; or \\fBdiff\\fR found differences."),
    ("2", "The command was not used as it must be."),
    ("3", "A file is no trace, or cannot be read or written."),
    (
      "4",
      "Part of the trace is damaged, or to \\fBverify\\fR missing; what is intact was shown. Or "
        + "\\fBdiff\\fR found no difference, and could not compare everything. Or a collector refused "
        + "some of the spans that \\fBexport\\fR sent."
    ),
    ("5", "A newer version made the trace."),
    ("130", "Somebody interrupted it."),
  ]

  private static let variables = [
    (
      "VARVE_PAGER, PAGER", "Shows results that are more than a screen; \\fBless \\-FIRSX\\fR else."
    ),
    (
      "VARVE_CONFIG",
      "The file with defaults of options, instead of ~/.config/varve/config; see \\fBvarve config\\fR."
    ),
    ("NO_COLOR, FORCE_COLOR, TERM", "Whether there are colours, when \\-\\-color does not say."),
    ("VARVE_SYMBOLIZER", "The program that names addresses; else llvm\\-symbolizer or addr2line."),
    ("VARVE_TRACE, VARVE_OPTIONS", "What a recorded program is told; \\fBvarve run\\fR sets them."),
  ]

  /// Returns the page `varve(1)`.
  static func ofCommand(_ verbs: [any ParsableCommand.Type]) -> String {
    let list = verbs.map { verb in
      ".TP\n.BR varve\\-\(quoted(verb._commandName)) (1)\n\(quoted(verb.configuration.abstract))\n"
    }
    return head("varve", VarveCommand.configuration.abstract) + """
      .SH SYNOPSIS
      .B varve
      .I verb
      .RI [ options ]
      .br
      .B varve
      .I file
      .SH VERBS
      \(list.joined()).SH EXAMPLES
      \(examples(Examples.common))\(ending(verbs.map { "varve-\($0._commandName)" }))
      """ + "\n"
  }

  /// Returns the page of a verb, such as `varve-replay(1)`.
  static func of(_ verb: any ParsableCommand.Type) -> String {
    let name = verb._commandName
    let sections = HelpSections(VarveCommand.helpMessage(for: verb, columns: 78))
    let described = verb.configuration.discussion
    return head("varve-\(name)", verb.configuration.abstract)
      + ".SH SYNOPSIS\n.nf\n\(quoted(sections["USAGE"]))\n.fi\n"
      + (described.isEmpty ? "" : ".SH DESCRIPTION\n\(filled(described))\n")
      + ["ARGUMENTS", "OPTIONS"].filter { !sections[$0].isEmpty }.map {
        ".SH \($0)\n.nf\n\(quoted(sections[$0]))\n.fi\n"
      }.joined()
      + ((verb as? any ExampledCommand.Type).map { ".SH EXAMPLES\n" + examples($0.examples) } ?? "")
      + ending(["varve"]) + "\n"
  }

  /// Returns a paragraph, or several lines without filling.
  private static func filled(_ text: String) -> String {
    text.contains("\n") ? ".nf\n\(quoted(text))\n.fi" : quoted(text)
  }

  private static func head(_ name: String, _ abstract: String) -> String {
    let title = name.uppercased()
    return ".TH \(quoted(title)) 1 \"\" \"varve \(VarveCommand.configuration.version)\"\n"
      + ".SH NAME\n\(quoted(name)) \\- \(quoted(abstract))\n"
  }

  private static func examples(_ examples: [(command: String, meaning: String)]) -> String {
    examples.map { ".TP\n.B \(quoted($0.command))\n\(quoted($0.meaning))\n" }.joined()
  }

  /// Returns the sections at the end, with the names of other pages.
  private static func ending(_ others: [String]) -> String {
    func list(_ pairs: [(String, String)]) -> String {
      pairs.map { ".TP\n.B \($0.0)\n\($0.1)\n" }.joined()
    }
    return ".SH EXIT STATUS\n\(list(statuses)).SH ENVIRONMENT\n\(list(variables))"
      + ".SH SEE ALSO\n" + others.map { ".BR \(quoted($0)) (1)" }.joined(separator: ",\n")
  }

  /// Returns text without special meaning to `man`.
  private static func quoted(_ text: String) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      let safe = line.map { character in
        switch character {
        case "\\": "\\e"
        case "-": "\\-"
        default: String(character)
        }
      }.joined()
      return safe.hasPrefix(".") || safe.hasPrefix("'") ? "\\&" + safe : safe
    }.joined(separator: "\n")
  }
}

/// The sections of a help text, by title.
private struct HelpSections {
  private var sections: [String: String] = [:]

  init(_ help: String) {
    var title = ""
    for line in help.split(separator: "\n", omittingEmptySubsequences: false) {
      let name = line.prefix { $0.isUppercase }
      if name.count > 2, line.dropFirst(name.count).first == ":" {
        title = String(name)
        let rest = line.dropFirst(name.count + 1).drop { $0 == " " }
        sections[title] = rest.isEmpty ? "" : rest + "\n"
      } else {
        sections[title, default: ""] += line + "\n"
      }
    }
  }

  subscript(title: String) -> String {
    var lines = (sections[title] ?? "").split(separator: "\n", omittingEmptySubsequences: false)
    while lines.last?.isEmpty == true { lines.removeLast() }
    return lines.joined(separator: "\n")
  }
}
