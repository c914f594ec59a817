import Foundation
import Testing
import VarveFormat
import VarveProbe
import VarveTraceScript

@Suite("varve query and databases of SQLite")
struct QueryTests {
  private let folder = TemporaryFolder()
  private let trace: String

  init() throws {
    trace = folder.file("shop.varve")
    try Self.script().write(to: trace, blockEvents: 8)
  }

  /// Two threads, every kind of value, work that ran, waited and never ran, an observation that
  /// stays open, a join, a cut value and a loss.
  private static func script() -> TraceScript {
    var script = TraceScript()
    let keys = script.stream("keys", type: "String", line: 12)
    let hits = script.stream("hits [all]", from: [keys], line: 31)
    let quiet = script.stream("quiet")
    let queue = script.scheduler("queue")
    let worker = script.thread("worker", ring: 2)
    let edge = script.subscribe(keys, to: hits, at: 0.5)
    let forever = script.subscribe(quiet, to: hits, at: 0.6)
    var last = script.value(keys, "v", at: 1)
    for step in 0..<20 {
      let time = 2 + Double(step)
      let given = script.record(
        .hopScheduled, of: queue, at: time, subscription: UInt64(100 + step), back: 1)
      guard step < 18 else { continue }
      script.record(
        .hopBegan, of: queue, at: time + 0.2, ring: worker, subscription: UInt64(100 + step),
        causes: [given])
      script.record(
        .value, of: hits, .integer(Int64(step) - 5), at: time + 0.3, ring: worker,
        subscription: edge, back: 1, causes: [last])
      script.record(
        .hopEnded, of: queue, at: time + 0.4 + Double(step) / 100, ring: worker,
        subscription: UInt64(100 + step))
      last = script.value(keys, "key '\(step)' \u{e9}\u{1b}", at: time + 0.9)
    }
    script.record(.value, of: hits, .unsigned(.max), at: 30)
    script.record(.value, of: hits, .real(0.25), at: 31)
    script.record(.value, of: hits, .bytes([0, 255]), at: 32)
    script.record(.value, of: keys, .string("lon", originally: 300), at: 33)
    script.record(.failed, of: hits, .string("timeout"), at: 34, back: 1)
    script.end(edge, of: keys, .completed, at: 35, ring: worker)
    script.lose(7, from: 36, to: 37)
    _ = forever
    return script
  }

  private func rows(_ question: String, _ path: String? = nil) throws -> NSArray {
    let run = try CommandRun(["query", path ?? trace, question, "--format", "json"])
    #expect([0, 1].contains(run.status), "\(question): \(run.errors)")
    let rows = try JSONSerialization.jsonObject(with: Data(run.output.utf8))
    return try #require(rows as? NSArray)
  }

  /// Asks the same of a database, with another program's library.
  private func stored(_ questions: [String], _ path: String? = nil) throws -> [NSArray] {
    let database = folder.file("asked.db")
    let export = try CommandRun(
      ["export", path ?? trace, "--format", "sqlite", "-o", database, "--force"])
    #expect(
      export.status == 0 && export.errors.filter { $0 == "\n" }.count <= 1, "\(export.errors)")
    let program = """
      import json, sqlite3, sys
      db = sqlite3.connect(sys.argv[1])
      assert db.execute("pragma integrity_check").fetchall() == [("ok",)]
      db.row_factory = sqlite3.Row
      def cell(value):
          return value.hex() if isinstance(value, bytes) else value
      print(json.dumps([[{key: cell(row[key]) for key in row.keys()} for row in db.execute(text)]
                        for text in sys.argv[2:]]))
      """
    let run = try CommandRun(
      ["python3", "-c", program, database] + questions, program: "/usr/bin/env")
    let answers = try JSONSerialization.jsonObject(with: Data(run.output.utf8))
    return try #require(answers as? [NSArray], "\(run.errors)")
  }

  /// In large blocks, several rows are added at once, whose cells differ.
  @Test("every table and view has the same rows in a query as in a database", arguments: [8, 4096])
  func alike(blockEvents: Int) throws {
    let trace = folder.file("\(blockEvents).varve")
    try Self.script().write(to: trace, blockEvents: blockEvents)
    let run = try CommandRun(["query", trace, "--schema", "--format", "json"])
    let schema =
      try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [[String: String]]
    let entries = try #require(schema)
    #expect(entries.count > 15)
    let questions = entries.map { entry in
      let columns = entry["columns"]?.split(separator: " ").joined(separator: ", ") ?? ""
      return "SELECT \(columns) FROM \(entry["name"] ?? "") ORDER BY \(columns)"
    }
    for (question, expected) in zip(questions, try stored(questions, trace)) {
      #expect(try rows(question, trace) == expected, "\(question)")
    }
  }

  /// Conditions that choose which blocks are read, and some that must not.
  private static let conditions = [
    "kind = 'value'", "kind IN ('failed', 'hopBegan')", "kind = 'nosuch'", "kind <> 'value'",
    "kind = 'VALUE' COLLATE NOCASE", "name = 'keys'", "name GLOB 'hits [[]*'", "name LIKE 'KE%'",
    "name = 'KEYS' COLLATE NOCASE", "name IS NULL", "name = 'keys' AND name = 'hits [all]'",
    "place GLOB '*:31'", "operator = 'pipe'", "stream = 2", "stream = 99", "stream = 1.5",
    "time_ns >= 5000000 AND time_ns < 9300000", "time_ns = 2300000", "time_ns > 1e99",
    "time_ns < -5", "time_ns < 'text'", "time_ns = NULL", "thread = 'worker'",
    "thread LIKE 'W%'", "thread = 'nobody'", "scheduler = 'queue'", "scheduler IS NOT NULL",
    "subscription = 103", "event = '2.4'", "event = '#2.4'", "event = 'x'",
    "event IN ('1.1', '2.2')",
    "id = (2 << 40) | 3", "id = 1", "value > 3", "truncated", "cause = '1.3'",
    "reason = 'completed'",
    "kind = 'value' AND thread = 'worker' AND time_ns > 9000000 AND name GLOB 'h*'",
  ]

  @Test("a condition gives the same rows whether it is handed down or tested")
  func handedDown() throws {
    let questions = Self.conditions.map { "SELECT * FROM events WHERE \($0) ORDER BY id" }
    for (question, expected) in zip(questions, try stored(questions)) {
      #expect(try rows(question) == expected, "\(question)")
    }
    #expect(try rows("SELECT event FROM events WHERE kind = 'failed'").count == 1)
  }

  @Test("events come in the order of time, and a condition on it reads only some blocks")
  func order() throws {
    let times = try rows("SELECT time_ns FROM events ORDER BY time_ns")
    let unordered = try rows("SELECT time_ns FROM events")
    #expect(times == unordered && times.count > 70)
  }

  @Test("the views answer what was open, slow, lost and silent, and what led to an event")
  func answers() throws {
    let open = try rows("SELECT name, observer, place FROM open_observations")
    #expect(open == [["name": "quiet", "observer": "hits [all]", "place": NSNull()]])
    let slowest = try rows("SELECT work, ran_ns FROM slowest_work LIMIT 1")
    #expect(slowest == [["work": 117, "ran_ns": 370_000]])
    #expect(try rows("SELECT work FROM unfinished_work") == [["work": 118], ["work": 119]])
    #expect(
      try rows("SELECT thread, count, reason FROM losses")
        == [["thread": "main", "count": 7, "reason": "noRoom"]])
    let counts = "SELECT deliveries, open, per_second FROM stream_counts WHERE name = 'quiet'"
    #expect(try rows(counts) == [["deliveries": 0, "open": 1, "per_second": NSNull()]])
    let gap = "SELECT gap_ns FROM gaps WHERE name = 'hits [all]' ORDER BY gap_ns DESC LIMIT 1"
    #expect(try rows(gap) == [["gap_ns": 10_700_000]])
    let led = try rows("SELECT cause_name, cause_kind FROM cause_steps WHERE event = '2.2'")
    #expect(led.count == 2, "\(led)")
    let cut = "SELECT value, value_bytes FROM events WHERE truncated"
    #expect(try rows(cut) == [["value": "lon", "value_bytes": 300]])
    let chain = """
      WITH RECURSIVE why(id) AS (SELECT id FROM events WHERE event = '2.5' UNION \
      SELECT cause_id FROM causes JOIN why USING (id)) SELECT count(*) AS n FROM why
      """
    // The result, the work that it ran in, what gave that work, and the key that both follow from.
    #expect(try rows(chain) == [["n": 4]])
  }

  @Test("a mistake in SQL has a caret under it and a hint, and status 2")
  func mistakes() throws {
    let run = try CommandRun(["query", trace, "SELECT 1; SELECT nme FROM events"])
    #expect(run.status == 2)
    // The first line warns of the loss. What was answered before the mistake is shown.
    let lines = Array(run.errors.split(separator: "\n").dropFirst())
    #expect(run.output == "1\n1\n")
    #expect(lines.count == 3 && lines[0].hasPrefix("varve: no such column: nme; --schema"))
    let caret = try #require(lines[2].firstIndex(of: "^"))
    let column = lines[2].distance(from: lines[2].startIndex, to: caret)
    #expect(lines[1].dropFirst(column).hasPrefix("nme"))
    let change = try CommandRun(["query", trace, "DELETE FROM streams"])
    #expect(change.status == 2 && change.errors.contains("a query changes nothing"))
    #expect(try CommandRun(["query", trace]).errors.contains("--schema lists"))
    let none = try CommandRun(["query", trace, "SELECT * FROM events WHERE event = '9.9'"])
    #expect(none.status == 1 && none.errors.contains("the answer has no rows"))
  }

  @Test("answers come as a table, NDJSON, JSON or CSV, and none drives a terminal")
  func forms() throws {
    let question = "SELECT event, value FROM events WHERE name = 'keys' AND kind = 'value' LIMIT 2"
    func answer(_ form: String) throws -> String {
      try CommandRun(["query", trace, question, "--format", form]).output
    }
    #expect(try answer("text") == "event  value\n1.3    v\n1.5    key '0' \u{e9}\\u{1b}\n")
    let line = "{\"event\":\"1.3\",\"value\":\"v\"}\n"
    #expect(try answer("ndjson").hasPrefix(line))
    #expect(try answer("csv") == "event,value\r\n1.3,v\r\n1.5,\"key '0' \u{e9}\\u{1b}\"\r\n")
    let narrow = try CommandRun(
      ["query", trace, "SELECT event, name, place FROM events LIMIT 3"],
      environment: ["COLUMNS": "40"])
    #expect(narrow.status == 0)
  }

  @Test("a question makes no file, whatever it says")
  func changesNothing() throws {
    for statement in ["ATTACH DATABASE ? AS other", "VACUUM INTO ?"] {
      let file = folder.file("made.db")
      let run = try CommandRun([
        "query", trace, statement.replacingOccurrences(of: "?", with: "'\(file)'"),
      ])
      #expect(run.status == 2 && run.errors.contains("a query changes nothing"), "\(run.errors)")
      #expect(!FileManager.default.fileExists(atPath: file))
    }
  }

  @Test("F6: a damaged block is passed over, told once, a row in damage, and status 4")
  func damage() throws {
    let flipped = folder.file("flipped.varve")
    let block = try TraceReader(path: trace).blocks[3]
    var bytes = try Data(contentsOf: URL(fileURLWithPath: trace))
    bytes[Int(try #require(block.offset) + block.storedBytes) - 1] ^= 0x55
    try bytes.write(to: URL(fileURLWithPath: flipped))
    let run = try CommandRun([
      "query", flipped, "SELECT name FROM events JOIN streams USING (name)",
    ])
    #expect(run.status == 4)
    #expect(run.errors.components(separatedBy: "damaged at byte").count == 2, "\(run.errors)")
    let database = folder.file("flipped.db")
    let export = try CommandRun(["export", flipped, "--format", "sqlite", "-o", database])
    #expect(export.status == 4)
    let count = try CommandRun(
      [
        "python3", "-c",
        "import sqlite3, sys; print(sqlite3.connect(sys.argv[1]).execute('select count(*) from damage').fetchone()[0])",
        database,
      ], program: "/usr/bin/env")
    #expect(count.output == "1\n", "\(count.errors)")
  }

  @Test("a database needs a file, and leaves one that is there alone")
  func target() throws {
    let nowhere = try CommandRun(["export", trace, "--format", "sqlite"])
    #expect(nowhere.status == 2 && nowhere.errors.contains("-o shop.db"))
    let file = folder.file("there.db")
    try Data("mine".utf8).write(to: URL(fileURLWithPath: file))
    let run = try CommandRun(["export", trace, "--format", "sqlite", "-o", file])
    #expect(run.status == 2)
    #expect(try Data(contentsOf: URL(fileURLWithPath: file)) == Data("mine".utf8))
    let left = try FileManager.default.contentsOfDirectory(atPath: folder.file(""))
    #expect(left.sorted() == ["shop.varve", "there.db"])
  }

  // MARK: - Flags

  private func number(_ question: String, _ flags: [String]) throws -> String {
    let run = try CommandRun(["query", trace, question, "--format", "csv"] + flags)
    #expect(run.status == 0, "\(question): \(run.errors)")
    return String(run.output.split(whereSeparator: \.isNewline).last ?? "")
  }

  @Test("the flags that select events select those that are asked about, in every table")
  func flags() throws {
    let all = "SELECT count(*) FROM events"
    let values = "SELECT count(*) FROM events WHERE kind = 'value'"
    #expect(try number(values, ["-n", "keys"]) == "20")
    #expect(try number(values, ["-x", "keys"]) == "21")
    #expect(try number(all, ["-k", "failed"]) == "1")
    #expect(try number(values, ["-k", "failed,subscribed"]) == "0")
    #expect(try number(all, ["--where", "value == 0.25"]) == "1")
    #expect(try number(all, ["--since", "30ms", "-n", "hits*"]) == "4")
    #expect(
      try number("SELECT count(*) FROM events WHERE time_ns >= 32000000", ["--since", "30ms"])
        == number("SELECT count(*) FROM events WHERE time_ns >= 32000000", []))
    #expect(try number("SELECT count(*) FROM events WHERE name = 'keys'", ["-n", "hits*"]) == "0")
    #expect(try number("SELECT sum(count) FROM kind_counts", ["-n", "quiet"]) == "1")
    #expect(
      try number("SELECT deliveries FROM stream_counts WHERE name = 'keys'", ["-n", "hits*"])
        == "0")
    #expect(try number("SELECT count(*) FROM events WHERE event = '1.1'", ["-n", "keys"]) == "1")
    #expect(try number("SELECT count(*) FROM events WHERE event = '1.1'", ["-x", "keys"]) == "0")
    let causes = "SELECT count(*) FROM causes c JOIN events e ON e.id = c.id"
    #expect(
      try number("SELECT count(*) FROM causes", ["-n", "hits*"]) == number(causes, ["-n", "hits*"]))
    // What led to a chosen event is told, also where the flags leave it out.
    let steps = "SELECT count(*) FROM cause_steps WHERE name GLOB 'hits*' AND cause_name = 'keys'"
    #expect(try number(steps, ["-n", "hits*"]) == number(steps, []))
    #expect(try number(steps, ["-n", "hits*"]) == "19")
    #expect(try number("SELECT count(*) FROM all_events", ["-n", "hits*"]) == number(all, []))
    let chain = """
      WITH RECURSIVE why(id) AS (SELECT id FROM events WHERE event = '2.5' UNION \
      SELECT cause_id FROM all_causes JOIN why USING (id)) \
      SELECT count(*) FROM why JOIN all_events USING (id)
      """
    #expect(try number(chain, ["-n", "hits*"]) == "4")
    let strange = try CommandRun(["query", trace, all, "-n", "queit"])
    #expect(strange.errors.contains("nearest: \"quiet\""))
  }

  @Test("--head and --tail choose rows of the answer")
  func rowsOfAnAnswer() throws {
    let question = "SELECT event FROM events WHERE kind = 'value'"
    let all = try CommandRun(["query", trace, question, "--format", "ndjson"]).output
      .split(separator: "\n")
    func rows(_ flags: [String]) throws -> [Substring] {
      try CommandRun(["query", trace, question, "--format", "ndjson"] + flags).output
        .split(separator: "\n")
    }
    #expect(try rows(["--head", "3"]) == Array(all.prefix(3)))
    #expect(try rows(["--tail", "2"]) == Array(all.suffix(2)))
    #expect(try rows(["--head", "2", "--tail", "3"]) == Array(all.prefix(2) + all.suffix(3)))
    #expect(try rows(["--head", "1000", "--tail", "3"]) == all)
    #expect(try rows(["--head", "0"]).isEmpty)
  }
}
