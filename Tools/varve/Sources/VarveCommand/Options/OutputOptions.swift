internal import ArgumentParser
internal import VarveExport

/// The options for the look of results: the same flags in every verb.
struct OutputOptions: ParsableArguments {
  /// The choice of when to use colors.
  enum Colours: String, ExpressibleByArgument, CaseIterable {
    case auto, always, never
  }

  @Option(name: .customLong("color"), help: "Colours: auto, always, never.")
  var colours: Colours?

  @Flag(inversion: .prefixedNo, help: "Use only ASCII; the default in a locale without UTF-8.")
  var ascii: Bool?

  @Flag(name: .customLong("no-cut"), help: "Do not cut lines to the terminal's width.")
  var keepsLines = false

  @Flag(name: [.customShort("q"), .customLong("quiet")], help: "No warnings.")
  var quiet = false

  /// Whether warnings are left out.
  var isQuiet: Bool { quiet || Configuration.truth("quiet") ?? false }

  @Flag(name: .customLong("no-pager"), help: "Do not use a pager for output longer than a screen.")
  var avoidsPager = false

  /// Shows output longer than a screen in a pager, if there is a terminal and the user allows it.
  ///
  /// In a pager, lines are whole: it shows their rest on request.
  func page() { StandardOutput.usePager(!avoidsPager, cutting: style) }

  /// The style for standard output.
  var style: OutputStyle {
    // The environment goes before the file.
    let wanted =
      switch colours
        ?? (Terminal.saysColours ? .auto : Configuration["color"].flatMap(Colours.init) ?? .auto)
      {
      case .auto: Terminal.wantsColours
      case .always: true
      case .never: false
      }
    return OutputStyle(
      colours: wanted, ascii: ascii ?? Configuration.truth("ascii") ?? Terminal.isASCII,
      width: keepsLines || Configuration.truth("cut") == false ? nil : Terminal.width,
      cutsLines: !StandardOutput.mayBePaged)
  }

  /// Returns a trace as lines for a shell name it, limited to ASCII like the rest of the output.
  func command(_ files: [String]) -> TraceCommand { TraceCommand(files, ascii: style.ascii) }
}
