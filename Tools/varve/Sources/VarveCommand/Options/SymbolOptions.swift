internal import ArgumentParser
internal import VarveAnalysis
internal import VarveFormat

/// The options for symbols, the names of functions, files and lines: the same flags in every verb.
struct SymbolOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Also look for executables, libraries, and debug information in this folder.",
      valueName: "folder"))
  var symbols: [String] = []

  @Flag(name: .customLong("no-symbols"), help: "Use only names that the trace itself contains.")
  var staysInside = false

  /// Returns the symbolizer for a trace.
  func symbolizer(_ reader: TraceReader) -> Symbolizer {
    let folders = symbols + (Configuration["symbols"].map { [$0] } ?? [])
    return Symbolizer(reader.definitions, folders: folders, looksUp: !staysInside)
  }

  /// Makes symbolizers for what a trace defines.
  var maker: @Sendable (TraceDefinitions) -> Symbolizer {
    let (folders, looksUp) = (symbols, !staysInside)
    return { Symbolizer($0, folders: folders, looksUp: looksUp) }
  }

  /// Explains in one line why operators have no places of their own, if there is a reason.
  func warn(_ symbolizer: Symbolizer, isQuiet: Bool) {
    guard !isQuiet, let reason = symbolizer.warnings.first else { return }
    Messages.warning("places of operators are unknown: \(reason)")
  }
}
