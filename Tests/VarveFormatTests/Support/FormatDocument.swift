import Foundation
import Testing

/// `Docs/Format.md`, as far as a program can read it: its tables by their headings.
struct FormatDocument {
  /// A table's rows, each by its columns' headings.
  private(set) var tables: [String: [[String: String]]] = [:]

  init() throws {
    let file = URL(fileURLWithPath: #filePath)
    let root = file.deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    let text = try String(
      contentsOf: root.appendingPathComponent("Docs/Format.md"), encoding: .utf8)
    var heading = ""
    var columns: [String] = []
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.hasPrefix("#") {
        heading = String(line.drop { $0 == "#" || $0 == " " })
        columns = []
      } else if line.hasPrefix("|") {
        let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
        if columns.isEmpty {
          columns = cells
        } else if !cells.allSatisfy({ $0.allSatisfy { "-:".contains($0) } }) {
          tables[heading, default: []].append(
            Dictionary(uniqueKeysWithValues: zip(columns, cells)))
        }
      } else {
        columns = []
      }
    }
  }

  /// A table's cells of one column by the name in another, without the marks around it.
  func table(_ heading: String, _ key: String, _ value: String) throws -> [String: String] {
    let rows = try #require(tables[heading], "there is no table under \(heading)")
    var cells: [String: String] = [:]
    for row in rows {
      let name = try #require(row[key]).trimmingCharacters(in: CharacterSet(charactersIn: "`"))
      let cell: String = try #require(row[value])
      cells[name] = cell
    }
    return cells
  }

  /// A table of numbers by names.
  func numbers(_ heading: String, _ key: String = "NAME", _ value: String = "NUMBER") throws
    -> [String: Int]
  {
    try table(heading, key, value).mapValues { try #require(Int($0), "\(heading): \($0)") }
  }
}
