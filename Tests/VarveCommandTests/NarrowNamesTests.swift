import Foundation
import Testing
import VarveFormat
import VarveMarbles
import VarveProbe
import VarveTraceScript

/// What lines say that have no room for whole names.
@Suite("Names on narrow terminals")
struct NarrowNamesTests {
  private let folder = TemporaryFolder()

  /// Returns what a command writes to a terminal.
  private func shown(_ arguments: [String], columns: UInt16 = 80) throws -> String {
    let run = try TerminalRun(
      arguments, rows: 2_000, columns: columns,
      environment: ["NO_COLOR": "1", "PAGER": "", "VARVE_CONFIG": ""], folder: folder.file(""))
    _ = run.end()
    return run.output.replacing("\r\n", with: "\n")
  }

  private func write(_ script: TraceScript) throws {
    try script.write(to: folder.file("shop.varve"))
  }

  @Test("a name that is its place is not said twice, and what happened is not cut")
  func placeOnce() throws {
    var script = TraceScript()
    let name = "property@Shop.swift:1014"
    let property = script.stream(name, "property", line: 1_014)
    let shown = script.stream("shown", "map(_:)", from: [property], line: 20)
    let edge = script.subscribe(property, to: shown, at: 0.5)
    script.value(property, "the teas of the east", at: 100)
    script.value(shown, "all of them", at: 101, back: 1)
    script.record(.sent, of: property, at: 102)
    script.end(edge, of: property, .completed, at: 103)
    try write(script)
    let lines = try self.shown(["postmortem", "shop.varve"])
    #expect(
      lines.contains("  Shop.swift:1014  property was sent by the program's code\n"), "\(lines)")
    let narrow = try self.shown(["postmortem", "shop.varve"], columns: 60)
    #expect(narrow.contains("  Shop.swift:1014  property ended: completed\n"), "\(narrow)")
    #expect(!narrow.contains("Shop.swift:1014  property@"), "\(narrow)")
    let why = try self.shown(["why", "shop.varve", "shown"], columns: 60)
    #expect(why.contains("Shop.swift:1014  property \"the teas of"), "\(why)")
  }

  @Test("where no time has room beside whole names, replay shows short ones")
  func shortTimes() throws {
    var script = TraceScript()
    let worker = script.thread("worker 81720", ring: 2)
    let scheduler = script.scheduler("QueueScheduler(interface)")
    let stream = script.stream("the answers of the shop", line: 1_000_031)
    script.value(stream, "oolong, the last of the teas", at: 1_234, ring: worker)
    script.record(.hopBegan, of: scheduler, at: 1_235, ring: worker, subscription: 9)
    try write(script)
    let lines = try shown(["replay", "shop.varve"], columns: 73).split(separator: "\n")
    #expect(
      lines.first { $0.contains("#2.1") }?
        .hasPrefix("#2.1  1.234 s  wo…81720  the ans…e shop  Shop.swift:1000031  ") == true,
      "\(lines)")
    #expect(lines.contains { $0.contains("  wo…81720  Qu…(interface)  ") }, "\(lines)")
    // A list that somebody wrote keeps its whole times.
    let listed = try shown(["replay", "--fields", "event,time,value", "shop.varve"], columns: 60)
    #expect(listed.contains("#2.1  1.234000 s  \"oolong"), "\(listed)")
  }

  @Test("streams and schedulers of several processes that have one name are told apart")
  func processes() throws {
    for (index, file) in ["one.varve", "two.varve"].enumerated() {
      var script = TraceScript()
      script.id = TraceID(low: UInt64(index) + 1, high: 9)
      script.process.program = "/usr/bin/ShopWithQuiteALongName"
      script.process.pid = 4_711 + UInt32(index)
      let scheduler = script.scheduler("QueueScheduler(interface)")
      let worker = script.thread("worker", ring: 2)
      let keys = script.stream("keys", line: 12)
      script.value(keys, "k", at: 10 * Double(index + 1))
      let given = script.record(
        .hopScheduled, of: scheduler, .cause(HopPayload(stack: 0, parent: 0)), at: 31,
        subscription: 9)
      script.record(
        .hopBegan, of: scheduler, at: 60, ring: worker, subscription: 9, causes: [given])
      script.record(.hopEnded, of: scheduler, at: 90, ring: worker, subscription: 9)
      try script.write(to: folder.file(file))
    }
    let timeline = try shown(["timeline", "one.varve", "two.varve"])
    #expect(timeline.contains("\n1:keys  ") && timeline.contains("\n2:keys  "), "\(timeline)")
    let legend =
      "\n1: ShopWithQuiteALongName[4711]   2: ShopWithQuiteALongName[4712]\n"
    #expect(timeline.contains(legend), "\(timeline)")
    let single = try shown(["timeline", "one.varve"])
    #expect(single.contains("\nkeys  ") && !single.contains("1:"), "\(single)")
    let latency = try shown(["latency", "one.varve", "two.varve"])
    for process in ["…[4711] Queue", "…[4712] Queue"] {
      #expect(latency.contains("\n\(process)"), "\(latency)")
    }
    // The scheduler's own name is whole beside the thread, which names the process.
    #expect(latency.contains(/ms  \S*\[4711\] worker +Queue\S*\(interface\)\r?\n/), "\(latency)")
  }

  @Test("why does not shorten values where lines are not cut, and tells the size of what was")
  func wholeValues() throws {
    var script = TraceScript()
    let keys = script.stream("keys", line: 12)
    let text = (0..<40).map { "word\($0)" }.joined(separator: " ")
    script.record(.value, of: keys, .string(text, originally: 60_031), at: 10)
    try write(script)
    for arguments in [["why", "shop.varve", "keys"], ["why", "shop.varve", "keys", "--no-cut"]] {
      let whole = try shown(arguments, columns: 2_000)
      #expect(whole.contains(text) == arguments.contains("--no-cut"), "\(whole)")
      #expect(whole.contains("(60031 bytes)"), "\(whole)")
    }
    let piped = try CommandRun(["why", folder.file("shop.varve"), "keys"]).output
    #expect(piped.contains("\"\(text)\"… (60031 bytes)"), "\(piped)")
  }
}
