import Foundation
import Testing
import VarveAnalysis
import VarveExport
import VarveFormat
import VarveTraceScript

/// What the demo's traces tell, with the programs as they were built.
@Suite("The demo's traces")
struct DemoTraceTests {
  private let folder = TemporaryFolder()
  private let here = URL(fileURLWithPath: #filePath).deletingLastPathComponent()

  /// Runs the demo on the corpus.
  private func demo(
    _ arguments: [String], environment: [String: String] = [:]
  ) throws -> CommandRun {
    try CommandRun(
      ["--folder", here.appendingPathComponent("Corpus").path] + arguments,
      environment: environment, program: "SearchDemoCommand")
  }

  /// A trace of the script in virtual time.
  private func recorded() throws -> String {
    let trace = folder.file("demo.varve")
    let run = try demo(["--virtual", trace])
    try #require(run.status == 0, "\(run.errors)")
    return trace
  }

  @Test("the timeline of the seeded script on the virtual clock is the golden one")
  func timeline() throws {
    let reader = try TraceReader(path: recorded())
    var selection = Selection()
    selection.names = try ["keystrokes", "query", "search", "lookup", "progress", "results"]
      .map { name throws(SelectionError) in try NamePattern(name) }
    let timeline = try Timeline(
      of: reader, selection: selection, losses: reader.losses,
      options: Timeline.Options(width: 100), style: .plain)
    let picture = TimelineTextRenderer(timeline, style: .plain).text()
      // Names of events change with everything that is recorded beside what is drawn.
      .replacing(/#[\d.]+/, with: "#…")
    let golden = here.appendingPathComponent("Golden/timeline.txt")
    #expect(try picture == String(contentsOf: golden, encoding: .utf8))
    let readme = here.appendingPathComponent("../../README.md")
    #expect(try String(contentsOf: readme, encoding: .utf8).contains("```\n\(picture)```\n"))
  }

  @Test("the README's picture is what the command draws of that script")
  func picture() throws {
    let trace = URL(fileURLWithPath: try recorded())
    let streams = ["keystrokes", "query", "search", "lookup", "progress", "results"]
    let drawn = try CommandRun(
      ["timeline", trace.lastPathComponent] + streams.flatMap { ["-n", $0] } + ["--format", "svg"],
      folder: trace.deletingLastPathComponent().path
    ).output
    let picture = here.appendingPathComponent("../../Docs/timeline.svg")
    let shown = try String(contentsOf: picture, encoding: .utf8)
    #expect(drawn.replacing(/#[\d.]+/, with: "#…") == shown.replacing(/#[\d.]+/, with: "#…"))
  }

  @Test("a filtered replay is what a filter over the full one gives, every line of it valid")
  func filter() throws {
    let trace = try recorded()
    let all = try CommandRun(["replay", trace, "--format", "ndjson"]).output
    let chosen = try CommandRun(["replay", trace, "-n", "search*", "--format", "ndjson"]).output
    let keys: Set = [
      "event", "time_ns", "thread", "name", "stream", "operator", "subscription", "kind", "value",
      "value_type", "cause", "scheduler", "reason",
    ]
    let expected = try all.split(separator: "\n").filter { line in
      let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
      let event = try #require(object)
      #expect(keys.isSubset(of: event.keys))
      return (event["name"] as? String)?.hasPrefix("search") == true
    }
    #expect(!expected.isEmpty)
    #expect(chosen.split(separator: "\n") == expected)
  }

  @Test("T5: after a trap the trace says so, and holds every event up to it")
  func crash() throws {
    let trace = folder.file("crash.varve")
    let run = try demo(
      ["--crash-after", "6"],
      environment: [
        "VARVE_TRACE": trace, "VARVE_OPTIONS": "preset=light,stacks",
        "SWIFT_BACKTRACE": "enable=no",
      ])
    #expect(run.status > 128)
    let info = try CommandRun(["info", trace, "--format", "json"]).output
    #expect(info.contains(#""ended": "crashed""#))
    let keys = try CommandRun(["replay", trace, "-n", "keystrokes", "-k", "value"]).output
    #expect(keys.split(separator: "\n").count == 6)
  }

  @Test("a run that reached its end has ended cleanly, and nothing of it is missing")
  func clean() throws {
    let trace = try recorded()
    let info = try CommandRun(["info", trace, "--format", "json"]).output
    #expect(info.contains(#""dropped": 0"#))
    #expect(info.contains(#""ended": "clean""#))
  }
}
