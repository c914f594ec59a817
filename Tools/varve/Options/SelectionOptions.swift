internal import ArgumentParser
internal import VarveAnalysis
internal import VarveFormat

/// Which events are meant: the same flags in every verb.
struct SelectionOptions: ParsableArguments {
  @Option(
    name: [.customShort("n"), .customLong("name")],
    help: ArgumentHelp(
      "Streams whose whole name matches: * any text, ? any character, all else as it is; or /regex/.",
      discussion: "Give it again for further streams.", valueName: "pattern"))
  var names: [String] = []

  @Option(
    name: [.customShort("x"), .customLong("exclude")],
    help: ArgumentHelp("Not the streams whose name matches.", valueName: "pattern"))
  var excluded: [String] = []

  @Flag(
    name: [.customShort("i"), .customLong("ignore-case")], help: "Case does not matter in names.")
  var ignoresCase = false

  @Option(
    name: [.customShort("k"), .customLong("kind")],
    help: ArgumentHelp(
      "Kinds of events: value, failed, completed, interrupted, subscribed, disposed, hop, log, mark, …",
      valueName: "kinds"))
  var kinds: [String] = []

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Not before: +1.5s after the start, -30s before the end, 10%, 2026-11-21T08:15:00Z, #1234.",
      valueName: "time"))
  var since: String?

  @Option(parsing: .unconditional, help: ArgumentHelp("Not after.", valueName: "time"))
  var until: String?

  @Option(help: ArgumentHelp("Only the first so many.", valueName: "count"))
  var head: Int?

  @Option(help: ArgumentHelp("Only the last so many.", valueName: "count"))
  var tail: Int?

  /// The selection that the flags make.
  func selection() throws(SelectionError) -> Selection {
    var selection = Selection()
    for name in names {
      selection.names.append(try NamePattern(name, ignoresCase: ignoresCase))
    }
    for name in excluded {
      selection.excluded.append(try NamePattern(name, ignoresCase: ignoresCase))
    }
    if !kinds.isEmpty {
      selection.kinds = try KindSelection(names: kinds.joined(separator: ","))
    }
    if let since { selection.since = try TimeExpression(since) }
    if let until { selection.until = try TimeExpression(until) }
    for count in [head, tail].compactMap({ $0 }) where count < 0 {
      throw SelectionError("\(count) is no number of events")
    }
    if head != nil, tail != nil {
      throw SelectionError("--head and --tail cannot be had at once: which comes first?")
    }
    selection.head = head
    selection.tail = tail
    return selection
  }

  /// Says which patterns mean no stream, and what they may have meant.
  func warnOfStrangers(_ selection: Selection, _ definitions: TraceDefinitions) {
    let streams = Set(definitions.streams.values.map(\.name))
    for pattern in selection.names where !streams.contains(where: { pattern.matches($0) }) {
      Messages.error(Strangers.text(pattern, among: definitions))
    }
  }
}
