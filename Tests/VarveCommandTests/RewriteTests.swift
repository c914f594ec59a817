import Foundation
import Testing
import VarveFormat
import VarveTraceScript

@Suite("Verbs that check a trace or write a new one")
struct RewriteTests {
  private let folder = TemporaryFolder()
  private let trace: String

  init() throws {
    trace = folder.file("shop.varve")
    try SearchTrace().script.write(to: trace, blockEvents: 8)
  }

  private func damagedCopy() throws -> String {
    var bytes = try Data(contentsOf: URL(fileURLWithPath: trace))
    bytes[bytes.count / 2] ^= 0x55
    let path = folder.file("damaged.varve")
    try bytes.write(to: URL(fileURLWithPath: path))
    return path
  }

  private func killedCopy() throws -> String {
    let path = folder.file("killed.varve")
    try SearchTrace().script.write(to: path, blockEvents: 8, ending: nil)
    return path
  }

  private func events(_ path: String) throws -> String {
    try CommandRun(["replay", path, "--format", "ndjson", "-q"]).output
  }

  @Test("F3: verify ends with 0 when all is well, and with 4 where it is not, and says where")
  func verify() throws {
    let sound = try CommandRun(["verify", trace])
    #expect(sound.status == 0)
    #expect(sound.output.hasPrefix("intact: 39 events in "))
    #expect(sound.errors.isEmpty)
    let damaged = try damagedCopy()
    let found = try CommandRun(["verify", damaged])
    #expect(found.status == 4)
    #expect(found.output.hasPrefix("damaged: byte "))
    #expect(found.output.contains("1 place is wrong"))
    let json = try CommandRun(["verify", damaged, "--format", "json"])
    #expect(json.status == 4)
    let object = try #require(
      try JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [String: Any])
    #expect(object["intact"] as? Bool == false)
    #expect((object["damage"] as? [Any])?.count == 1)
    let quiet = try CommandRun(["verify", damaged, "-q"])
    #expect(quiet.status == 4 && quiet.output.isEmpty && quiet.errors.isEmpty)
    let killed = try CommandRun(["verify", killedCopy()])
    #expect(killed.status == 4)
    #expect(killed.output.hasPrefix("incomplete: 39 events in "))
  }

  @Test("F2: verify of what is no trace ends with 3, of a newer version's with 5")
  func verifyStrangers() throws {
    let path = folder.file("other")
    try Data("hello".utf8).write(to: URL(fileURLWithPath: path))
    #expect(try CommandRun(["verify", path]).status == 3)
    #expect(try CommandRun(["verify", folder.file("gone")]).status == 3)
    var bytes = try Data(contentsOf: URL(fileURLWithPath: trace))
    let current = TraceVersion.current
    let next = TraceVersion(major: current.major + 1, minor: current.minor)
    bytes[8] = UInt8(next.major)
    let header = 12 + bytes.startIndex
    let length = Int(bytes[header]) | Int(bytes[header + 1]) << 8
    let sum = crc32(bytes.prefix(length - 4))
    withUnsafeBytes(of: sum.littleEndian) {
      bytes.replaceSubrange(length - 4..<length, with: Data($0))
    }
    try bytes.write(to: URL(fileURLWithPath: path))
    let newer = try CommandRun(["verify", path])
    #expect(newer.status == 5)
    #expect(
      newer.errors.contains("has format \(next); this varve reads \(current) and older"))
  }

  private func crc32(_ bytes: Data) -> UInt32 {
    var sum: UInt32 = .max
    for byte in bytes {
      sum ^= UInt32(byte)
      for _ in 0..<8 { sum = sum & 1 == 1 ? sum >> 1 ^ 0xedb8_8320 : sum >> 1 }
    }
    return ~sum
  }

  @Test("repair makes a complete file of a killed program's, and leaves out what is damaged")
  func repair() throws {
    let whole = folder.file("whole.varve")
    let killed = try CommandRun(["repair", killedCopy(), "-o", whole])
    #expect(killed.status == 0)
    #expect(killed.output.isEmpty)
    #expect(killed.errors.contains("killed.varve: nothing tells how the recording ended"))
    #expect(killed.errors.hasSuffix("\nvarve: 39 events in \(whole)\n"))
    #expect(try events(whole) == events(trace))
    let damaged = try damagedCopy()
    let rest = try CommandRun(["repair", damaged, "-o", whole, "--force"])
    #expect(rest.status == 4)
    #expect(rest.errors.contains("warning: left out "))
    #expect(try events(whole) == events(damaged))
    #expect(try CommandRun(["verify", whole]).status == 0)
  }

  @Test("merge and scrub write what replay reads")
  func mergeAndScrub() throws {
    let both = folder.file("both.varve")
    let other = folder.file("other.varve")
    var script = SearchTrace().script
    script.id = TraceID(low: 3, high: 4)
    try script.write(to: other, blockEvents: 8)
    let merged = try CommandRun(["merge", trace, other, "-o", both])
    #expect(merged.status == 0)
    #expect(merged.errors.contains("78 events of 2 traces"))
    #expect(try events(both).split(separator: "\n").count == 78)
    let twice = try CommandRun(["merge", trace, trace, "-o", both, "--force"])
    #expect(twice.errors.contains("39 events of 2 traces in \(both); 39 that several of them have"))
    let safe = folder.file("safe.varve")
    let scrubbed = try CommandRun(["scrub", trace, "-o", safe])
    #expect(scrubbed.status == 0)
    let lines = try events(safe).split(separator: "\n")
    #expect(lines.count == 39)
    #expect(!lines.contains { $0.contains("\"value_type\":\"string\"") })
    #expect(lines.contains { $0.contains("\"value_type\":\"withheld\"") })
    let partly = try CommandRun(["scrub", trace, "-n", "search", "-o", safe, "--force", "-q"])
    #expect(partly.status == 0 && partly.errors.isEmpty)
    #expect(try events(safe).contains("\"value_type\":\"string\""))
    let mistyped = try CommandRun(["scrub", trace, "-n", "serach", "-o", safe, "--force"])
    #expect(mistyped.status == 1)
    #expect(mistyped.errors.contains("nearest: \"search\""))
  }

  @Test("T7: scrub follows a secret to the streams that it leads to, and to those it came from")
  func scrubAlong() throws {
    // For each stream whose values are left, its name.
    func left(_ flags: String...) throws -> Set<String> {
      let safe = folder.file("safe.varve")
      let run = try CommandRun(["scrub", trace] + flags + ["-o", safe, "--force", "-q"])
      #expect(run.status == 0, "\(run.errors)")
      let values = try events(safe).split(separator: "\n").map { line in
        try #require(
          try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
      }.filter { $0["kind"] as? String == "value" && $0["value_type"] as? String != "withheld" }
      return Set(values.compactMap { $0["name"] as? String })
    }
    let all: Set = ["keystrokes", "queries", "results", "search", "progress"]
    #expect(try left("-n", "keystrokes") == all.subtracting(["keystrokes"]))
    // By what streams were made of, and by what fed them while the program ran.
    #expect(try left("--downstream-of", "queries") == all.subtracting(["queries", "results"]))
    #expect(try left("--downstream-of", "search") == all.subtracting(["search", "results"]))
    #expect(
      try left("-i", "--upstream-of", "QUERIES") == all.subtracting(["keystrokes", "queries"]))
    #expect(
      try left("--downstream-of", "keystrokes", "-x", "res*")
        == all.subtracting(["keystrokes", "queries"]))
    let mistyped = try CommandRun(
      ["scrub", trace, "--downstream-of", "serach", "-o", folder.file("none.varve")])
    #expect(mistyped.status == 1 && mistyped.errors.contains("nearest: \"search\""))
    #expect(!folder.names.contains("none.varve"))
  }

  @Test(
    "-o writes over nothing without --force", arguments: [["repair"], ["merge"], ["scrub"]])
  func force(verb: [String]) throws {
    let out = folder.file("out.varve")
    try Data("precious".utf8).write(to: URL(fileURLWithPath: out))
    let refused = try CommandRun(verb + [trace, "-o", out])
    #expect(refused.status == 2)
    #expect(refused.errors.contains("--force writes over it"))
    // Not even then when it is no trace.
    #expect(try CommandRun(verb + [trace, "-o", out, "--force"]).status == 2)
    #expect(try String(contentsOfFile: out, encoding: .utf8) == "precious")
    try FileManager.default.removeItem(atPath: out)
    #expect(try CommandRun(verb + [trace, "-o", out]).status == 0)
    #expect(try CommandRun(verb + [trace, "-o", out]).status == 2)
    #expect(try CommandRun(verb + [trace, "-o", out, "--force"]).status == 0)
    #expect(try CommandRun(verb + [trace]).status == 2)
  }

}
