internal import ArgumentParser
internal import VarveAnalysis

/// The options for the period of a trace, in verbs without other selection flags.
struct PeriodOptions: ParsableArguments {
  @Option(
    parsing: .unconditional, help: ArgumentHelp("Ignore everything before this.", valueName: "time")
  )
  var since: String?
  @Option(
    parsing: .unconditional, help: ArgumentHelp("Ignore everything after this.", valueName: "time"))
  var until: String?

  /// Returns a selection of the period, limited to `kinds` if they are given.
  func selection(of kinds: KindSelection? = nil) throws -> Selection {
    var selection = Selection()
    if let kinds { selection.kinds = kinds }
    if let since { selection.since = try TimeExpression(since) }
    if let until { selection.until = try TimeExpression(until) }
    return selection
  }
}
