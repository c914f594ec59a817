import Foundation
import Testing
import VarveFormat
import VarveTraceScript

@Suite("The verbs that read")
struct ReadingTests {
  private let folder = TemporaryFolder()
  private let trace: String

  init() throws {
    trace = folder.file("shop.varve")
    try SearchTrace().script.write(to: trace, blockEvents: 8)
  }

  private func objects(_ text: String) throws -> [NSDictionary] {
    try text.split(separator: "\n").map { line in
      let object = try JSONSerialization.jsonObject(with: Data(line.utf8))
      return try #require(object as? NSDictionary)
    }
  }

  @Test("info says what the trace is, and a bare file name does the same with a hint")
  func info() throws {
    let info = try CommandRun(["info", trace])
    #expect(info.status == 0)
    #expect(info.output.hasPrefix("shop (process 4711 on till, /usr/bin/shop)\n"))
    #expect(info.output.contains("recorded  2023-11-14T22:13:20.000Z, for 8.6 s\n"))
    #expect(info.output.contains("ended     clean\n"))
    #expect(info.output.contains("streams   6, of which 5 named\n"))
    #expect(info.output.contains("threads   2: 1 (main), 2 (search)\n"))
    let bare = try CommandRun([trace])
    #expect(bare.status == 0)
    #expect(bare.output.hasPrefix(info.output))
    #expect(bare.output.contains("varve timeline \(trace)"))
  }

  @Test("info as JSON has the promised keys")
  func infoJSON() throws {
    let info = try CommandRun(["info", trace, "--format", "json"])
    let object = try JSONSerialization.jsonObject(with: Data(info.output.utf8))
    let summary = try #require(object as? [String: Any])
    #expect(
      Set(summary.keys) == [
        "format_version", "program", "pid", "host", "started", "duration_ns", "events", "streams",
        "threads", "bytes", "ended", "signal", "dropped", "damaged_blocks",
        "blocks_checked", "sidecar_events", "lacks_sidecar", "findings", "chosen",
      ])
    #expect(summary["findings"] is NSNull && summary["chosen"] is NSNull)
    #expect(summary["ended"] as? String == "clean")
    #expect(summary["events"] as? Int == 39)
    #expect(summary["duration_ns"] as? Int == 8_600_200_000)
    #expect(summary["started"] as? String == "2023-11-14T22:13:20.000000000Z")
    #expect(summary["signal"] is NSNull)
    #expect(
      summary["bytes"] as? Int == (try FileManager.default.attributesOfItem(atPath: trace))[.size]
        as? Int)
  }

  @Test("info as JSON looks for findings where that is asked for")
  func findingsAsJSON() throws {
    func isNull(_ flags: String...) throws -> Bool {
      try CommandRun(["info", trace, "--format", "json"] + flags).output
        .contains("\"findings\": null")
    }
    #expect(try isNull())
    #expect(try isNull("--no-findings"))
    #expect(try !isNull("--findings"))
  }

  @Test("a replay by name is exactly what a filter over the full replay gives")
  func filtered() throws {
    let all = try objects(CommandRun(["replay", trace, "--format", "ndjson"]).output)
    #expect(all.count == 39)
    let search = try CommandRun(["replay", trace, "-n", "sear*", "--format", "ndjson"])
    #expect(search.status == 0)
    let expected = all.filter { ($0["name"] as? String)?.hasPrefix("sear") == true }
    #expect(!expected.isEmpty)
    #expect(try objects(search.output) == expected)
    let rest = try CommandRun(["replay", trace, "-x", "sear*", "--format", "ndjson"])
    #expect(try objects(rest.output).count == all.count - expected.count)
  }

  @Test("events are chosen by kind, time, number and from both ends")
  func choices() throws {
    func numbers(_ arguments: [String]) throws -> [String] {
      let run = try CommandRun(["replay", trace, "--format", "ndjson"] + arguments)
      return try objects(run.output).compactMap { $0["event"] as? String }
    }
    let all = try numbers([])
    #expect(try numbers(["--head", "3"]) == Array(all.prefix(3)))
    #expect(try numbers(["--tail", "3"]) == Array(all.suffix(3)))
    #expect(try numbers(["--head", "2", "--tail", "3"]) == Array(all.prefix(2) + all.suffix(3)))
    #expect(try numbers(["-k", "failed"]).count == 1)
    #expect(try numbers(["-k", "value", "-k", "failed"]).count == 23)
    #expect(try numbers(["-k", "disposed"]).count == 1)
    let between = try numbers(["--since", "-2s", "--until", "+7s"])
    #expect(between.count == 1 && all.contains(between))
    #expect(try numbers(["--since", "#\(all[10])"]) == Array(all.dropFirst(10)))
    #expect(try numbers(["-i", "-n", "KEY*", "-k", "completed"]).count == 1)
  }

  @Test("streams are listed, with the promised keys, and as a tree")
  func streams() throws {
    let list = try objects(CommandRun(["streams", trace, "--format", "ndjson"]).output)
    #expect(list.count == 6)
    for stream in list {
      #expect(
        Set(stream.allKeys.compactMap { $0 as? String }) == [
          "stream", "name", "operator", "parents", "place", "value_type", "subscriptions", "open",
          "values", "failed", "completed", "interrupted", "first_ns", "last_ns",
        ])
    }
    let tree = try CommandRun(["streams", trace, "--tree"]).output.split(separator: "\n")
      .map { line in
        let name = line.drop { " │├└".contains($0) }.prefix { $0 != "(" }
        let branch = line.prefix(line.count - line.drop { " │├└".contains($0) }.count)
        return branch + (name.components(separatedBy: "  ").first ?? "")
      }
    #expect(
      tree == [
        "STREAM", "keystrokes", "└ ….debounce", "  └ queries", "    ├ search",
        "    └ results", "progress",
      ])
    let silent = try CommandRun(["streams", trace, "--silent", "--format", "ndjson"])
    #expect(
      try objects(silent.output).map { $0["name"] as? String } == ["keystrokes.debounce(300 ms)"])
    let open = try CommandRun(["streams", trace, "--open", "--format", "ndjson"])
    #expect(try objects(open.output).map { $0["name"] as? String } == ["keystrokes", "queries"])
  }

  @Test("the age of an open observation is told as of the moment that was chosen")
  func ages() throws {
    var script = TraceScript()
    let keys = script.stream("keys")
    _ = script.subscribe(keys, at: 1)
    for time in 2...100 { script.value(keys, "\(time)", at: Double(time)) }
    let path = folder.file("keys.varve")
    try script.write(to: path, ending: .killed)
    for (until, age) in [
      (["--until", "+5ms"], " 4.00 ms"), (["--until", "10%"], " 9.00 ms"), ([], " 99.0 ms"),
    ] {
      let open = try CommandRun(["streams", path, "--open"] + until)
      #expect(open.output.contains(age), "\(until): \(open.output)")
    }
  }

  @Test("the timeline is drawn a hundred columns wide when nobody looks, without colours")
  func timeline() throws {
    let run = try CommandRun(["timeline", trace])
    #expect(run.status == 0)
    #expect(run.output.contains("    search                 ├────────────────⊘├─────42┤"))
    #expect(!run.output.contains("\u{1b}"))
    let widest = run.output.split(separator: "\n").map(\.count).max()
    #expect(widest == 100)
  }

  @Test("colours come when they are asked for, and ASCII where there is nothing else")
  func styles() throws {
    func draws(_ arguments: [String] = [], _ environment: [String: String] = [:]) throws -> String {
      try CommandRun(["timeline", trace] + arguments, environment: environment).output
    }
    #expect(try draws(["--color", "always"]).contains("\u{1b}[1;31m✗"))
    #expect(try draws([], ["FORCE_COLOR": "1"]).contains("\u{1b}["))
    #expect(try !draws([], ["FORCE_COLOR": "1", "NO_COLOR": "1"]).contains("\u{1b}["))
    #expect(try !draws(["--color", "never"], ["FORCE_COLOR": "1"]).contains("\u{1b}["))
    for ascii in [
      try draws(["--ascii"]), try draws([], ["LC_ALL": "C"]),
      try draws([], ["LC_ALL": "", "LANG": "en_US.ISO-8859-1"]),
    ] {
      #expect(ascii.utf8.allSatisfy { $0 < 0x80 })
      #expect(ascii.contains("^----------------!^----o42|"))
    }
    #expect(try draws(["--no-ascii"], ["LC_ALL": "C"]).contains("⊘"))
  }

  @Test("a replay at a pace takes as long as it says, and prints the same")
  func pace() throws {
    let begin = ContinuousClock.now
    let paced = try CommandRun(["replay", trace, "--speed", "20x"])
    #expect(begin.duration(to: .now) >= .milliseconds(8_599 / 20))
    #expect(paced.output == (try CommandRun(["replay", trace]).output))
  }

  @Test("what happened around an event is told by time and by number, of what is chosen")
  func around() throws {
    func events(_ arguments: String...) throws -> [String] { try events(arguments) }
    func events(_ arguments: [String]) throws -> [String] {
      let run = try CommandRun(["replay", trace, "--format", "ndjson"] + arguments)
      #expect(run.status == 0, "\(run.errors)")
      return try run.output.split(separator: "\n").map { line in
        let object = try JSONSerialization.jsonObject(with: Data(line.utf8))
        return try #require((object as? [String: Any])?["event"] as? String)
      }
    }
    let all = try events()
    let middle = all[20]
    #expect(try events("--around", "#\(middle)", "--context", "2") == Array(all[18...22]))
    #expect(try events("--around", "#\(middle)", "--context", "0") == [middle])
    #expect(try events("--around", "#\(all[1])", "--context", "5") == Array(all[...6]))
    #expect(try events("--around", "#\(middle)").count == 39)
    // Neighbours among the streams that are chosen.
    let queries = try events("-n", "queries", "-k", "value")
    let around = ["-n", "queries", "-k", "value", "--around", "#\(queries[2])", "--context"]
    #expect(try events(around + ["1"]) == Array(queries[1...3]))
    // They come at 0.68 s, 1.46 s, 7.33 s and 8.11 s.
    #expect(try events(around + ["800ms"]) == Array(queries[2...3]))
    #expect(try events(around + ["1ms"]) == [queries[2]])
    for wrong in [
      ["--context", "3"], ["--around", "#1.99999"], ["--around", "#1.1", "--since", "1s"],
    ] {
      #expect(try CommandRun(["replay", trace] + wrong).status == 2)
    }
  }

  @Test(
    "manual pages are what man reads, of the command and of each verb", arguments: ["", "replay"])
  func manual(verb: String) throws {
    let run = try CommandRun(["manual"] + (verb.isEmpty ? [] : [verb]))
    #expect(run.status == 0)
    #expect(run.output.hasPrefix(".TH \(verb.isEmpty ? "VARVE" : "VARVE\\-REPLAY") 1"))
    for section in ["NAME", "SYNOPSIS", "EXAMPLES", "EXIT STATUS", "ENVIRONMENT"] {
      #expect(run.output.contains(".SH \(section)\n"))
    }
    #expect(run.output.contains(".B 130\n"))
    if !verb.isEmpty { #expect(run.output.contains("\\-\\-since <time>")) }
    // The page of the command leads to the others, and these to it.
    #expect(run.output.hasSuffix(verb.isEmpty ? ".BR varve\\-config (1)\n" : ".BR varve (1)\n"))
    #expect(run.output.contains(".BR varve\\-replay (1),\n") == verb.isEmpty)
    #expect(try CommandRun(["manual", "repaly"]).errors.contains("did you mean \"replay\"?"))
  }

  @Test("at a terminal, a page of the manual is shown by man, or as text where there is none")
  func shownManual() throws {
    let bin = folder.file("bin")
    try FileManager.default.createDirectory(atPath: bin, withIntermediateDirectories: false)
    let environment = ["PATH": bin, "VARVE_PAGER": "cat"]
    let plain = try TerminalRun(["manual", "why"], columns: 60, environment: environment)
    #expect(plain.shows("NAME\r\n    varve-why - "))
    #expect(plain.shows("SEE ALSO\r\n    varve(1)\r\n"))
    #expect(plain.end() == 0)
    try "#!/bin/sh\necho $1; read line < $2; echo \"$line\"".write(
      toFile: bin + "/man", atomically: true, encoding: .utf8)
    chmod(bin + "/man", 0o755)
    let shown = try TerminalRun(["manual", "why"], environment: environment)
    #expect(shown.shows("-l\r\n.TH VARVE"))
    #expect(shown.end() == 0)
  }

  @Test(
    "help begins with examples",
    arguments: [[], ["--help"], ["help", "replay"], ["replay", "-h"]])
  func help(arguments: [String]) throws {
    let run = try CommandRun(arguments)
    #expect(run.status == 0)
    #expect(run.output.hasPrefix("EXAMPLES:\n  varve "))
    #expect(run.output.contains("USAGE: varve"))
  }
}
