import Measurement
import RecorderWorkloads

/// What it costs a thread to leave a record: in bursts that its ring has room for, which is what the
/// record itself costs, and sustained, where it waits for the drain thread as well, whose own cost
/// stands beside it.
enum EntryTable {
  private static let events = 2_000_000
  private static let burst = 10_000

  static func run(_ options: Options, into report: inout Report) throws {
    guard options.wants("entry") else { return }
    let path = Files.temporary("entry")
    defer { Files.remove(path) }
    Table.heading(
      "recorder, lowest entry, CPU ns an event", ["in bursts", "sustained", "drain thread"])
    for workload in PeerWorkload.allCases {
      var bursts: [Double] = []
      var sustained: [RecorderWorkload.Round] = []
      for _ in 0..<options.rounds {
        bursts.append(
          try workload.record(into: path, events: events, pace: .bursts(of: burst))
            .senderNanoseconds)
        sustained.append(try workload.record(into: path, events: events))
      }
      let row = Report.Entry(
        burstNs: bursts.median, sustainedNs: sustained.map(\.senderNanoseconds).median,
        drainNs: sustained.map(\.drainNanoseconds).median)
      report.entry[workload.rawValue] = row
      Table.row(workload.title, [row.burstNs, row.sustainedNs, row.drainNs].map(Table.number))
    }
  }
}
