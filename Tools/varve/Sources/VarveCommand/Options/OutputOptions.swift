internal import ArgumentParser
internal import VarveExport

/// The options for the look of results: the same flags in every verb.
struct OutputOptions: ParsableArguments {
  /// The choice of when to use colors.
  enum Colours: String, ExpressibleByArgument, CaseIterable {
    case auto, always, never
  }

  @Option(name: .customLong("color"), help: "Colours: auto, always, never.")
  var colours = Colours.auto

  @Flag(inversion: .prefixedNo, help: "Use only ASCII; the default in a locale without UTF-8.")
  var ascii: Bool?

  @Flag(name: .customLong("no-cut"), help: "Do not cut lines to the terminal's width.")
  var keepsLines = false

  @Flag(name: [.customShort("q"), .customLong("quiet")], help: "No warnings.")
  var isQuiet = false

  @Flag(name: .customLong("no-pager"), help: "Do not use a pager for output longer than a screen.")
  var avoidsPager = false

  /// Shows output longer than a screen in a pager, if there is a terminal and the user allows it.
  func page() { StandardOutput.usePager(!avoidsPager) }

  /// The style for standard output.
  var style: OutputStyle {
    let wanted =
      switch colours {
      case .auto: Terminal.wantsColours
      case .always: true
      case .never: false
      }
    return OutputStyle(
      colours: wanted, ascii: ascii ?? Terminal.isASCII,
      width: keepsLines ? nil : Terminal.width)
  }
}
