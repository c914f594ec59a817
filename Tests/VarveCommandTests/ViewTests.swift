import Foundation
import Testing
import VarveFormat
import VarveProbe
import VarveTraceScript

/// The viewer as a page of its own.
@Suite("The viewer's page")
struct ViewTests {
  private let folder = TemporaryFolder()

  private func script(_ text: String = "k") -> TraceScript { ViewedScript.keystrokes(text) }

  /// The data inside of the page of a trace.
  private func data(
    _ script: TraceScript, _ options: String..., ending: TraceEnding = .clean
  ) throws -> [String: Any] {
    let (path, page) = (folder.file("view.varve"), folder.file("view.html"))
    try script.write(to: path, ending: ending)
    let run = try CommandRun(["view", path, "-o", page, "--no-open", "--force"] + options)
    try #require(run.status == 0, "\(run.errors)")
    #expect(run.output == page + "\n")
    let text = try String(contentsOfFile: page, encoding: .utf8)
    let inside = try #require(
      text.firstMatch(of: /id="varve-data">([^<]*)<\/script>/.dotMatchesNewlines())
    ).1
    let object = try JSONSerialization.jsonObject(with: Data(inside.utf8))
    return try #require(object as? [String: Any])
  }

  private func rows(_ object: Any?) throws -> [[String: Any]] {
    try #require(object as? [[String: Any]])
  }

  @Test("of a long trace, a terminal shows how far it is read until the page is written")
  func progress() throws {
    let (path, page) = (folder.file("long.varve"), folder.file("long.html"))
    let stream = StreamDefinition(
      id: 1, name: "s", derivation: "s", operation: "pipe", parents: [], place: nil,
      valueType: "Int", born: 0)
    try FloodedTrace.write(to: path, events: 4_000_000, definitions: [.stream(stream)]) {
      FloodedTrace.Record(.value, of: 1, .integer, $0)
    }
    let run = try TerminalRun(["view", path, "-o", page, "--no-open"])
    #expect(run.shows("\r\u{1b}[Kreading: "))
    #expect(run.shows("\r\u{1b}[K\(page)"))
    #expect(run.end() == 0)
  }

  @Test("it has every event in its lane, with its causes, and a clock that turns ticks into time")
  func events() throws {
    let data = try data(script())
    let trace = try #require(data["trace"] as? [String: Any])
    let lanes = try rows(trace["lanes"])
    let kinds = lanes.map { $0["kind"] as? String }
    #expect(kinds == ["stream", "stream", "scheduler", "thread", "thread"])
    #expect(lanes.map { $0["label"] as? String }.first == "keys")
    #expect(lanes[1]["parents"] as? [Int] == [0] && lanes[1]["group"] as? Int == 0)
    #expect(lanes[1]["numeric"] as? Bool == true && lanes[0]["numeric"] as? Bool == false)
    let events = try rows(data["events"])
    #expect(events.map { $0["lane"] as? Int } == [0, 0, 2, 2, 1, 4])
    #expect(events[4]["value"] as? Int == 7 && events[4]["causes"] as? [String] == ["2.1"])
    #expect(events[3]["causes"] as? [String] == ["1.3"])
    let clock = try #require(trace["clock"] as? [[Double]])
    let last = try #require(clock.last)
    #expect(last[0] == trace["ticks"] as? Double && abs(last[1] - 3_000_000) < 10)
    #expect(data["omitted"] is NSNull && data["postmortem"] is NSNull)
    // The work waited for a millisecond, and did not end: it is seen also in the lane of its thread.
    let slices = try rows(data["slices"])
    #expect(slices.map { $0["state"] as? String } == ["queued", "runs", "runs"])
    #expect(slices.map { $0["lane"] as? Int } == [2, 2, 3] && slices[1]["to"] is NSNull)
  }

  @Test("it shows what was selected, and its findings lead to their events")
  func selection() throws {
    let data = try data(script(), "-n", "keys")
    let trace = try #require(data["trace"] as? [String: Any])
    #expect(try rows(trace["lanes"]).compactMap { $0["name"] as? String }.contains("keys"))
    #expect(try rows(data["events"]).allSatisfy { $0["kind"] as? String != "log" })
    var leaking = TraceScript()
    let source = leaking.stream("source", line: 9, traits: .hot)
    for turn in 0..<12 {
      _ = leaking.subscribe(source, at: Double(turn * 10))
      leaking.value(source, "v", at: Double(turn * 10 + 5))
    }
    let findings = try rows(try self.data(leaking)["findings"])
    #expect(findings.first?["title"] as? String == "leak")
    #expect(findings.first?["lane"] as? Int == 0 && findings.first?["event"] is String)
  }

  @Test("after a crash it has the report of it")
  func crashed() throws {
    let data = try data(
      script(), ending: .crashed(signal: 4, ring: 2, programCounter: nil))
    let report = try #require(data["postmortem"] as? [String: Any])
    #expect((report["text"] as? String)?.contains("SIGILL") == true)
  }

  @Test("with --diff it has what another run delivered differently, whatever that says")
  func difference() throws {
    let other = folder.file("other.varve")
    try script("<x>").write(to: other)
    let data = try data(script(), "--diff", other)
    #expect((data["trace"] as? [String: Any])?["diff"] as? Bool == true)
    let answer = try #require(data["diff"] as? [String: Any])
    let found = try rows(answer["rows"])
    #expect(found.map { $0["name"] as? String } == ["keys"] && answer["same"] as? Int == 1)
    #expect(found.first?["left"] as? String == "1.2")
    #expect((found.first?["right_value"] as? String)?.contains("<x>") == true)
    #expect(try self.data(script())["diff"] is NSNull)
  }

  @Test("F2: text of a trace is data in the page, whatever it says")
  func hostile() throws {
    let text = "</script><script>alert(1)</script>\u{202e}<!--"
    let data = try data(script(text))
    #expect(try rows(data["events"])[1]["value"] as? String == text)
  }

  @Test("a page that exists is not overwritten, and a trace without events says so")
  func refused() throws {
    let (path, page) = (folder.file("view.varve"), folder.file("view.html"))
    try script().write(to: path)
    #expect(try CommandRun(["view", path, "-o", page, "--no-open"]).status == 0)
    #expect(try CommandRun(["view", path, "-o", page, "--no-open"]).status == 2)
    let nothing = try CommandRun(["view", path, "-n", "nothing", "-o", page, "--no-open"])
    #expect(nothing.status == 1 && nothing.errors.contains("no stream matches"))
  }
}
