internal import ArgumentParser
internal import VarveAnalysis
internal import VarveFormat

/// Where names of functions, files and lines come from: the same flags wherever code is named.
struct SymbolOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Look for executables, libraries and debug information there, too.", valueName: "folder"))
  var symbols: [String] = []

  @Flag(name: .customLong("no-symbols"), help: "Names that are in the trace alone.")
  var staysInside = false

  /// What names the addresses of a trace.
  func symbolizer(_ reader: TraceReader) -> Symbolizer {
    Symbolizer(reader.definitions, folders: symbols, looksUp: !staysInside)
  }

  /// Says in one line why operators have no places of their own, where they might have.
  func warn(_ symbolizer: Symbolizer, isQuiet: Bool) {
    guard !isQuiet, let reason = symbolizer.warnings.first else { return }
    Messages.warning("operators are told by places near them: \(reason)")
  }
}
