import Foundation
import Testing
import VarveFormat
import VarveMarbles
import VarveProbe
import VarveTraceScript

/// What each verb shows in terminals of four widths, compared with golden files.
///
/// `VARVE_RENEW_GOLDEN=yes Tools/test --filter NarrowTerminalTests` writes the files anew. Read what
/// changed before it is committed.
@Suite("At terminals of four widths")
struct NarrowTerminalTests {
  private let folder = TemporaryFolder()

  /// Each verb, and what of its output the next command needs.
  private static let verbs: [(name: String, arguments: [String], needed: [String])] = [
    ("replay", ["replay", "shop.varve"], ["#2.1", "network", "Shop.swift:31"]),
    (
      "replay-fields", ["replay", "--fields", "+scheduler,+cause,+operator", "shop.varve"],
      ["#2.1", "network", "Shop.swift:31", "…(sea"]
    ),
    ("streams", ["streams", "shop.varve"], ["Shop.swift:31"]),
    ("streams-tree", ["streams", "--tree", "shop.varve"], ["Shop.swift:31"]),
    ("streams-open", ["streams", "--open", "shop.varve"], ["#1.1", "main", "Shop.swift:12"]),
    ("info", ["info", "shop.varve"], []),
    ("info-path", ["info", "path.varve", "-n", "search"], ["why-silent", "offers"]),
    ("info-threads", ["info", "--threads", "shop.varve"], ["network", "#2.7"]),
    ("timeline", ["timeline", "shop.varve"], ["#2.2", "network", "Shop.swift:31"]),
    ("why", ["why", "shop.varve", "results"], ["#1.7", "main", "Shop.swift:31"]),
    ("why-hop", ["why", "shop.varve", "2.5"], ["#1.5", "network", "Shop.swift:52"]),
    ("why-silent", ["why-silent", "shop.varve", "offers"], ["Shop.swift:44"]),
    ("latency", ["latency", "shop.varve"], ["#2.2", "network"]),
    ("backtrace", ["backtrace", "shop.varve"], ["#2.7", "network"]),
    ("postmortem", ["postmortem", "shop.varve"], ["#2.7", "network", "Shop.swift:31"]),
    ("diff", ["diff", "shop.varve", "other.varve"], ["#1.4", "main", "Shop.swift:14"]),
    ("verify", ["verify", "shop.varve"], []),
    (
      "replay-merged", ["replay", "shop.varve", "other.varve"],
      ["#1:2.1", "network", "Shop.swift:31"]
    ),
    (
      "backtrace-merged", ["backtrace", "long.varve", "other.varve"],
      ["#1:2.7", "#2:2.7", "network", "running"]
    ),
    (
      "streams-open-merged", ["streams", "--open", "other.varve", "long.varve"],
      ["#2:1.1", "main", "Shop.swift:12"]
    ),
    (
      "diff-merged", ["diff", "both.varve", "shop.varve"],
      ["#2:1.4", "Shop.swift:14", "network", "Shop.swift:31"]
    ),
    ("export", ["export", "--format", "folded", "shop.varve"], []),
    ("export-csv", ["export", "--format", "csv", "shop.varve", "-n", "results"], ["1.7"]),
    (
      "query", ["query", "shop.varve", "SELECT * FROM events WHERE kind = 'value'"],
      ["1.4", "network", "Shop.swift:14", "oolong"]
    ),
    (
      "query-counts",
      ["query", "shop.varve", "SELECT * FROM stream_counts ORDER BY deliveries DESC"],
      ["keystrokes", "Shop.swift:31", "deliv"]
    ),
    ("query-schema", ["query", "--schema", "shop.varve"], []),
    ("merge", ["merge", "shop.varve", "other.varve", "-o", "new.varve", "--force"], []),
    ("repair", ["repair", "shop.varve", "-o", "new.varve", "--force"], []),
    ("scrub", ["scrub", "shop.varve", "-o", "new.varve", "--force"], []),
    ("symbolicate", ["symbolicate", "shop.varve", "-o", "new.varve", "--force"], []),
    ("tasks", ["tasks", "tasks.varve"], ["task 2", "Shop.swift:52"]),
    ("config", ["config"], []),
  ]

  /// Verbs whose lines are whole: the terminal itself breaks them.
  private static let whole: Set = ["export", "export-csv"]

  init() throws {
    try Self.shop("tea").write(to: folder.file("shop.varve"))
    var other = Self.shop("teapot")
    (other.process.program, other.id) = ("/usr/bin/till", TraceID(low: 3, high: 4))
    try other.write(to: folder.file("other.varve"))
    var path = Self.shop("tea")
    path.process.program =
      "/usr/libexec/programs-of-many-people/a-shop-of-teas/.build/x86_64-unknown-linux-gnu/Shop"
    try path.write(to: folder.file("path.varve"))
    try Self.tasks().write(to: folder.file("tasks.varve"))
    var long = Self.shop("coffee")
    long.process.program = "/usr/bin/ShopWithQuiteALongName"
    long.id = TraceID(low: 5, high: 6)
    try long.write(to: folder.file("long.varve"))
    let merge = try CommandRun(
      ["merge", folder.file("shop.varve"), folder.file("long.varve")]
        + ["-o", folder.file("both.varve")])
    try #require(merge.status == 0, "\(merge.errors)")
  }

  /// A task that waits for a search, which waits for a continuation.
  private static func tasks() -> TraceScript {
    var script = TraceScript()
    let executor = script.scheduler("global executor")
    script.stack(7, [0x51])
    script.code(0x51, "closure #1 in Shop.search(for:in:limit:)", line: 52)
    script.stack(8, [0x52])
    script.code(0x52, "static ShopCommand.start(_:interface:background:)", line: 60)
    script.taskTemplate(1, stack: 8)
    script.taskTemplate(2, name: "search of the whole index", stack: 8)
    for (task, awaited, number) in [(UInt64(1), TaskAwait.task, UInt64(2)), (2, .continuation, 0)] {
      let made = TaskCreationPayload(template: UInt32(task), creator: task - 1)
      let time = Double(task) * 10
      script.record(.taskCreated, of: 0, .made(made), at: time, subscription: task)
      script.record(
        .hopScheduled, of: executor, .cause(HopPayload(stack: 8, parent: 0)), at: time + 1,
        subscription: task)
      let run = TaskRunPayload(task: task, priority: 25)
      script.record(.hopBegan, of: executor, .task(run), at: time + 2, subscription: task)
      let end = TaskAwaitPayload(awaited: awaited.rawValue, number: number, stack: 7)
      script.record(.hopEnded, of: executor, .awaited(end), at: time + 3, subscription: task)
    }
    return script
  }

  /// A search field whose queries are answered on another thread.
  private static func shop(_ query: String) -> TraceScript {
    var script = TraceScript()
    let queue = script.scheduler("QueueScheduler(search index)")
    let network = script.thread("network", ring: 2)
    script.stack(7, [0x51, 0x52])
    script.code(0x51, "closure #1 in Shop.search(for:in:limit:)", line: 52)
    script.code(0x52, "static ShopCommand.start(_:interface:background:)", line: 60)
    let keys = script.stream("keystrokes", line: 12)
    let waiting = "keystrokes.debounce(150ms, on: QueueScheduler.main)"
    let debounced = script.stream(waiting, "debounce", from: [keys], derived: true)
    let queries = script.stream("query", "named(_:)", from: [debounced], line: 14)
    let search = script.stream("search", "SignalProducer", line: 31)
    let moved = script.stream(
      "query.flatMap(.latest, _:).observe(on: QueueScheduler.main)", "observe(on:)",
      from: [queries, search], derived: true, line: 31)
    let results = script.stream("results", "named(_:)", from: [moved], line: 31)
    let offers = script.stream("offers", "filter(_:)", from: [results], line: 44)
    _ = script.subscribe(keys, to: debounced, at: 1)
    _ = script.subscribe(results, to: offers, at: 2)
    script.value(keys, query, at: 100)
    script.value(queries, "a query of \(query) that is too long for a line", at: 260, back: 1)
    let given = script.record(
      .hopScheduled, of: queue, .cause(HopPayload(stack: 7, parent: 0)), at: 261, subscription: 9,
      back: 1)
    script.record(.hopBegan, of: queue, at: 300, ring: network, subscription: 9, causes: [given])
    for (index, part) in ["black", "green", "white"].enumerated() {
      let time = 310 + Double(index) * 5
      script.value(search, part, at: time, ring: network, back: UInt32(index) + 1)
    }
    let found = script.value(
      search, "oolong, the last of the teas", at: 330, ring: network, back: 4)
    script.record(.completed, of: search, at: 331, ring: network, back: 5)
    script.record(.hopEnded, of: queue, at: 340, ring: network, subscription: 9)
    script.record(.value, of: moved, .string("oolong"), at: 350, causes: [found])
    script.record(.value, of: results, .string("oolong"), at: 350.1, back: 1)
    script.record(.absorbed, of: offers, .reason(1), at: 350.2, back: 1)
    return script
  }

  private func shown(_ arguments: [String], columns: UInt16) throws -> String {
    let run = try TerminalRun(
      arguments, rows: 24, columns: columns,
      environment: ["NO_COLOR": "1", "PAGER": "", "VARVE_CONFIG": ""], folder: folder.file(""))
    _ = run.end()
    // On a busy machine, the progress of reading is shown for a moment.
    return run.output.replacing("\r\n", with: "\n")
      .replacing(/\r\x{1b}\[K(\w+: \d+ %([^\r\n]* left)?)?/, with: "")
  }

  @Test("each verb shows what its golden file has", arguments: verbs.indices)
  func golden(index: Int) throws {
    let verb = Self.verbs[index]
    let outputs = try [60, 80, 120, 200].map { columns in
      "# \(columns) columns\n\n" + (try shown(verb.arguments, columns: UInt16(columns)))
    }
    let text = outputs.joined(separator: "\n")
    let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("Golden/\(verb.name).txt")
    if ProcessInfo.processInfo.environment["VARVE_RENEW_GOLDEN"] != nil {
      try text.write(to: file, atomically: true, encoding: .utf8)
    }
    #expect(try text == String(contentsOf: file, encoding: .utf8))
  }

  private func expectFitting(_ text: String, _ columns: Int) {
    for line in text.split(separator: "\n") {
      #expect(DisplayWidth.of(String(line)) <= columns, "at \(columns): \(line)")
    }
  }

  @Test("at 80 columns lines fit, and show what the next command needs", arguments: verbs.indices)
  func fits(index: Int) throws {
    let verb = Self.verbs[index]
    let text = try shown(verb.arguments, columns: 80)
    if !Self.whole.contains(verb.name) { expectFitting(text, 80) }
    for part in verb.needed { #expect(text.contains(part), "\(part) in\n\(text)") }
  }

  /// The verbs of which no column with events or places may go.
  private static let keeping = [
    ["replay", "shop.varve"], ["replay", "--fields", "+scheduler,+cause,+operator", "shop.varve"],
    ["replay", "shop.varve", "long.varve"], ["streams", "--tree", "shop.varve"],
    ["info", "--threads", "shop.varve"], ["why", "shop.varve", "2.5"],
    ["why", "shop.varve", "results"], ["why-silent", "path.varve", "offers"],
    ["latency", "shop.varve"], ["backtrace", "long.varve"], ["postmortem", "path.varve"],
    ["postmortem", "both.varve"], ["diff", "shop.varve", "other.varve"],
    ["diff", "both.varve", "shop.varve"], ["streams", "--open", "shop.varve"],
    ["streams", "--open", "long.varve"],
    ["query", "shop.varve", "SELECT * FROM cause_steps WHERE cause_place IS NOT NULL"],
  ]

  @Test("at each width lines fit, and have every event and place of a wide one", arguments: keeping)
  func keeps(arguments: [String]) throws {
    let named = /#[0-9:]*[0-9]+\.[0-9]+|[A-Za-z]+\.swift:[0-9]+/
    func parts(_ text: String) -> Set<String> { Set(text.matches(of: named).map { String($0.0) }) }
    let wide = parts(try shown(arguments, columns: 1_000))
    #expect(!wide.isEmpty)
    for columns in [60, 80, 120, 200] {
      let text = try shown(arguments, columns: UInt16(columns))
      expectFitting(text, columns)
      let missing = wide.subtracting(parts(text))
      #expect(missing.isEmpty, "at \(columns): \(missing.sorted()) in\n\(text)")
    }
  }

  @Test("mistakes, help and lists of columns fit, and the caret stays under the mistake")
  func messages() throws {
    let condition = #"name ~ "a text that is long and goes on" && value > 3 && kind == "valeu""#
    for columns in [60, 80] {
      for arguments in [
        ["help"], ["help", "replay"], ["query", "--schema", "shop.varve"],
        ["info", "/nowhere/" + String(repeating: "x", count: 100)],
      ] {
        expectFitting(try shown(arguments, columns: UInt16(columns)), columns)
      }
      let mistaken = ["replay", "shop.varve", "--where", condition]
      let lines = try shown(mistaken, columns: UInt16(columns)).split(separator: "\n")
      let caret = try #require(lines.firstIndex { $0.contains("^") })
      let before = lines[caret].prefix { $0 != "^" }.count
      #expect(lines[caret - 1].dropFirst(before).hasPrefix("\"valeu\""), "\(lines)")
      expectFitting(lines.joined(separator: "\n"), columns)
    }
  }

  @Test("in terminals that are narrower still, values yield, and causes and threads stand below")
  func narrower() throws {
    let replayed = try shown(["replay", "shop.varve"], columns: 44)
    #expect(replayed.contains("Shop.swift:31") && replayed.contains("#2.1"))
    let open = try shown(["streams", "--open", "other.varve", "long.varve"], columns: 44)
    #expect(open.contains("\n    #2:1.1 on …[4711] main\n"), "\(open)")
    #expect(!open.contains("SUBSCRIBED") && open.contains("Shop.swift:12"))
    for line in (replayed + open).split(separator: "\n") {
      #expect(DisplayWidth.of(String(line)) <= 44, "\(line)")
    }
  }

  @Test("what fits the screen keeps events and places, though a pager would show the rest")
  func unpaged() throws {
    for (arguments, needed) in [
      (["why", "both.varve", "#1:2.5"], ["by #1:1.5", "Shop.swift:31"]),
      (["diff", "both.varve", "shop.varve"], ["#2:2.2", "network  Shop.swift:31"]),
    ] {
      let run = try TerminalRun(
        arguments, rows: 60, columns: 60,
        environment: ["NO_COLOR": "1", "VARVE_PAGER": "cat -n"], folder: folder.file(""))
      _ = run.end()
      expectFitting(run.output.replacing("\r\n", with: "\n"), 60)
      for part in needed { #expect(run.output.contains(part), "\(run.output)") }
    }
  }

  @Test("columns that a question names are all shown, below each other where there is no room")
  func expanded() throws {
    let named = """
      SELECT event, time_ns, thread, name, kind, value, value_type, place, operator, stream, cause
      FROM events WHERE kind = 'value' AND stream > 4
      """
    let narrow = try shown(["query", "shop.varve", named], columns: 60)
    expectFitting(narrow, 60)
    #expect(!narrow.contains("no room"))
    let blocks = narrow.components(separatedBy: "\n\n")
    #expect(blocks.count == 2 && blocks[0].hasPrefix("row 1\n  event       1.6\n"), "\(narrow)")
    for line in [
      "time_ns     350000000", "kind        value", "value_type  string", "cause       2.5",
    ] {
      #expect(blocks[0].contains("\n  \(line)\n") || blocks[0].hasSuffix("\n  \(line)"), "\(line)")
    }
    // With room, and where columns are not named, it is a table.
    #expect(try shown(["query", "shop.varve", named], columns: 200).hasPrefix("event"))
    let all = try shown(["query", "shop.varve", "SELECT * FROM events"], columns: 60)
    #expect(all.contains("no room") && !all.contains("row 1"))
    let counted = "SELECT count(*), event, kind, name, value, place, thread, cause FROM events"
    #expect(try shown(["query", "shop.varve", counted], columns: 60).hasPrefix("row 1\n"))
  }

  @Test("in a pager lines are whole, and columns are chosen as without one")
  func pager() throws {
    let run = try TerminalRun(
      ["replay", "shop.varve"], rows: 5, columns: 80,
      environment: ["NO_COLOR": "1", "VARVE_PAGER": "cat -n"], folder: folder.file(""))
    _ = run.end()
    let line = run.output.split(separator: "\r\n").first { $0.contains("too long") }
    #expect(
      line?.hasSuffix("a query of tea that is too long for a line\"") == true, "\(run.output)")
    #expect(line?.contains("Shop.swift:14") == true)
  }
}
