import Foundation
import Testing
import VarveFormat
import VarveProbe
import VarveTraceScript

@Suite("varve export and varve diff")
struct ExportTests {
  private let folder = TemporaryFolder()
  private let trace: String

  init() throws {
    trace = folder.file("shop.varve")
    try Self.script().write(to: trace)
  }

  /// A key that is handled on another thread; `result` says with what outcome.
  private static func script(result: String = "found") -> TraceScript {
    var script = TraceScript()
    let keys = script.stream("keys", line: 12)
    let results = script.stream("results", from: [keys], line: 31)
    let queue = script.scheduler("queue")
    let worker = script.thread("worker", ring: 2)
    let edge = script.subscribe(keys, to: results, at: 0.5)
    let key = script.value(keys, "v", at: 1)
    let given = script.record(.hopScheduled, of: queue, at: 2, subscription: 7, back: 1)
    script.record(.hopBegan, of: queue, at: 4, ring: worker, subscription: 7, causes: [given])
    script.record(
      .value, of: results, .string(result), at: 5, ring: worker, subscription: edge, back: 1,
      causes: [key])
    script.record(.hopEnded, of: queue, at: 6, ring: worker, subscription: 7)
    script.end(edge, of: keys, .completed, at: 7, ring: worker)
    return script
  }

  private func json(_ arguments: [String]) throws -> [String: Any] {
    let run = try CommandRun(["export", trace] + arguments)
    #expect(run.status == 0)
    let object = try JSONSerialization.jsonObject(with: Data(run.output.utf8))
    return try #require(object as? [String: Any])
  }

  @Test("Chrome's format has tracks of threads and of named streams, slices, arrows and counters")
  func chrome() throws {
    let events = try #require(json(["--format", "chrome"])["traceEvents"] as? [[String: Any]])
    func all(_ phase: String) -> [[String: Any]] { events.filter { $0["ph"] as? String == phase } }
    func names(_ phase: String) -> [String] { all(phase).compactMap { $0["name"] as? String } }
    // An observation and the work; their ends come in the other order.
    #expect(names("B") == ["results", "queue"])
    #expect(all("B").compactMap { $0["ts"] as? Double } == [500, 4_000])
    #expect(all("E").compactMap { $0["ts"] as? Double } == [6_000, 7_000])
    #expect(names("i") == ["keys", "give to queue", "results"])
    // From the key to the giving and to the result, from the giving to the work and from that to
    // the result. An arrow begins once and ends at each effect.
    #expect(all("s").count == 3 && all("f").count == 4)
    let begun = all("s").compactMap { $0["id"] as? String }
    #expect(all("f").allSatisfy { begun.contains($0["id"] as? String ?? "") })
    #expect(all("C").compactMap { ($0["args"] as? [String: Any])?["value"] as? Int } == [1, 0])
    let arguments = all("i").last?["args"] as? [String: Any]
    #expect(arguments?["value"] as? String == "found")
    #expect(arguments?["thread"] as? String == "worker")
    #expect(arguments?["place"] as? String == "Shop/Shop.swift:31")
    let tracks = all("M").filter { $0["name"] as? String == "thread_name" }
    let named = tracks.compactMap { ($0["args"] as? [String: Any])?["name"] as? String }
    #expect(named == ["main", "worker", "keys", "└ results"])
    // The system's numbers; those of streams are of a process that cannot be.
    #expect(tracks.compactMap { $0["tid"] as? Int } == [4711, 4713, 1, 2])
  }

  @Test("arrows of a selection lead only to and from what was selected")
  func arrowsOfSelection() throws {
    let lines = try CommandRun(["export", trace, "--format", "chrome", "-k", "value"]).output
    func count(_ phase: String) -> Int {
      lines.components(separatedBy: "\"ph\":\"\(phase)\"").count - 1
    }
    #expect(count("i") == 2 && count("s") == 1 && count("f") == 1 && count("B") == 0)
    let later = try CommandRun(["export", trace, "--format", "chrome", "-n", "results"]).output
    #expect(!later.contains("\"ph\":\"s\"") && !later.contains("\"ph\":\"f\""))
  }

  @Test("F6: the formats of viewers say where events are missing and which values are cut")
  func lossesInTracks() throws {
    var script = TraceScript()
    let keys = script.stream("keys", line: 12)
    script.record(.value, of: keys, .string("lon", originally: 300), at: 1)
    script.lose(7, from: 2, to: 3)
    let path = folder.file("lossy.varve")
    try script.write(to: path)
    let chrome = try CommandRun(["export", path, "--format", "chrome"]).output
    #expect(chrome.contains("\"value\":\"lon\",\"value_bytes\":300"))
    #expect(chrome.contains("\"ts\":2000.000,\"cat\":\"lost\",\"name\":\"7 events lost\""))
    let packets = try Self.packets(["export", path, "--format", "perfetto"], folder)
    #expect(
      packets.contains { String(decoding: $0.bytes, as: UTF8.self).contains("7 events lost") })
  }

  private func spans(_ options: [String] = []) throws -> [[String: Any]] {
    let resources = try json(["--format", "otlp"] + options)["resourceSpans"] as? [[String: Any]]
    let scopes = resources?.first?["scopeSpans"] as? [[String: Any]]
    return try #require(scopes?.first?["spans"] as? [[String: Any]])
  }

  @Test("OTLP has hexadecimal ids, numbers of 64 bits as strings, and spans inside each other")
  func otlp() throws {
    let spans = try spans()
    #expect(
      spans.compactMap { $0["name"] as? String } == ["queue", "keys, observed by results", "keys"])
    for span in spans {
      let (trace, id) = (span["traceId"] as? String ?? "", span["spanId"] as? String ?? "")
      #expect(trace.count == 32 && trace.allSatisfy(\.isHexDigit))
      #expect(id.count == 16 && id.allSatisfy(\.isHexDigit))
    }
    let (work, key) = (spans[0], spans[2])
    #expect(work["startTimeUnixNano"] as? String == "1700000000004000000")
    #expect(work["endTimeUnixNano"] as? String == "1700000000006000000")
    let brought = work["events"] as? [[String: Any]]
    #expect(brought?.compactMap { $0["timeUnixNano"] as? String } == ["1700000000005000000"])
    // The key set off the work: they are one trace. Nothing caused the observation.
    #expect(work["traceId"] as? String == key["traceId"] as? String)
    #expect(work["parentSpanId"] as? String == key["spanId"] as? String)
    #expect(Set(spans.compactMap { $0["traceId"] as? String }).count == 2)
    let kept = key["events"] as? [[String: Any]]
    #expect(kept?.compactMap { $0["name"] as? String } == ["keys", "queue"])
  }

  @Test("F6: OTLP keeps every value of a long delivery, and values outside all observations")
  func otlpKeepsAll() throws {
    var script = TraceScript()
    let keys = script.stream("keys")
    let root = script.value(keys, "first", at: 1)
    // About three megabytes of events are set off by one.
    for number in 1...9_000 as ClosedRange<UInt32> {
      script.record(
        .value, of: keys, .integer(Int64(number)), at: 1 + Double(number) / 1_000, back: number)
    }
    let path = folder.file("long.varve")
    try script.write(to: path)
    let run = try CommandRun(["export", path, "--format", "otlp"])
    #expect(run.output.components(separatedBy: "{\"timeUnixNano\"").count - 1 == 9_001)
    #expect(run.output.contains("\"varve.part\",\"value\":{\"intValue\":\"2\"}"))
    #expect(run.output.contains("\"stringValue\":\"\(root)\""))
    #expect(run.errors.isEmpty)
  }

  @Test("in OTLP, each event without a cause begins a trace, and a join links to the others")
  func otlpLinks() throws {
    var script = TraceScript()
    let (left, right) = (script.stream("left"), script.stream("right"))
    let both = script.stream("both", from: [left, right])
    let other = script.thread("other", ring: 2)
    let one = script.value(left, "a", at: 1)
    script.value(right, "b", at: 2, ring: other)
    script.record(.value, of: both, .string("ab"), at: 3, ring: other, back: 1, causes: [one])
    let path = folder.file("joined.varve")
    try script.write(to: path)
    let run = try CommandRun(["export", path, "--format", "otlp"])
    let document = try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any]
    let resources = document?["resourceSpans"] as? [[String: Any]]
    let scopes = resources?.first?["scopeSpans"] as? [[String: Any]]
    let spans = try #require(scopes?.first?["spans"] as? [[String: Any]])
    #expect(spans.compactMap { $0["name"] as? String } == ["left", "right"])
    #expect(Set(spans.compactMap { $0["traceId"] as? String }).count == 2)
    let links = spans[1]["links"] as? [[String: Any]]
    let linked = links?.map { $0["spanId"] as? String }
    #expect(linked == [spans[0]["spanId"] as? String])
    #expect((spans[1]["events"] as? [Any])?.count == 2)
  }

  @Test("T7: of a scrubbed trace OTLP names no host, and info neither host nor arguments")
  func unnamedHost() throws {
    let safe = folder.file("safe.varve")
    #expect(try CommandRun(["scrub", trace, "-o", safe]).status == 0)
    for (file, isNamed) in [(trace, true), (safe, false)] {
      let export = try CommandRun(["export", file, "--format", "otlp"]).output
      #expect(export.contains("host.name") == isNamed && export.contains("till") == isNamed)
      let info = try CommandRun(["info", file]).output
      #expect(info.contains("on till") == isNamed && info.contains("--verbose") == isNamed)
    }
  }

  private static func packets(_ command: [String], _ folder: TemporaryFolder) throws -> [Packet] {
    let file = folder.file("out.pftrace")
    #expect(try CommandRun(command + ["-o", file, "--force"]).status == 0)
    let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: file)))
    return WireMessage(bytes).fields.filter { $0.number == 1 }.map { Packet($0.bytes) }
  }

  private struct Packet {
    var bytes: [UInt8]
    var message: WireMessage

    init(_ bytes: [UInt8]) {
      self.bytes = bytes
      message = WireMessage(bytes)
    }
  }

  @Test("Perfetto's format has tracks of threads and streams, names by number and relative times")
  func perfetto() throws {
    let packets = try Self.packets(["export", trace, "--format", "perfetto"], folder)
    // The process, two groups, two threads, two streams and a queue.
    let tracks = packets.flatMap { $0.message[60] }.map { WireMessage($0.bytes) }
    #expect(tracks.count == 8)
    let named = tracks.flatMap { $0[2] }.map { String(decoding: $0.bytes, as: UTF8.self) }
    #expect(named == ["streams", "queues of schedulers", "keys", "queue of queue", "results"])
    // A stream is below the one that feeds it.
    #expect(tracks.last?[5].first?.value == tracks.first { $0.text(2) == "keys" }?[1].first?.value)
    let threads = tracks.flatMap { $0[4] }.map { WireMessage($0.bytes) }
    #expect(threads.map { $0[2].first?.value } == [4711, 4713])

    let events = packets.flatMap { $0.message[11] }.map { WireMessage($0.bytes) }
    // The observation, the key, giving, the queue twice, the work, the result, two ends. The
    // result has two causes.
    #expect(events.compactMap { $0[9].first?.value } == [1, 3, 3, 4, 4, 1, 3, 3, 2, 2])
    #expect(events.allSatisfy { $0[23].isEmpty })
    #expect(events.map { $0[47].count } == [0, 1, 1, 0, 0, 1, 0, 0, 0, 0])
    let ends = events.flatMap { $0[6] }.flatMap { WireMessage($0.bytes)[8] }.map(\.value)
    #expect(ends.count == 4 && Set(ends).isSubset(of: events.flatMap { $0[47] }.map(\.value)))
    // The times since the packets before, in nanoseconds, and the day's time in the first packet.
    let steps = packets.filter { !$0.message[11].isEmpty }.compactMap { $0.message[8].first?.value }
    #expect(steps == [500, 500, 1_000, 0, 2_000, 0, 1_000, 0, 1_000, 1_000].map { $0 * 1_000 })
    let clocks = packets[0].message[6].flatMap { WireMessage($0.bytes)[1] }
    #expect(WireMessage(clocks[0].bytes)[2].first?.value == 1_700_000_000_000_000_000)
  }

  @Test("SQL makes tables of SQLite, and what a trace holds is never read as a statement")
  func sql() throws {
    var script = TraceScript()
    let keys = script.stream("it's; DROP TABLE events;--", line: 12)
    let hits = script.stream("hits", from: [keys])
    script.value(keys, "'); DROP TABLE events;--\u{0}\n", at: 1)
    script.record(.value, of: hits, .integer(-7), at: 2, back: 1)
    script.record(.value, of: hits, .unsigned(.max), at: 3)
    script.record(.value, of: hits, .real(.infinity), at: 4)
    script.record(.value, of: hits, .bytes([0, 255]), at: 5)
    script.record(.failed, of: hits, .null, at: 6)
    let path = folder.file("sql.varve")
    try script.write(to: path)
    let sql = try CommandRun(["export", path, "--format", "sql"])
    #expect(sql.status == 0)
    let statements = sql.output.split(separator: "\n")
    #expect(statements.first == "BEGIN;" && statements.last == "COMMIT;")
    #expect(
      statements.contains(
        "INSERT INTO events VALUES('1.2',2000000,1,2,'value',2,NULL,NULL,-7,'integer',NULL,NULL,0);"
      ))
    #expect(statements.contains("INSERT INTO causes VALUES('1.2','1.1');"))
    #expect(statements.contains { $0.contains("'18446744073709551615'") })
    #expect(statements.contains { $0.contains(",9e999,") })
    #expect(statements.contains { $0.contains(",x'00ff',") })
    #expect(statements.contains { $0.contains("'it''s; DROP TABLE events;--'") })
    #expect(sql.output.contains("'''); DROP TABLE events;--\u{fffd}'||char(10)||''"))
  }

  @Test("F7: SQL has the lengths of cut values, the losses, and the place of each stream")
  func incompleteSQL() throws {
    var script = TraceScript()
    let keys = script.stream("keys", line: 12)
    script.record(.value, of: keys, .string("lak", originally: 9000), at: 1)
    script.lose(3, from: 2, to: 4)
    let path = folder.file("incomplete.varve")
    try script.write(to: path)
    let sql = try CommandRun(["export", path, "--format", "sql"]).output
    #expect(sql.contains("'value',1,NULL,NULL,'lak','string',NULL,9000,1);"))
    #expect(sql.contains("INSERT INTO losses VALUES(1,'main',3,2000000,4000000,'noRoom');"))
    #expect(sql.contains("INSERT INTO streams VALUES(1,'keys','pipe','Shop/Shop.swift:12',"))
  }

  @Test("F8: a table says that it made texts harmless")
  func formulas() throws {
    var script = TraceScript()
    let keys = script.stream("keys")
    script.value(keys, "=1+1", at: 1)
    let path = folder.file("formula.varve")
    try script.write(to: path)
    for verb in [["export", path, "--format", "csv"], ["replay", path, "--format", "csv"]] {
      let run = try CommandRun(verb)
      #expect(run.status == 0 && run.output.contains(",'=1+1,"))
      #expect(run.errors.contains("1 text begins as a formula of a spreadsheet does"))
    }
    #expect(try CommandRun(["export", trace, "--format", "csv"]).errors.isEmpty)
  }

  @Test("a file that is there is not written over without being told")
  func force() throws {
    let file = folder.file("out.csv")
    #expect(try CommandRun(["export", trace, "--format", "csv", "-o", file]).status == 0)
    let before = try String(contentsOfFile: file, encoding: .utf8)
    #expect(before.hasPrefix("event,time_ns,"))
    let again = try CommandRun(["export", trace, "--format", "ndjson", "-o", file])
    #expect(again.status == 2)
    #expect(again.errors.contains("--force"))
    #expect(try String(contentsOfFile: file, encoding: .utf8) == before)
    let forced = try CommandRun(["export", trace, "--format", "ndjson", "-o", file, "--force"])
    #expect(forced.status == 0)
    #expect(try String(contentsOfFile: file, encoding: .utf8).hasPrefix("{\"event\":"))
  }

  @Test("two runs that differ part at the event that differs; the same run differs in nothing")
  func diff() throws {
    let other = folder.file("other.varve")
    try Self.script(result: "lost").write(to: other)
    let differs = try CommandRun(["diff", trace, other])
    #expect(differs.status == 1)
    #expect(differs.output.hasPrefix("they part first at event 1 of results\n"))
    #expect(
      differs.output.contains(
        "  - #2.2  5.000000 ms  worker  Shop.swift:31  \"found\"  (1 event)\n"))
    #expect(
      differs.output.contains(
        "  + #2.2  5.000000 ms  worker  Shop.swift:31  \"lost\"  (1 event)\n"))
    #expect(differs.output.hasSuffix("1 stream differs, 1 stream the same\n"))
    let same = try CommandRun(["diff", trace, trace])
    #expect(same.status == 0)
    #expect(same.output == "the same: 2 streams\n")
    let chosen = try CommandRun(["diff", trace, other, "-n", "keys"])
    #expect(chosen.status == 0)
  }
}
