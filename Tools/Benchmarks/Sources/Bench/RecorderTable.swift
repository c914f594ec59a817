import Foundation
import Measurement
import RecorderWorkloads

/// Workload W, through the recorder's lowest entry and through named pipes.
enum RecorderTable {
  static func run(_ options: Options, into report: inout Report) throws {
    guard options.wants("w") else { return }
    let emitted = Files.temporary("emitted")
    let piped = Files.temporary("piped")
    defer { Files.remove(emitted, piped) }

    var direct: [RecorderWorkload.Round] = []
    var recorded: [Double] = []
    var unrecorded: [Double] = []
    var senders: [Double] = []
    var reads: [Double] = []
    for round in 0...options.rounds {
      let one = try RecorderWorkload.emitted(into: emitted)
      let with = try RecorderWorkload.piped(into: piped)
      let without = RecorderWorkload.unrecorded()
      let debugging = try RecorderWorkload.sent(into: piped, isDebugging: true)
      let light = try RecorderWorkload.sent(into: piped, isDebugging: false)
      let read = try RecorderWorkload.read(into: piped, isRecorded: true)
      let unread = try RecorderWorkload.read(into: piped, isRecorded: false)
      guard round > 0 else { continue }
      reads.append(read - unread)
      direct.append(one)
      recorded.append(with.senderNanoseconds)
      unrecorded.append(without)
      senders.append(debugging.senderNanoseconds - light.senderNanoseconds)
    }

    let file = try TraceMeasure(path: emitted)
    let row = Report.Recorder(
      clockNs: RecorderWorkload.clock(), unrecordedNs: unrecorded.median,
      cpuNs: direct.map(\.senderNanoseconds).median,
      incrementNs: recorded.median - unrecorded.median, senderNs: senders.median,
      readNs: reads.median,
      bytesPerEvent: file.bytesPerEvent, entropyPerEvent: file.entropyPerEvent,
      drainNs: direct.map(\.drainNanoseconds).median,
      dropped: try file.dropped + TraceMeasure(path: piped).dropped)
    report.recorder["w"] = row
    print(row)
  }

  private static func print(_ row: Report.Recorder) {
    Table.heading("recorder, workload W, for an event", [""])
    Table.row("CPU ns, the clock alone", [Table.number(row.clockNs)])
    Table.row("CPU ns, lowest entry", [Table.number(row.cpuNs)])
    Table.row("CPU ns, named pipe, not recorded", [Table.number(row.unrecordedNs)])
    Table.row("CPU ns, named pipe: recorded − not", [Table.number(row.incrementNs)])
    Table.row("CPU ns, the sender's stack, by default", [Table.number(row.senderNs)])
    Table.row("CPU ns, the read of a property, by default", [Table.number(row.readNs)])
    Table.row("CPU ns of the drain thread", [Table.number(row.drainNs)])
    Table.row("bytes in the file", [Table.number(row.bytesPerEvent)])
    Table.row("bytes of entropy (ticks, payloads)", [Table.number(row.entropyPerEvent)])
    Table.row("dropped, of all", [String(row.dropped)])
  }
}

/// Files that live as long as a measurement.
enum Files {
  static func temporary(_ name: String) -> String {
    FileManager.default.temporaryDirectory
      .appendingPathComponent(
        "varve-bench-\(ProcessInfo.processInfo.processIdentifier)-\(name).varve"
      )
      .path
  }

  static func remove(_ paths: String...) {
    for path in paths { try? FileManager.default.removeItem(atPath: path) }
  }
}
