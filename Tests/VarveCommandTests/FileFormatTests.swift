import Foundation
import Testing
import VarveFormat
import VarveProbe
import VarveTraceScript

@Suite("varve export: files of other tools")
struct FileFormatTests {
  private let folder = TemporaryFolder()
  private let trace: String

  init() throws {
    var script = TraceScript()
    let keys = script.stream("say \"keys\"", line: 12)
    let size = script.stream("size", from: [keys], type: "Int", line: 14)
    let queue = script.scheduler("a;queue")
    let edge = script.subscribe(keys, to: size, at: 0.5)
    script.value(keys, "v", at: 1)
    script.record(.hopBegan, of: queue, at: 2, subscription: 7)
    script.record(.value, of: size, .integer(-3), at: 3, subscription: edge, back: 1)
    script.record(.waitBegan, of: keys, .reason(1), at: 4)
    script.record(.waitEnded, of: keys, .reason(1), at: 5, back: 1)
    script.record(.hopEnded, of: queue, at: 6, subscription: 7)
    script.record(.value, of: size, .string("lon", originally: 300), at: 7)
    script.end(edge, of: keys, .completed, at: 8)
    script.lose(7, from: 2, to: 3)
    trace = folder.file("shop.varve")
    try script.write(to: trace)
  }

  private func export(_ format: String) throws -> String {
    let run = try CommandRun(["export", trace, "--format", format])
    #expect(run.status == 0)
    return run.output
  }

  @Test("folded stacks have the time of each piece of work without what is within it")
  func folded() throws {
    #expect(
      try export("folded") == """
        main;a,queue 3000000
        main;a,queue;waits for say "keys" 1000000

        """)
  }

  @Test("speedscope's form has a profile for each thread, with the same times")
  func speedscope() throws {
    let file = try JSONSerialization.jsonObject(with: Data(export("speedscope").utf8))
    let profiles = try #require((file as? [String: Any])?["profiles"] as? [[String: Any]])
    #expect(profiles.count == 1)
    #expect(profiles[0]["name"] as? String == "main")
    #expect(profiles[0]["weights"] as? [Int] == [3_000_000, 1_000_000])
    #expect(profiles[0]["samples"] as? [[Int]] == [[0, 1], [0, 1, 2]])
  }

  @Test("Graphviz gets a node for each stream and a line from each to those that it feeds")
  func dot() throws {
    #expect(
      try export("dot") == #"""
        digraph streams {
          rankdir=LR;
          node [shape=box, fontname="sans-serif"];
          s0 -> s1;
          s0 [label="say \"keys\"\nShop/Shop.swift:12\n1 value", style=bold];
          s1 [label="size\nShop/Shop.swift:14\n2 values", style=bold];
        }

        """#)
  }

  @Test("Parquet begins and ends as it must, and names its columns")
  func parquet() throws {
    let file = folder.file("shop.parquet")
    let run = try CommandRun(["export", trace, "--format", "parquet", "-o", file])
    #expect(run.status == 0)
    let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: file)))
    let magic = Array("PAR1".utf8)
    #expect(bytes.prefix(4) == magic[...] && bytes.suffix(4) == magic[...])
    let length = bytes.suffix(8).prefix(4).reversed().reduce(0) { $0 << 8 | Int($1) }
    #expect(length < bytes.count - 12)
    let description = String(decoding: bytes.suffix(8 + length), as: UTF8.self)
    for name in ["event", "time_ns", "value_integer", "value_bytes", "truncated", "reason"] {
      #expect(description.contains(name))
    }
  }

  @Test("the Common Trace Format is a folder, which is not written over without being told")
  func ctf() throws {
    let target = folder.file("shop-ctf")
    #expect(try CommandRun(["export", trace, "--format", "ctf", "-o", target]).status == 0)
    let metadata = try String(contentsOfFile: target + "/metadata", encoding: .utf8)
    #expect(metadata.hasPrefix("/* CTF 1.8 */"))
    #expect(metadata.contains("vpid = 4711;"))
    let packets = [UInt8](try Data(contentsOf: URL(fileURLWithPath: target + "/stream")))
    #expect(packets.prefix(4) == [0xc1, 0x1f, 0xfc, 0xc1])
    // The size of the packet in bits, and the seven lost events.
    func number(_ offset: Int) -> Int {
      packets[offset..<offset + 8].reversed().reduce(0) { $0 << 8 | Int($1) }
    }
    #expect(number(32) == packets.count * 8 && number(40) == 7)
    let again = try CommandRun(["export", trace, "--format", "ctf", "-o", target])
    #expect(again.status == 2 && again.errors.contains("--force"))
    #expect(try CommandRun(["export", trace, "--format", "ctf"]).status == 2)
  }

  @Test("a table has the same lines whether or not some name needs a change for spreadsheets")
  func table() throws {
    var lines: [[Substring]] = []
    for hasFormula in [false, true] {
      var script = TraceScript()
      let keys = script.stream("ke,ys", line: 12)
      let size = script.stream("größe", from: [keys], type: "Int")
      if hasFormula { _ = script.stream("=1+1") }
      let queue = script.scheduler("queue \"a\"")
      let worker = script.thread("worker", ring: 2)
      let edge = script.subscribe(keys, to: size, at: 0.5)
      let payloads: [ScriptedPayload] = [
        .string("a,b"), .string("=1"), .string(""), .string("tab\t"), .integer(-3), .unsigned(.max),
        .real(-0.5), .boolean(true), .bytes([0, 255]), .unit, .null, .withheld, .typeOnly("Card"),
        .description("A(b: \"c\")"), .string("lon", originally: 300), .rawString([0x61, 0xff]),
      ]
      for (number, payload) in payloads.enumerated() {
        script.record(
          .value, of: size, payload, at: Double(number + 1), subscription: edge, back: 1)
      }
      let hop = script.record(.hopScheduled, of: queue, at: 20, subscription: 7, back: 1)
      script.record(.hopBegan, of: queue, at: 21, ring: worker, subscription: 7, causes: [hop])
      script.record(.value, of: 99, .integer(1), at: 22, ring: worker)
      script.record(.log, of: 0, .string("line"), at: 23, ring: worker)
      script.end(edge, of: keys, .disposed, at: 24)
      script.lose(7, from: 3, to: 4)
      let path = folder.file("table-\(hasFormula).varve")
      try script.write(to: path)
      let run = try CommandRun(["export", path, "--format", "csv"])
      lines.append(run.output.split(separator: "\r\n"))
    }
    #expect(lines[0].count == 24)
    #expect(lines[0] == lines[1])
  }
}
