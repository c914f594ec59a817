internal import ArgumentParser
internal import VarveAnalysis

/// The part of a trace that an answer looks at, where nothing else is chosen.
struct PeriodOptions: ParsableArguments {
  @Option(
    parsing: .unconditional, help: ArgumentHelp("Look at nothing before.", valueName: "time"))
  var since: String?
  @Option(parsing: .unconditional, help: ArgumentHelp("Look at nothing after.", valueName: "time"))
  var until: String?

  /// A selection of this part, of nothing but these `kinds`.
  func selection(of kinds: KindSelection? = nil) throws -> Selection {
    var selection = Selection()
    if let kinds { selection.kinds = kinds }
    if let since { selection.since = try TimeExpression(since) }
    if let until { selection.until = try TimeExpression(until) }
    return selection
  }
}
