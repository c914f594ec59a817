import Measurement
import TraceMill

/// What events of several kinds need in the file, beside their entropy, and what a drain thread
/// needs to put them there.
enum EncodingTable {
  private static let events = 2_000_000

  static func run(_ options: Options, into report: inout Report) throws {
    guard options.wants("encoding") else { return }
    Table.heading("in the file, for an event", ["bytes", "entropy", "ratio", "writer ns"])
    for kind in TraceKind.allCases where kind.isPlain {
      let path = Files.temporary(kind.rawValue)
      defer { Files.remove(path) }
      var costs: [TraceMill.Cost] = []
      for round in 0..<min(options.rounds, 5) {
        var mill = TraceMill(kind, events: events)
        costs.append(try mill.write(to: path, measuresEntropy: round == 0))
      }
      let row = Report.Encoding(
        bytesPerEvent: Double(costs[0].bytes) / Double(events),
        entropyPerEvent: costs[0].entropyPerEvent,
        ratio: kind == .text
          ? nil : Double(costs[0].bytes) / Double(events) / costs[0].entropyPerEvent,
        writerNs: costs.map(\.writerNanoseconds).median)
      report.encoding[kind.rawValue] = row
      Table.row(
        kind.title,
        [
          Table.number(row.bytesPerEvent),
          row.ratio.map { _ in Table.number(row.entropyPerEvent) } ?? "",
          row.ratio.map { Table.number($0) } ?? "", Table.number(row.writerNs),
        ])
    }
  }
}
