internal import ArgumentParser
internal import VarveExport

/// `varve config`
struct ConfigVerb: ExampledCommand {
  static let configuration = CommandConfiguration(
    commandName: "config",
    abstract: "Shows the defaults of options, and where each comes from.",
    discussion: """
      Defaults are set in ~/.config/varve/config (or in $XDG_CONFIG_HOME, or in the file that \
      $VARVE_CONFIG names), a line for each: time = wall. A line that begins with # is a comment. What the \
      command line says goes first, then the environment, then the file.
      """)

  static let examples = [
    (command: "varve config", meaning: "what holds, and why"),
    (command: "echo 'color = never' >> ~/.config/varve/config", meaning: "change a default"),
    (command: "VARVE_CONFIG= varve config", meaning: "without the file"),
  ]

  enum Format: String, ExpressibleByArgument, CaseIterable {
    case text, ndjson, json, csv
  }

  @Option(help: "text, ndjson, json or csv.") var format = Format.text
  @OptionGroup var output: OutputOptions

  func run() throws {
    let form: RowWriter.Form =
      switch format {
      case .text: .text
      case .ndjson: .ndjson
      case .json: .json
      case .csv: .csv
      }
    let out = StandardOutput.open()
    let titles = ["option", "value", "from", "meaning"]
    let rows = RowWriter(titles, form, style: output.style, output: out)
    for option in Configuration.options {
      let (value, origin) = Configuration.loaded.setting(of: option)
      rows.write([.text(option.name), .text(value), .text(origin), .text(option.meaning)])
    }
    rows.end()
    try StandardOutput.close(out)
  }
}
