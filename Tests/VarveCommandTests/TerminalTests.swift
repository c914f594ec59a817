import Testing
import VarveFormat
import VarveMarbles
import VarveTraceScript

/// What the command does for somebody who sits at a terminal.
@Suite("At a terminal")
struct TerminalTests {
  private let folder = TemporaryFolder()
  private let trace: String

  init() throws {
    trace = folder.file("shop.varve")
    var script = TraceScript()
    let keys = script.stream("keys")
    for key in 0..<40 { script.value(keys, "key \(key)", at: Double(key)) }
    script.record(.failed, of: keys, .string("stuck"), at: 50)
    try script.write(to: trace)
  }

  @Test("--step goes forward and back, to failures, to what is searched for, and leaves by q")
  func step() throws {
    let run = try TerminalRun(["replay", trace, "--step"], rows: 10)
    #expect(run.shows("1/41 paused  . , step  q quit  ? keys  w why"))
    run.type(".")
    #expect(run.shows("2/41"))
    run.type(",")
    #expect(run.shows("1/41"))
    run.type(",")
    #expect(run.shows("this is the first event"))
    run.type("e")
    #expect(run.shows("41/41"))
    run.type("/KEY 7\r")
    #expect(run.shows("no \"KEY 7\" after this"))
    run.type("N")
    #expect(run.shows("8/41"))
    run.type("\u{1b}[A")
    #expect(run.shows("7/41"))
    run.type("q")
    #expect(run.shows("\u{1b}[?1049l"))
    #expect(run.end() == 0)
  }

  @Test("--step goes through a trace of many pieces, and finds what is far away")
  func manySteps() throws {
    var script = TraceScript()
    let keys = script.stream("keys")
    for key in 0..<5_000 { script.value(keys, "key \(key)", at: Double(key)) }
    script.record(.failed, of: keys, .string("stuck"), at: 5_000)
    script.value(keys, "after that", at: 5_001)
    try script.write(to: trace, blockEvents: 256)
    let run = try TerminalRun(["replay", trace, "--step"], rows: 10)
    #expect(run.shows("1/5002 paused"))
    run.type("G")
    #expect(run.shows("5002/5002"))
    run.type(",")
    #expect(run.shows("5001/5002"))
    run.type("g/key 3333\r")
    #expect(run.shows("66 % paused"))
    run.type("E")
    #expect(run.shows("no failure before this"))
    run.type("e")
    #expect(run.shows("stuck"))
    run.type("/key 17\r")
    #expect(run.shows("no \"key 17\" after this"))
    run.type("N")
    #expect(run.shows("35 % paused"))
    run.type("q")
    #expect(run.end() == 0)
  }

  @Test(
    "--step tells why an event happened, draws what was around it, and is redrawn at a new size")
  func questions() throws {
    let run = try TerminalRun(
      ["replay", trace, "--step"], rows: 10, environment: ["NO_COLOR": "1"])
    #expect(run.shows("1/41 paused"))
    run.type(".")
    #expect(run.shows("2/41"))
    run.type("w")
    #expect(run.shows("#1.2  keys \"key 1\""))
    #expect(run.shows("came from outside all streams"))
    #expect(run.shows("any other key goes back"))
    run.type("x")
    #expect(run.shows("2/41"))
    run.type("t")
    #expect(run.shows("around #1.2"))
    #expect(run.shows("any other key goes back"))
    run.type("x")
    #expect(run.shows("2/41"))
    run.type("s")
    #expect(run.shows("the stream of #1.2"))
    #expect(run.shows("keys"))
    #expect(run.shows("any other key goes back"))
    run.type("x")
    #expect(run.shows("2/41"))
    run.resize(rows: 5, columns: 40)
    #expect(run.shows("2/41"))
    run.type("q")
    #expect(run.end() == 0)
  }

  @Test("--step lays lines out for a terminal that became narrow, and stays at its event")
  func laidOutAnew() throws {
    var script = TraceScript()
    let keys = script.stream("keys", line: 1_000_012)
    _ = script.thread("the thread of all keys", ring: 2)
    for key in 0..<40 {
      script.value(keys, "the key \(key) of the keyboard", at: 10 * Double(key), ring: 2)
    }
    try script.write(to: trace)
    let run = try TerminalRun(
      ["replay", trace, "--step"], rows: 6, columns: 100, environment: ["NO_COLOR": "1"])
    #expect(run.shows("1/40 paused"))
    run.type(".")
    #expect(run.shows("#2.2  0.010000 s"))
    #expect(run.shows("2/40"))
    run.resize(rows: 6, columns: 60)
    // The place is whole, and a part of the value is there.
    #expect(run.shows("Shop.swift:1000012  \"the k"))
    #expect(run.shows("2/40"))
    run.type("?")
    #expect(run.shows("g G     go to the first and the last event"))
    run.type("x")
    #expect(run.shows("2/40"))
    run.type("q")
    #expect(run.end() == 0)
  }

  @Test("--step draws more events around one where nothing is to be seen")
  func nothingAround() throws {
    var script = TraceScript()
    let keys = script.stream("keys")
    for number in 0..<30 { script.record(.assembled, of: keys, at: Double(number)) }
    script.value(keys, "first", at: 50)
    try script.write(to: trace)
    let run = try TerminalRun(
      ["replay", trace, "--step"], rows: 10, environment: ["NO_COLOR": "1"])
    #expect(run.shows("1/31 paused"))
    run.type("t")
    #expect(run.shows("around #1.1, 200 events before and after it"))
    #expect(run.shows("first"))
    run.type("xq")
    #expect(run.end() == 0)
  }

  @Test("--step fits a terminal that became narrow, with every answer", arguments: ["1", ""])
  func narrowed(noColour: String) throws {
    var script = TraceScript()
    let keys = script.stream("keys", line: 12)
    let long = script.stream("keys.map(_:).filter(_:).observe(on: background)", from: [keys])
    for step in 1...40 {
      let time = Double(step)
      script.value(keys, String(repeating: "wide \u{4e16}\u{754c} ", count: 12), at: time)
      script.value(long, "a value of which the end does not fit", at: time + 0.5, back: 1)
    }
    let path = folder.file("wide.varve")
    try script.write(to: path)
    let run = try TerminalRun(
      ["replay", path, "--step"], rows: 12, columns: 120, environment: ["NO_COLOR": noColour])
    #expect(run.shows("1/80 paused"))
    run.type("G")
    #expect(run.shows("80/80 paused"))
    run.resize(rows: 12, columns: 60)
    func fits(_ end: String) throws {
      let screens = try #require(run.shown(before: end)).components(separatedBy: "\u{1b}[H")
      let last = try #require(screens.last)
      #expect(last.contains("keys") || last.contains("….observe(on: background)"))
      let lines = last.components(separatedBy: "\r\n").map {
        $0.replacing("\r", with: "").replacing(/\u{1b}\[[0-9;]*[A-Za-z]/, with: "")
      }
      for line in lines { #expect(DisplayWidth.of(line) <= 60, "\(line)") }
    }
    try fits("80/80 paused")
    for key in ["w", "t", "s"] {
      run.type(key)
      try fits("any other key goes back")
      run.type("x")
      try fits("80/80 paused")
    }
    run.type("q")
    #expect(run.end() == 0)
  }

  @Test("--step plays by itself, faster than it was where that is asked for")
  func play() throws {
    let run = try TerminalRun(["replay", trace, "--step", "--speed", "1000x"], rows: 10)
    #expect(run.shows("1/41 paused"))
    run.type(" ")
    #expect(run.shows("41/41 paused"))
    run.type("\u{3}")
    #expect(run.end() == 130)
  }

  @Test("--step without a terminal, or with what has no lines, is wrong usage")
  func noTerminal() throws {
    #expect(try CommandRun(["replay", trace, "--step"]).status == 2)
    #expect(try CommandRun(["replay", trace, "--step", "--format", "csv"]).status == 2)
  }

  @Test("what is more than a screen goes through a pager, and what fits does not")
  func pager() throws {
    let pager = ["VARVE_PAGER": "sed 's/^/paged: /'"]
    let long = try TerminalRun(["replay", trace], environment: pager)
    #expect(long.shows("paged: "))
    #expect(long.shows("stuck"))
    #expect(long.end() == 0)
    for arguments in [["replay", trace, "--head", "5"], ["replay", trace, "--no-pager"]] {
      let run = try TerminalRun(arguments, environment: pager)
      #expect(run.shows("key 4"))
      #expect(run.end() == 0)
      #expect(!run.output.contains("paged: "))
    }
    let none = try TerminalRun(["replay", trace], environment: ["PAGER": ""])
    #expect(none.shows("stuck") && none.end() == 0)
  }

  @Test("a pager that has seen enough ends the command without a word")
  func pagerThatLeaves() throws {
    let run = try TerminalRun(
      ["replay", trace], rows: 5, environment: ["VARVE_PAGER": "head -n 1"])
    #expect(run.shows("key 0"))
    #expect(run.end() == 0)
    #expect(!run.output.contains("varve:"))
  }

  @Test("what is said of a wrong option fits into a narrow terminal", arguments: ["run", "export"])
  func narrowUsage(verb: String) throws {
    let run = try TerminalRun([verb, "--nosuch"], columns: 60)
    #expect(run.end() == 2)
    let lines = run.output.split(whereSeparator: \.isNewline)
    #expect(lines.count > 2 && lines.allSatisfy { $0.count <= 60 }, "\(lines)")
  }

  @Test("lines fit into a narrow terminal, and NO_COLOR leaves no escape sequences")
  func narrow() throws {
    let run = try TerminalRun(
      ["replay", trace, "--head", "3"], columns: 50, environment: ["NO_COLOR": "1"])
    #expect(run.end() == 0)
    let lines = run.output.split(whereSeparator: \.isNewline)
    #expect(lines.count == 3)
    #expect(lines.allSatisfy { $0.count <= 50 && !$0.contains("\u{1b}") }, "\(lines)")
  }
}
