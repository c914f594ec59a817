import Measurement
import RecorderWorkloads

/// Hops with and without an asynchronous backtrace.
enum HopTable {
  static func run(_ options: Options, into report: inout Report) {
    guard options.wants("hops") else { return }
    let hops = (0...options.rounds).map { _ in HopWorkload.hop(frames: 16) }.dropFirst()
    let plain = hops.map(\.without).median
    let increment = hops.map { $0.with - $0.without }.median
    func median(_ body: () -> Double) -> Double { (0..<options.rounds).map { _ in body() }.median }
    let pending = HopWorkload.bytesPending(capturing: false, parent: false)
    let pendingCaptured = HopWorkload.bytesPending(capturing: true, parent: false)
    let pendingInWork = HopWorkload.bytesPending(capturing: true, parent: true)
    let loop = HopWorkload.loop()
    let row = Report.Hops(
      hopNs: plain, capturedHopNs: plain + increment,
      walk16Ns: median { HopWorkload.walk(frames: 16) },
      intern16Ns: median { HopWorkload.intern(frames: 8) },
      intern32Ns: median { HopWorkload.intern(frames: 40) },
      wholeBytesPending: pending, bytesPending: pendingCaptured - pending,
      bytesPendingInWork: pendingInWork - pending,
      await8Ns: median { HopWorkload.awaits(functions: 8) },
      loopHops: loop.hops, loopNodeBytes: loop.nodeBytes, loopResidentBytes: loop.residentBytes,
      loopSegments: loop.segments, loopIsCut: loop.isCut,
      incrementNs: increment)
    report.hops = row
    Table.heading("asynchronous backtraces", [""])
    Table.row("CPU ns of a hop", [Table.number(row.hopNs)])
    Table.row("CPU ns more with its stack (16 frames)", [Table.number(row.incrementNs)])
    Table.row("CPU ns of a walk, 16 frames", [Table.number(row.walk16Ns)])
    Table.row("CPU ns of walk and number, 16 frames", [Table.number(row.intern16Ns)])
    Table.row("CPU ns of walk and number, 32 frames", [Table.number(row.intern32Ns)])
    Table.row("CPU ns of walk and number, 8 awaits", [Table.number(row.await8Ns)])
    Table.row("bytes of a hop that waits", [Table.number(row.wholeBytesPending)])
    Table.row("bytes more with its stack", [Table.number(row.bytesPending)])
    Table.row("bytes more when work schedules it", [Table.number(row.bytesPendingInWork)])
    Table.row("hops of a loop", [Table.number(Double(row.loopHops))])
    Table.row("KiB that they left in nodes", [Table.number(Double(row.loopNodeBytes) / 1024)])
    Table.row("KiB more that are resident", [Table.number(Double(row.loopResidentBytes) / 1024)])
    Table.row(
      row.loopIsCut ? "segments shown, older ones cut" : "segments shown",
      [Table.number(Double(row.loopSegments))])
  }
}
