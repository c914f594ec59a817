import Measurement
import TraceMill

/// What events of several kinds need in the file, beside their entropy, and what a drain thread
/// needs to put them there.
enum EncodingTable {
  private static let events = 2_000_000

  static func run(_ options: Options, into report: inout Report) throws {
    guard options.wants("encoding") else { return }
    Table.heading("in the file, for an event", ["bytes", "entropy", "ratio", "writer ns"])
    for kind in TraceKind.allCases {
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
        writerNs: costs.map(\.writerNanoseconds).median)
      report.encoding[kind.rawValue] = row
      // Of a text nobody knows how much it tells.
      let knowsEntropy = kind != .text
      Table.row(
        kind.title,
        [
          Table.number(row.bytesPerEvent), knowsEntropy ? Table.number(row.entropyPerEvent) : "",
          knowsEntropy ? Table.number(row.bytesPerEvent / row.entropyPerEvent) : "",
          Table.number(row.writerNs),
        ])
    }
  }
}
