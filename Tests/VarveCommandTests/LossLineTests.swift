import Foundation
import Testing
import VarveTraceScript

@Suite("Losses in lines for people")
struct LossLineTests {
  private let folder = TemporaryFolder()
  private let trace: String

  init() throws {
    trace = folder.file("lossy.varve")
    var script = TraceScript()
    let worker = script.thread("worker", ring: 3)
    let keys = script.stream("keys")
    script.value(keys, "before", at: 1)
    script.value(keys, "after", at: 7)
    script.lose(6_306, from: 3.124, to: 6.653, ring: worker)
    script.lose(2, from: 9, to: 9.5)
    try script.write(to: trace)
  }

  private func lines(_ options: [String]) throws -> [String] {
    let run = try CommandRun(["replay", trace] + options)
    #expect(run.status == 0, "\(run.errors)")
    return run.output.split(separator: "\n").map(String.init)
  }

  @Test("F6: replay has a line of its own where events are missing")
  func replay() throws {
    let lines = try lines(["-q"])
    try #require(lines.count == 4, "\(lines)")
    #expect(lines[0].contains("before") && lines[2].contains("after"))
    #expect(
      lines[1] == "… 6,306 events of thread 3 (worker) lost between 3.124 ms and 6.653 ms")
    #expect(lines[3] == "… 2 events of thread 1 (main) lost between 9 ms and 9.5 ms")
    #expect(try self.lines(["--ascii"])[1].hasPrefix(".. 6,306 events"))
    // What was not asked for is not missing.
    #expect(try self.lines(["--until", "2ms"]).count == 1)
    #expect(try self.lines(["--head", "1"]).count == 1)
  }

  @Test("a step from line to line is one from event to event")
  func steps() throws {
    let run = try TerminalRun(["replay", trace, "--step"], rows: 10, columns: 120)
    #expect(run.shows("1/2"))
    run.type(".")
    #expect(run.shows("2/2"))
    run.type("q")
    #expect(run.end() == 0)
  }

  @Test("of many losses, warnings name some and the command that lists all")
  func many() throws {
    var script = TraceScript()
    let keys = script.stream("keys")
    script.value(keys, "x", at: 100)
    for number in 0..<9 { script.lose(1, from: Double(number), to: Double(number) + 0.5) }
    try script.write(to: trace)
    let list = "varve query \(trace) 'SELECT * FROM losses'"
    for verb in ["replay", "info"] {
      let run = try CommandRun([verb, trace])
      let told = verb == "info" ? run.output : run.errors
      #expect(told.contains("and 5 more; \(list) lists all"), "\(told)")
    }
    let losses = try CommandRun(["query", trace, "SELECT * FROM losses", "--format", "ndjson"])
    #expect(losses.output.split(separator: "\n").count == 9)
    #expect(try CommandRun(["replay", trace, "-q"]).output.split(separator: "\n").count == 10)
  }
}
