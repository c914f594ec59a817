import Foundation
import Testing
import VarveFormat
import VarveProbe
import VarveTraceScript

/// What the viewer shows of times at which nothing was recorded.
@Suite("What the viewer shows of silence")
struct ServedStretchTests {
  private let folder = TemporaryFolder()

  /// Keystrokes at 1, 2 and 4 seconds, of which the last goes on to a stream of lengths.
  private func script() -> TraceScript {
    var script = TraceScript()
    let keys = script.stream("keys", line: 3, traits: .hot)
    let length = script.stream(
      "keys.map(_:)", "map(_:)", from: [keys], type: "Swift.Int", derived: true, line: 4)
    _ = script.subscribe(keys, to: length, at: 0)
    for (text, time) in [("a", 1_000.0), ("b", 2_000), ("c", 4_000)] {
      script.value(keys, text, at: time)
    }
    script.record(.value, of: length, .integer(1), at: 4_000, back: 1)
    return script
  }

  private func written(_ script: TraceScript, ending: TraceEnding?) throws -> String {
    let path = folder.file("view.varve")
    try? FileManager.default.removeItem(atPath: path)
    try script.write(to: path, ending: ending)
    return path
  }

  // MARK: - A hang

  @Test("the axis of a hang goes on to the last moment at which the program was alive")
  func hang() throws {
    var script = script()
    script.lastLook = 9_000
    // A program that ended by itself has done nothing since its last event.
    for (ending, length) in [(nil, 9_000_000_000), (TraceEnding.clean, 4_000_000_000)] {
      let view = try ServedView([try written(script, ending: ending)])
      let trace = try view.ask("api/trace").object()
      #expect(trace["ticks"] as? Int == length)
      let clock = try #require(trace["clock"] as? [[Int]])
      #expect(clock.first == [0, 0] && clock.last == [length, length])
      #expect(view.interrupt() == 0)
    }
  }

  @Test("so does that of the page that can be mailed")
  func mailed() throws {
    var script = script()
    script.lastLook = 9_000
    let page = folder.file("view.html")
    let run = try CommandRun(["view", try written(script, ending: nil), "--no-open", "-o", page])
    #expect(run.status == 0, "\(run.errors)")
    let text = try String(contentsOfFile: page, encoding: .utf8)
    #expect(text.contains("\"ticks\":9000000000,"))
  }

  // MARK: - A click on a silent stretch

  @Test("the answer to a click on a silent stretch is about what was known until its end")
  func stretch() throws {
    let view = try ServedView([try written(script(), ending: .clean)])
    func told(_ query: String) throws -> String {
      let last = try #require(try view.messages("api/silence?\(query)").last)
      #expect(last.name == "done", "\(query): \(last)")
      return try #require(last.data["text"] as? String)
    }
    #expect(try told("lane=0").contains("keys delivered 3 values"))
    #expect(try told("lane=0&at=3000000000").contains("keys delivered 2 values"))
    #expect(try told("lane=0&at=1500000000").contains("keys delivered 1 value, the last, \"a\""))
    // The stretch after the last value has no end but that of the trace.
    #expect(try told("lane=0&at=4000000001").contains("keys delivered 3 values"))
    #expect(try !told("lane=1&at=3000000000").contains("delivered 1 value"))
    #expect(try told("lane=1").contains("delivered 1 value"))
  }

  @Test("that a lane is no stream, or not there, is said")
  func noStream() throws {
    let view = try ServedView([try written(script(), ending: .clean)])
    for query in ["lane=2", "lane=99", "at=5", ""] {
      let last = try #require(try view.messages("api/silence?\(query)").last)
      #expect(last.name == "failure", "\(query)")
    }
  }

  // MARK: - Several recordings

  @Test("of several recordings, each lane says which process it is of; of one, none does")
  func processes() throws {
    let one = folder.file("one.varve")
    var other = ViewedScript.tasks()
    (other.process.program, other.process.pid) = ("/usr/bin/till", 17)
    other.process.started += 2_000_000_000
    let sales = other.stream("sales", line: 1)
    _ = other.subscribe(sales, at: 6)
    other.value(sales, "v", at: 7)
    try other.write(to: one)
    let two = try written(script(), ending: .clean)
    func told(_ files: [String]) throws -> [String: String?] {
      let view = try ServedView(files)
      _ = try view.messages("api/pyramid")
      let lanes = try #require(try view.ask("api/trace").object()["lanes"] as? [[String: Any]])
      #expect(view.interrupt() == 0)
      return Dictionary(
        lanes.map { ($0["label"] as? String ?? "", $0["process"] as? String) }
      ) { one, _ in one }
    }
    let both = try told([one, two])
    let till = "till[17]"
    #expect(both["sales"] == till && both["executor"] == till && both["\(till) worker"] == till)
    #expect(both["task 1"] == till && both["task 2 fetch"] == till)
    let keys = try #require(both["keys"] ?? nil)
    #expect(keys.hasSuffix("]") && keys != till)
    #expect(try told([one]).allSatisfy { $0.value == nil })
    // So does the page that can be mailed.
    let page = folder.file("both.html")
    #expect(try CommandRun(["view", one, two, "--no-open", "-q", "-o", page]).status == 0)
    let text = try String(contentsOfFile: page, encoding: .utf8)
    #expect(text.components(separatedBy: "\"process\":\"till[17]\"").count > 5)
  }

  // MARK: - The end, while it answers

  @Test("Control-C ends the server with status 0 and without a word while it answers many pages")
  func ends() throws {
    let path = folder.file("many.varve")
    try ConstantTrace.write(to: path, blocks: 8, events: 1 << 19)
    let view = try ServedView([path])
    let questions = [
      "api/statistics?from=0&to=99999999", "api/search?text=x", "api/findings", "api/pyramid",
      "api/events?from=0&to=99999999&limit=20000", "api/latency", "api/silence?lane=0",
    ]
    // Pages that do not read what they asked for keep the server writing.
    let waiting = try (0..<3).flatMap { _ in try questions.map { try view.client.begin($0) } }
    defer { for connection in waiting { close(connection) } }
    #expect(view.interrupt() == 0)
    #expect(try view.output() == view.said)
  }
}
