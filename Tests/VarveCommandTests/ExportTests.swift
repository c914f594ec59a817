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

  @Test("Chrome's format has a slice for the work, an arrow to it and an instant for each value")
  func chrome() throws {
    let events = try #require(json(["--format", "chrome"])["traceEvents"] as? [[String: Any]])
    func all(_ phase: String) -> [[String: Any]] { events.filter { $0["ph"] as? String == phase } }
    #expect(all("B").count == 1 && all("E").count == 1)
    #expect(all("B").first?["ts"] as? Double == 4_000)
    #expect(all("E").first?["ts"] as? Double == 6_000)
    #expect(all("s").first?["id"] as? Int == 7)
    #expect(all("f").first?["id"] as? Int == 7)
    // An arrow's ends lie in slices.
    #expect(all("X").first?["ts"] as? Double == all("s").first?["ts"] as? Double)
    #expect(all("i").compactMap { $0["name"] as? String } == ["keys", "results"])
    let arguments = all("i").last?["args"] as? [String: Any]
    #expect(arguments?["value"] as? String == "found")
    #expect(arguments?["place"] as? String == "Shop/Shop.swift:31")
    let names = all("M").compactMap { ($0["args"] as? [String: Any])?["name"] as? String }
    #expect(Set(names).isSuperset(of: ["main", "worker"]))
  }

  @Test("OTLP has hexadecimal ids, numbers of 64 bits as strings, and spans inside each other")
  func otlp() throws {
    let resources = try json(["--format", "otlp"])["resourceSpans"] as? [[String: Any]]
    let scopes = resources?.first?["scopeSpans"] as? [[String: Any]]
    let spans = try #require(scopes?.first?["spans"] as? [[String: Any]])
    #expect(spans.compactMap { $0["name"] as? String } == ["queue", "results"])
    for span in spans {
      let (trace, id) = (span["traceId"] as? String ?? "", span["spanId"] as? String ?? "")
      #expect(trace.count == 32 && trace.allSatisfy(\.isHexDigit))
      #expect(id.count == 16 && id.allSatisfy(\.isHexDigit))
    }
    #expect(spans.first?["startTimeUnixNano"] as? String == "1700000000002000000")
    #expect(spans.first?["endTimeUnixNano"] as? String == "1700000000006000000")
    let brought = spans.last?["events"] as? [[String: Any]]
    #expect(brought?.compactMap { $0["timeUnixNano"] as? String } == ["1700000000005000000"])
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

  @Test("Perfetto's format is a list of packets, whose tracks are the threads")
  func perfetto() throws {
    let file = folder.file("shop.pftrace")
    #expect(try CommandRun(["export", trace, "--format", "perfetto", "-o", file]).status == 0)
    let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: file)))
    let packets = WireMessage(bytes).fields.filter { $0.number == 1 }.map { WireMessage($0.bytes) }
    let tracks = packets.flatMap { $0.fields.filter { $0.number == 60 } }
    // The process and two threads.
    #expect(tracks.count == 3)
    let events = packets.compactMap { packet in
      packet.fields.first { $0.number == 11 }.map { WireMessage($0.bytes) }
    }
    let types = events.compactMap { $0.fields.first { $0.number == 9 }?.value }
    // keys, giving, the work's beginning, results, its end.
    #expect(types == [3, 3, 1, 3, 2])
    let names = events.compactMap { event in
      event.fields.first { $0.number == 23 }.map { String(decoding: $0.bytes, as: UTF8.self) }
    }
    #expect(names == ["keys", "give to queue", "queue", "results"])
    #expect(events[1].fields.contains { $0.number == 47 && $0.value == 7 })
    #expect(events[2].fields.contains { $0.number == 48 && $0.value == 7 })
    let times = packets.compactMap { $0.fields.first { $0.number == 8 }?.value }
    #expect(times.first == 1_700_000_000_001_000_000)
    #expect(times == times.sorted())
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
        "INSERT INTO events VALUES('1.2',2000000,1,2,'value',2,NULL,NULL,-7,'integer',NULL);"))
    #expect(statements.contains("INSERT INTO causes VALUES('1.2','1.1');"))
    #expect(statements.contains { $0.contains("'18446744073709551615'") })
    #expect(statements.contains { $0.contains(",9e999,") })
    #expect(statements.contains { $0.contains(",x'00ff',") })
    #expect(statements.contains { $0.contains("'it''s; DROP TABLE events;--'") })
    #expect(sql.output.contains("'''); DROP TABLE events;--\u{fffd}'||char(10)||''"))
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
    #expect(differs.output.contains("  - #2.2  5.000000 ms  \"found\"  (1 event)\n"))
    #expect(differs.output.contains("  + #2.2  5.000000 ms  \"lost\"  (1 event)\n"))
    #expect(differs.output.hasSuffix("1 stream differs, 1 stream the same\n"))
    let same = try CommandRun(["diff", trace, trace])
    #expect(same.status == 0)
    #expect(same.output == "the same: 2 streams\n")
    let chosen = try CommandRun(["diff", trace, other, "-n", "keys"])
    #expect(chosen.status == 0)
  }
}

/// Protobuf's wire format, as a reader that knows no names takes it apart.
private struct WireMessage {
  struct Field {
    var number: Int
    var value: UInt64 = 0
    var bytes: [UInt8] = []
  }

  var fields: [Field] = []

  init(_ bytes: [UInt8]) {
    var rest = bytes[...]
    func varint() -> UInt64 {
      var value: UInt64 = 0
      var shift: UInt64 = 0
      while let byte = rest.popFirst() {
        value |= UInt64(byte & 0x7f) << shift
        shift += 7
        if byte < 0x80 { break }
      }
      return value
    }
    while !rest.isEmpty {
      let key = varint()
      var field = Field(number: Int(key >> 3))
      switch key & 7 {
      case 0: field.value = varint()
      case 1:
        field.value = rest.prefix(8).reversed().reduce(0) { $0 << 8 | UInt64($1) }
        rest = rest.dropFirst(8)
      default:
        let count = Int(varint())
        field.bytes = Array(rest.prefix(count))
        rest = rest.dropFirst(count)
      }
      fields.append(field)
    }
  }
}
