import Foundation
import Measurement
import TraceMill

/// What the viewer's server takes on traces of ten and of a hundred million events: the first picture,
/// a step of zoom, a question about a cause, the figures of a range, memory.
enum ViewerTable {
  /// How a figure is called in the table, and by the script that measures it.
  private static let rows = [
    ("first picture, estimate, ms", "estimate"), ("first picture, exact, ms", "exact"),
    ("lanes in order, ms", "ordered"),
    ("step of zoom, p95, ms", "zoom"), ("step of zoom, worst, ms", "zoomWorst"),
    ("why, p95, ms", "why"), ("figures of a range, ms", "range"), ("events in it", "rangeEvents"),
    ("memory, MB", "memory"), ("findings, ms", "findings"),
    ("memory with them, MB", "memoryWithFindings"), ("load of the machine", "load"),
  ]

  static func run(_ options: Options, into report: inout Report) throws {
    guard options.names("viewer") else { return }
    let command = try options.command ?? CommandTable.built()
    let script = ClientTable.root.appendingPathComponent("Tools/Benchmarks/viewer.py").path
    var columns: [(title: String, figures: [String: Double])] = []
    for kind in [TraceKind.w, .program, .wide, .widest] {
      let many = options.events * 10
      for events in kind == .w || kind == .program ? [options.events, many] : [many] {
        let path = Files.temporary("viewed")
        defer { Files.remove(path) }
        var mill = TraceMill(kind, events: events)
        _ = try mill.write(to: path)
        let printed = try ClientTable.output("python3", [script, command, path])
        let figures = try JSONDecoder().decode([String: Double].self, from: Data(printed.utf8))
        let title = "\(kind.rawValue), \(events / 1_000_000) M"
        columns.append((title, figures))
        report.viewer[title] = figures
      }
    }
    Table.heading("the viewer's server", columns.map(\.title))
    for (title, name) in rows {
      let isMemory = name.hasPrefix("memory")
      Table.row(
        title, columns.map { Table.number($0.figures[name].map { isMemory ? $0 / 1e6 : $0 }) })
    }
  }
}
