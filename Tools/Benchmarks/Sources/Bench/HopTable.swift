import Measurement
import RecorderWorkloads

/// Hops with and without an asynchronous backtrace.
enum HopTable {
  static func run(_ options: Options, into report: inout Report) {
    guard options.wants("hops") else { return }
    var plain: [Double] = []
    var captured: [Double] = []
    for round in 0...options.rounds {
      let without = HopWorkload.hop(frames: 8, capturing: false)
      let with = HopWorkload.hop(frames: 8, capturing: true)
      guard round > 0 else { continue }
      plain.append(without)
      captured.append(with)
    }
    func median(_ body: () -> Double) -> Double { (0..<options.rounds).map { _ in body() }.median }
    let row = Report.Hops(
      hopNs: plain.median, capturedHopNs: captured.median,
      walk16Ns: median { HopWorkload.walk(frames: 16) },
      intern16Ns: median { HopWorkload.intern(frames: 8) },
      intern32Ns: median { HopWorkload.intern(frames: 40) },
      bytesPending: HopWorkload.bytesPending())
    report.hops = row
    Table.heading("asynchronous backtraces", [""])
    Table.row("CPU ns of a hop", [Table.number(row.hopNs)])
    Table.row("CPU ns more with its stack (16 frames)", [Table.number(row.incrementNs)])
    Table.row("CPU ns of a walk, 16 frames", [Table.number(row.walk16Ns)])
    Table.row("CPU ns of walk and number, 16 frames", [Table.number(row.intern16Ns)])
    Table.row("CPU ns of walk and number, 32 frames", [Table.number(row.intern32Ns)])
    Table.row("bytes for a hop that waits", [Table.number(row.bytesPending)])
  }
}
