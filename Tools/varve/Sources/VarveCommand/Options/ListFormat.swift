internal import ArgumentParser
internal import VarveExport

/// The formats of all verbs that list: text for people, or objects in one of three forms.
enum ListFormat: String, ExpressibleByArgument, CaseIterable {
  case text, ndjson, json, csv

  /// The help of the option.
  static let help = ArgumentHelp("text, ndjson, json or csv.")

  /// Writes objects, one a line, in this format, and says what was changed for it.
  func write(_ ndjson: String, _ trace: OpenedTrace) { trace.note(write(ndjson)) }

  /// Writes objects, one a line, in this format. Returns what was changed for it.
  func write(_ ndjson: String) -> [String] {
    switch self {
    case .text, .ndjson: StandardOutput.write(ndjson)
    case .json: StandardOutput.write(ObjectTable(ndjson).array)
    case .csv:
      let (text, notes) = ObjectTable(ndjson).csv()
      StandardOutput.write(text)
      return notes
    }
    return []
  }
}
