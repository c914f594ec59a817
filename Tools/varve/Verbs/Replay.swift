internal import ArgumentParser
internal import VarveAnalysis
internal import VarveExport
internal import VarveFormat

/// `varve replay FILE`
struct Replay: ExampledCommand {
  static let configuration = CommandConfiguration(
    abstract: "The events again, one a line, in the order in which they happened.")

  static let examples = [
    (command: "varve replay shop.varve", meaning: "every event, as fast as it can"),
    (command: "varve replay shop.varve -n 'login*' -k failed", meaning: "how did login fail?"),
    (command: "varve replay shop.varve --since -30s", meaning: "the last half minute"),
    (command: "varve replay shop.varve --speed 1x", meaning: "at the pace of the recording"),
    (command: "varve replay shop.varve --format ndjson | jq .value", meaning: "for scripts"),
  ]

  enum Format: String, ExpressibleByArgument, CaseIterable {
    case text, ndjson, json, csv
  }

  @Argument(help: "The trace.") var file: String
  @OptionGroup var selection: SelectionOptions
  @Option(help: ArgumentHelp("Keep the recorded pace: 1x, 4x, 0.1x.", valueName: "speed"))
  var speed: String?
  @Option(help: ArgumentHelp("Keep the pace, but no pause above this: 500ms.", valueName: "time"))
  var idleLimit: String?
  @Option(help: "text, ndjson, json or csv.") var format = Format.text
  @Option(help: "How text shows times: elapsed, delta, wall, utc, ticks.")
  var time = TimeForm.elapsed
  @Option(
    help: ArgumentHelp(
      "Columns of text: a list, or changes such as +cause,-thread. There are event, time, step, thread, stream, kind, value, operator, subscription, cause.",
      valueName: "list"))
  var fields: String?
  @OptionGroup var output: OutputOptions

  func run() throws {
    let chosen = try selection.selection()
    let columns = try fields.map { list throws(SelectionError) in try EventFields(list: list) }
    let pace = try pace()
    var trace = try OpenedTrace(file, output)
    let reader = trace.reader
    selection.warnOfStrangers(chosen, reader.definitions)
    let out = StandardOutput.open()
    let pid = reader.header.process.pid
    let shown = columns ?? .usual
    let needed: ColumnSet =
      format == .text ? EventTextRenderer.columns(for: shown) : .all
    var query = try EventQuery(chosen, in: reader, columns: needed)
    switch format {
    case .text:
      let renderer = EventTextRenderer(
        source: reader, filter: query.filter, pid: pid, fields: shown, time: time,
        style: output.style, output: out)
      try ReplayRun(renderer, pace, out).run(&query, clock: reader.time)
    case .ndjson, .json:
      let renderer = EventJSONRenderer(
        source: reader, pid: pid, isArray: format == .json, output: out)
      try ReplayRun(renderer, pace, out).run(&query, clock: reader.time)
    case .csv:
      let renderer = EventCSVRenderer(source: reader, pid: pid, output: out)
      try ReplayRun(renderer, pace, out).run(&query, clock: reader.time)
    }
    trace.report(query.damage)
    try trace.end(found: query.count > 0)
  }

  private func pace() throws(SelectionError) -> ReplayPace? {
    guard speed != nil || idleLimit != nil else { return nil }
    return ReplayPace(
      speed: try speed.map { text throws(SelectionError) in try ReplayPace.speed(text) } ?? 1,
      idleLimit: try idleLimit.map { text throws(SelectionError) in
        try DurationText.nanoseconds(text)
      })
  }
}
