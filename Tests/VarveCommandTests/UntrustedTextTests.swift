import Foundation
import Testing
import VarveTraceScript

@Suite("Texts that a trace holds")
struct UntrustedTextTests {
  private let folder = TemporaryFolder()
  private let trace: String
  /// A name that clears the screen, writes from right to left, ends its line and its quotes.
  private static let name = "a\u{1b}[2J\u{202e}b\nvarve: warning: c'd\u{9b}e"

  init() throws {
    var script = TraceScript()
    let thread = script.thread(Self.name, ring: 2)
    let stream = script.stream(Self.name)
    let queue = script.scheduler(Self.name)
    script.record(.hopScheduled, of: queue, at: 1, ring: thread, subscription: 1)
    script.value(stream, Self.name, at: 2, ring: thread)
    script.lose(3, from: 3, to: 4, ring: thread)
    trace = folder.file("untrusted.varve")
    try script.write(to: trace)
  }

  private func isDangerous(_ text: String) -> Bool {
    text.unicodeScalars.contains {
      $0 == "\u{202e}" || $0.value < 0x20 && $0 != "\n" || (0x7f...0x9f).contains($0.value)
    }
  }

  @Test(
    "no verb lets a trace tell the terminal anything, or say a line of its own on standard error")
  func escaped() throws {
    let verbs = [
      ["info"], ["streams"], ["streams", "--tree"], ["replay"], ["timeline"], ["latency"],
      ["postmortem"], ["why", "2.2"], ["why-silent", "nobody"], ["why", "nobody"], ["verify"],
      ["replay", "-n", "nobody"], ["export", "--format", "sql"], ["export", "--format", "csv"],
      ["export", "--format", "otlp"], ["export", "--format", "chrome"],
      ["export", "--format", "folded"], ["export", "--format", "speedscope"],
      ["export", "--format", "dot"],
      ["backtrace", "--event", "2.2"],
    ]
    for verb in verbs {
      let run = try CommandRun([verb[0], trace] + verb.dropFirst())
      #expect(!isDangerous(run.errors), "\(verb): \(run.errors)")
      #expect(!isDangerous(run.output) || verb.contains("csv"), "\(verb)")
      let lines = run.errors.split(separator: "\n")
      #expect(lines.allSatisfy { !$0.hasPrefix("varve: warning: c") }, "\(verb): \(run.errors)")
    }
  }

  @Test("F8: what is never seen is escaped, and an empty name is shown as quotes")
  func invisible() throws {
    var script = TraceScript()
    let hidden = script.stream("a\u{200b}b\u{feff}c\u{e0041}d\u{ad}e")
    let nameless = script.stream("")
    script.value(hidden, "x\u{2060}y", at: 1)
    script.value(nameless, "z", at: 2)
    let path = folder.file("invisible.varve")
    try script.write(to: path)
    let unseen: Set<UInt32> = [0x200b, 0xfeff, 0xe0041, 0xad, 0x2060]
    for verb in [
      ["streams"], ["streams", "--tree"], ["replay"], ["replay", "--format", "ndjson"],
      ["timeline"], ["timeline", "--format", "html"],
    ] {
      let run = try CommandRun([verb[0], path] + verb.dropFirst())
      #expect(!run.output.unicodeScalars.contains { unseen.contains($0.value) }, "\(verb)")
      guard !verb.contains("--format") else { continue }
      #expect(run.output.contains("\"\""), "\(verb): \(run.output)")
    }
    let lines = try CommandRun(["replay", path, "--format", "ndjson"]).output.split(separator: "\n")
    let object = try JSONSerialization.jsonObject(with: Data(lines[0].utf8)) as? [String: Any]
    #expect(object?["name"] as? String == "a\u{200b}b\u{feff}c\u{e0041}d\u{ad}e")
  }

  @Test("nothing but ASCII is written where only that was asked for, and no line is too wide")
  func ascii() throws {
    var script = TraceScript()
    let name = "caf\u{e9}\u{2026}\u{1f600}"
    let thread = script.thread(name, ring: 2)
    let source = script.stream("\u{2026}" + name, line: 3)
    let stream = script.stream(name, from: [source])
    let queue = script.scheduler(name)
    let edge = script.subscribe(source, to: stream, at: 0.5)
    let given = script.record(.hopScheduled, of: queue, at: 1, ring: thread, subscription: 1)
    script.value(source, name, at: 2, ring: thread)
    script.record(.value, of: stream, .string(name), at: 3, causes: [given])
    script.record(.log, of: 0, .string(name), at: 4)
    script.record(.failed, of: stream, .string(name), at: 5, ring: thread)
    script.end(edge, of: source, .failed, at: 5)
    let path = folder.file("ascii.varve")
    try script.write(to: path)
    let verbs = [
      ["info"], ["info", "--findings"], ["streams"], ["streams", "--tree"], ["streams", "--open"],
      ["replay"], ["timeline"], ["timeline", "--all"], ["latency"], ["postmortem"], ["why", "1.3"],
      ["why-silent", "caf*"], ["backtrace"], ["backtrace", "--event", "2.2"], ["tasks"],
      ["query", "SELECT * FROM events"],
    ]
    for verb in verbs {
      for flags in [(["--ascii"], ["COLUMNS": "70"]), ([], ["LC_ALL": "C"])] {
        let run = try CommandRun(
          [verb[0], path] + verb.dropFirst() + flags.0, environment: flags.1)
        #expect(run.output.utf8.allSatisfy { $0 < 0x80 }, "\(verb): \(run.output)")
        #expect(run.errors.utf8.allSatisfy { $0 < 0x80 }, "\(verb): \(run.errors)")
      }
    }
    let line = try CommandRun(["replay", path, "--ascii", "-k", "value"]).output
    #expect(line.contains("\"caf\\u{e9}..\\u{1f600}\""), "\(line)")
    // Machines read the names as they are.
    let plain = try CommandRun(["replay", path, "--ascii", "--format", "ndjson"]).output
    #expect(plain.contains(name))
    let picture = try CommandRun(["timeline", path, "--ascii", "--all", "--width", "60"]).output
    #expect(picture.split(separator: "\n").allSatisfy { $0.count <= 60 }, "\(picture)")
  }

  @Test("SQL brings the texts back as they were")
  func sql() throws {
    let exported = try CommandRun(["export", trace, "--format", "sql"])
    let script = folder.file("trace.sql")
    try Data(exported.output.utf8).write(to: URL(fileURLWithPath: script))
    let program = """
      import json, sqlite3, sys
      db = sqlite3.connect(":memory:")
      db.executescript(open(sys.argv[1], encoding="utf-8").read())
      asked = ["select name from streams", "select name from schedulers",
               "select name from threads where ring = 2", "select value from events where value <> ''"]
      print(json.dumps([db.execute(text).fetchone()[0] for text in asked]))
      """
    let run = try CommandRun(["python3", "-c", program, script], program: "/usr/bin/env")
    let names = try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String]
    #expect(names == Array(repeating: Self.name, count: 4), "\(run.errors)")
  }
}
