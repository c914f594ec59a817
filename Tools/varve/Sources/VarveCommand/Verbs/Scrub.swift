internal import ArgumentParser
internal import VarveAnalysis
internal import VarveFormat

/// `varve scrub FILE -o FILE`
struct Scrub: ExampledCommand {
  static let configuration = CommandConfiguration(
    abstract: "Removes the values from a trace and keeps its structure.",
    discussion: """
      Every value, error text, log line and mark becomes one that is withheld, and the program's \
      arguments and the host's name go. Names of streams, of their types and of places in the code stay, as do all \
      times and causes.

      A secret goes on in the streams that are made of the one that it came from: \
      --downstream-of takes the values of all of these. Where the program's own code takes a value \
      from one stream and sends it to another, no trace tells that they belong together. As in all \
      verbs, flags of several kinds narrow each other down.
      """)

  static let examples = [
    (command: "varve scrub shop.varve -o safe.varve", meaning: "to show to others"),
    (command: "varve scrub shop.varve -n 'card.*' -o safe.varve", meaning: "only of these streams"),
    (
      command: "varve scrub shop.varve --downstream-of card.number -o safe.varve",
      meaning: "of this stream and all that are made from it"
    ),
    (
      command: "varve scrub shop.varve -x 'ui.*' -o safe.varve",
      meaning: "of all streams except these"
    ),
  ]

  @Argument(help: TraceInput.oneHelp, completion: .file()) var file: String
  @Option(
    name: [.customShort("n"), .customLong("name")],
    help: ArgumentHelp("Only values of streams whose name matches.", valueName: "pattern"))
  var names: [String] = []
  @Option(
    name: [.customShort("x"), .customLong("exclude")],
    help: ArgumentHelp("Keep values of streams whose name matches.", valueName: "pattern"))
  var excluded: [String] = []
  @Flag(
    name: [.customShort("i"), .customLong("ignore-case")], help: "Ignore case in names.")
  var ignoresCase = false
  @Option(
    help: ArgumentHelp(
      "Only values of streams that match and of those upstream of them.", valueName: "pattern"),
    completion: TraceNames.streams)
  var upstreamOf: [String] = []
  @Option(
    help: ArgumentHelp(
      "Only values of streams that match and of those downstream of them.", valueName: "pattern"),
    completion: TraceNames.streams)
  var downstreamOf: [String] = []
  @OptionGroup var rewrite: RewriteOptions

  func run() throws {
    var selection = Selection()
    selection.names = try patterns(names)
    selection.excluded = try patterns(excluded)
    selection.upstreamOf = try patterns(upstreamOf)
    selection.downstreamOf = try patterns(downstreamOf)
    let reader = try TraceInput.one(file, for: "scrub")
    rewrite.warn(of: reader, called: file)
    try checkNames(
      selection.names + selection.upstreamOf + selection.downstreamOf, reader.definitions)
    selection = try selection.resolved(in: reader)
    let chosen = reader.definitions.streams.mapValues { selection.matches($0) }
    // Values of unknown streams are taken out only if no streams were selected.
    let others = !selection.choosesStreams
    let outcome = try rewrite.write("scrub") { progress throws(TraceFileError) in
      try TraceScrub.write(
        reader, to: rewrite.file, replacing: rewrite.force, progress: progress
      ) { chosen[$0] ?? others }
    }
    try rewrite.end(
      outcome,
      "\(outcome.withheld) values of \(outcome.events) events removed in \(rewrite.file)")
  }

  private func patterns(_ texts: [String]) throws(SelectionError) -> [NamePattern] {
    try texts.map { text throws(SelectionError) in
      try NamePattern(text, ignoresCase: ignoresCase)
    }
  }

  /// Rejects patterns that match nothing. A mistyped name must not leave values in a file that is
  /// then taken for safe.
  private func checkNames(
    _ patterns: [NamePattern], _ definitions: TraceDefinitions
  ) throws(CommandEnd) {
    let streams = Set(definitions.streams.values.map(\.name))
    for pattern in patterns where !streams.contains(where: { pattern.matches($0) }) {
      throw CommandEnd(.nothingMatched, Strangers.text(pattern, among: definitions))
    }
  }
}
