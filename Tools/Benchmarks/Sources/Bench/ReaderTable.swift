import Measurement
import ReaderWorkloads
import TraceMill

/// How fast traces are read on one thread: CPU for each event that the trace holds, shown or not.
enum ReaderTable {
  private static let events = 10_000_000

  static func run(_ options: Options, into report: inout Report) throws {
    guard options.wants("reader") else { return }
    let mixed = Files.temporary("mixed")
    let phased = Files.temporary("phased")
    let texts = Files.temporary("texts")
    defer { Files.remove(mixed, phased, texts) }
    var mill = TraceMill(.w, events: events)
    _ = try mill.write(to: mixed)
    mill = TraceMill(.phases, events: events)
    _ = try mill.write(to: phased)
    mill = TraceMill(.text, events: events / 5)
    _ = try mill.write(to: texts)

    Table.heading("reading", ["CPU ns/event", "M events/s", "blocks"])
    let rounds = min(options.rounds, 5)
    try row("all", "all, as text", rounds, &report) { try ReaderWorkload.text(mixed) }
    try row("texts", "all, with texts, as text", rounds, &report) { try ReaderWorkload.text(texts) }
    try row("ndjson", "all, as NDJSON", rounds, &report) { try ReaderWorkload.json(mixed) }
    try row("name", "one name of 20", rounds, &report) {
      try ReaderWorkload.text(mixed, name: "w.7")
    }
    try row("skipped", "one name of 20, in blocks of its own", rounds, &report) {
      try ReaderWorkload.text(phased, name: "w.7")
    }
    try row("decoded", "all columns, shown to nobody", rounds, &report) {
      try ReaderWorkload.decoding(mixed)
    }
    try opening(mixed, &report)
  }

  private static func row(
    _ id: String, _ title: String, _ rounds: Int, _ report: inout Report,
    _ read: () throws -> ReaderWorkload.Round
  ) throws {
    var all: [ReaderWorkload.Round] = []
    for _ in 0..<rounds { all.append(try read()) }
    let nanoseconds = all.map(\.nanoseconds).median
    let row = Report.Reader(
      cpuNs: nanoseconds, millionsPerSecond: 1_000 / nanoseconds, inflatedBlocks: all[0].blocks)
    report.reader.rows[id] = row
    Table.row(
      title,
      [Table.number(row.cpuNs), Table.number(row.millionsPerSecond), String(row.inflatedBlocks)])
  }

  private static func opening(_ path: String, _ report: inout Report) throws {
    let took = try (0..<9).map { _ in try ReaderWorkload.opening(path) }.median
    report.reader.openingMs = took
    Table.row("opening, CPU ms in all", [Table.number(took)])
  }
}
