import Foundation
import Testing
import VarveFormat
import VarveProbe
import VarveTraceScript

/// `varve FILE`: what is in a trace, what to look at, and what to type for what one sees.
@Suite("The first page")
struct FrontPageTests {
  private let folder = TemporaryFolder()
  private var trace: String { folder.file("shop.varve") }

  /// Pages that observe a theme one after the other, and never end that.
  private func leaking(ending: TraceEnding = .clean) throws {
    var script = TraceScript()
    let theme = script.stream("theme", line: 3)
    let opened = script.stream("opened", line: 4)
    for page in 0..<12 {
      script.value(opened, "\(page)", at: Double(page))
      script.record(
        .subscribed, of: theme, .stream(0), at: Double(page) + 0.5,
        subscription: 500 + UInt64(page), back: 1)
    }
    script.value(theme, "dark", at: 13)
    try script.write(to: trace, ending: ending)
  }

  /// A query, and results.
  private func healthy(ending: TraceEnding = .clean) throws {
    var script = TraceScript()
    let query = script.stream("query", line: 3)
    let shown = script.stream("shown results", "map(_:)", from: [query], line: 5)
    _ = script.subscribe(query, to: shown, at: 1)
    _ = script.subscribe(shown, at: 1.5)
    script.value(query, "tea", at: 2)
    script.value(shown, "3 teas", at: 2.1)
    try script.write(to: trace, ending: ending)
  }

  /// The page at a terminal, without what stands above the findings.
  private func page(_ arguments: [String] = [], columns: UInt16 = 80) throws -> String {
    let link = "/tmp/page-\(UUID().uuidString.prefix(4))"
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: trace)
    defer { try? FileManager.default.removeItem(atPath: link) }
    let run = try TerminalRun(
      [link, "--no-pager"] + arguments, columns: columns, environment: ["NO_COLOR": "1"])
    #expect(run.end() == 0)
    let text = run.output.replacingOccurrences(of: "\r\n", with: "\n")
      .replacingOccurrences(of: link, with: "/tmp/page.varve")
    let start = try #require(text.range(of: "what to look at"), "\(text)")
    return String(text[start.lowerBound...])
  }

  @Test("G1: names the finding, marks its line, and offers a command for each thing that one sees")
  func golden() throws {
    try leaking()
    let shown = try page()
    #expect(
      shown == """
        what to look at
          leak       theme (Shop.swift:3) has 12 observations that did not end while the
                     program ran, begun over 11.0 ms, the last one because of #1.23
                     opened "11"
                   ▸ Shop.swift:3  varve why /tmp/page.varve '#1.24'

        what do you see?
          wrong or old value  varve why /tmp/page.varve opened
          nothing             varve why-silent /tmp/page.varve opened
          it stopped          varve why-silent /tmp/page.varve opened
          too often           varve why /tmp/page.varve opened
          twice               varve why /tmp/page.varve opened
          too slow            varve latency /tmp/page.varve
          grows               varve streams /tmp/page.varve --open
          hangs               varve postmortem /tmp/page.varve
          died                varve postmortem /tmp/page.varve
          wrong thread        varve why /tmp/page.varve opened --last-hop
          something else      varve timeline /tmp/page.varve
          streams to ask about: opened, theme

        """)
  }

  @Test(
    "G5: marks nothing where nothing was found, and asks about the stream at the end of the flow")
  func nothing() throws {
    try healthy()
    let page = try page()
    #expect(
      page.hasPrefix(
        """
        what to look at
          nothing by itself: no leak, silence, storm, stale result or the like

        what do you see?
          wrong or old value  varve why /tmp/page.varve 'shown results'

        """), "\(page)")
    #expect(!page.contains("▸"))
    #expect(page.contains("streams to ask about: 'shown results', query\n"))
  }

  @Test("G5: of a trace without events, it says that nothing can be told")
  func empty() throws {
    try TraceScript().write(to: trace)
    #expect(try page().contains("nothing can be told: the trace has no events\n"))
  }

  @Test("G1: of a program that has tasks alone, it offers what is asked about tasks")
  func tasksAlone() throws {
    var script = TraceScript()
    script.record(.taskCreated, of: 0, at: 1, subscription: 2)
    try script.write(to: trace)
    let shown = try page()
    #expect(
      shown.hasSuffix(
        """
        what do you see?
          wrong or old value  varve tasks /tmp/page.varve --ended
          nothing             varve tasks /tmp/page.varve --ended
          it stopped          varve tasks /tmp/page.varve --ended
          too often           varve tasks /tmp/page.varve --ended
          twice               varve tasks /tmp/page.varve --ended
          too slow            varve latency /tmp/page.varve
          grows               varve tasks /tmp/page.varve --ended
          hangs               varve tasks /tmp/page.varve
          died                varve postmortem /tmp/page.varve
          wrong thread        varve tasks /tmp/page.varve --ended
          something else      varve timeline /tmp/page.varve

        """), "\(shown)")
  }

  @Test("names the postmortem first after a death")
  func deaths() throws {
    let deaths: [(TraceEnding, String)] = [
      (.crashed(signal: 4, ring: 1, programCounter: nil), "died "), (.killed, "hangs "),
      // The one who records learns by which signal a program was killed.
      (.crashed(signal: 9, ring: nil, programCounter: nil), "hangs "),
    ]
    for (ending, first) in deaths {
      try healthy(ending: ending)
      let page = try page()
      #expect(page.contains("what to look at\n  the program "), "\(page)")
      #expect(page.contains("what do you see?\n  \(first)"), "\(page)")
      #expect(page.contains("varve postmortem /tmp/page.varve\n"))
      try FileManager.default.removeItem(atPath: trace)
    }
  }

  @Test("has the findings that the flags choose")
  func chosenFindings() throws {
    try leaking()
    func kinds(_ flags: [String]) throws -> Int {
      let run = try CommandRun(["info", trace, "--findings", "--format", "ndjson"] + flags)
      return run.output.matches(of: /"kind":"leak"/).count
    }
    #expect(try kinds([]) == 1)
    #expect(try kinds(["-n", "theme"]) == 1)
    #expect(try kinds(["-k", "failed"]) == 0)
    #expect(try kinds(["--head", "0"]) == 0)
    let page = try CommandRun(["info", trace, "-n", "theme", "--until", "+3ms"]).output
    #expect(page.contains("chosen    3 events of 1 stream") && !page.contains("leak  "), "\(page)")
  }

  @Test("G1: of a part of a recording, nothing is told that the whole of it contradicts")
  func partOfRecording() throws {
    for isStarted in [true, false] {
      var script = TraceScript()
      let load = script.stream("load", "producer", line: 8, traits: .hasEffects)
      let other = script.stream("other")
      if isStarted {
        let edge = script.subscribe(load, at: 5)
        for time in 6...9 { script.value(load, "\(time)", at: Double(time), subscription: edge) }
        script.end(edge, of: load, .completed, at: 10)
      }
      for time in [1, 20, 100] { script.value(other, "v", at: Double(time)) }
      try script.write(to: trace)
      for flags in [[], ["--since", "+15ms"], ["--until", "+4ms"]] {
        for verb in ["info", "postmortem"] {
          let page = try CommandRun([verb, trace] + flags).output
          // Only of the one that never is started.
          #expect(page.contains("unstarted") == !isStarted, "\(verb) \(flags): \(page)")
        }
      }
      try FileManager.default.removeItem(atPath: trace)
    }
  }

  @Test("leaves places and events whole on the narrowest terminal")
  func narrow() throws {
    try leaking()
    let page = try page(columns: 40)
    #expect(page.contains("▸ Shop.swift:3\n"), "\(page)")
    #expect(page.contains("varve why /tmp/page.varve '#1.24'\n"))
    #expect(page.contains("of #1.23"))
  }

  @Test("reads the events of a long trace only if asked, and says what it left out")
  func long() throws {
    // Blocks of a hundred bytes stand for more events than are read without a request.
    try ConstantTrace.write(to: trace, blocks: 700, events: 16_384)
    let run = try CommandRun([trace])
    #expect(run.status == 0)
    #expect(
      run.output.contains(
        "were not looked for: to read all 11,468,800 events takes up to about 2"))
    #expect(run.output.contains("\n  varve info \(trace) --findings\n"), "\(run.output)")
  }

  @Test("as JSON, tells findings only if asked")
  func json() throws {
    try leaking()
    let plain = try CommandRun(["info", trace, "--format", "json"]).output
    #expect(plain.contains(#""findings": null"#))
    let asked = try CommandRun(["info", trace, "--findings", "--format", "json"]).output
    #expect(asked.contains(#""kind":"leak""#))
    #expect(asked.contains(#""place":"Shop/Shop.swift:3""#))
  }
}
