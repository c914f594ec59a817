import Foundation
import Testing
import VarveTraceScript

@Suite("Names of events on the command line")
struct EventNameTests {
  private let folder = TemporaryFolder()
  private let shop: String
  private let till: String

  init() throws {
    shop = folder.file("shop.varve")
    till = folder.file("till.varve")
    try SearchTrace().script.write(to: shop, blockEvents: 8)
    var script = TraceScript()
    script.process.program = "/usr/bin/till"
    script.process.pid = 17
    script.process.started += 2_000_000_000
    let sales = script.stream("sales")
    for index in 0..<6 {
      script.record(.value, of: sales, .integer(Int64(index)), at: Double(index * 500))
    }
    try script.write(to: till)
  }

  private func names(_ arguments: [String]) throws -> [String] {
    let run = try CommandRun(arguments)
    #expect(run.status == 0, "\(run.errors)")
    return try run.output.split(separator: "\n").map { line in
      let object = try JSONSerialization.jsonObject(with: Data(line.utf8))
      return try #require((object as? [String: Any])?["event"] as? String)
    }
  }

  @Test("T13: each name that is printed leads to its event, with # and without", arguments: [1, 2])
  func why(files: Int) throws {
    let traces = Array([shop, till].prefix(files))
    let all = try names(["replay", "-q", "--format", "ndjson"] + traces)
    #expect(Set(all).count == all.count && all.count == (files == 1 ? 39 : 45))
    #expect(all.allSatisfy { $0.contains(":") == (files > 1) })
    for (index, name) in all.enumerated() {
      let asked = index % 2 == 0 ? name : "#\(name)"
      let told = try names(["why", "-q", "--format", "ndjson"] + traces + [asked])
      #expect(told.first == name)
    }
    let text = try CommandRun(["replay", "-q"] + traces).output
    for name in all { #expect(text.contains("#\(name) ")) }
  }

  @Test("T13: what varve merge stores has the names that several files at once have")
  func merged() throws {
    let both = folder.file("both.varve")
    #expect(try CommandRun(["merge", "-q", till, shop, "-o", both]).status == 0)
    let names = try names(["replay", "-q", "--format", "ndjson", both])
    #expect(names == (try self.names(["replay", "-q", "--format", "ndjson", shop, till])))
    // The shop began first.
    #expect(names.first == "1:1.1" && names.count { $0.hasPrefix("2:") } == 6)
  }

  @Test("T13: an event is a moment, also without #", arguments: ["1.20", "#1.20"])
  func moment(name: String) throws {
    let replay = ["replay", shop, "--format", "ndjson"]
    #expect(try names(replay + ["--since", name]).first == "1.20")
    #expect(try names(replay + ["--until", name]).last == "1.20")
    #expect(try names(replay + ["--around", name, "--context", "0"]) == ["1.20"])
  }

  @Test("info lists the threads with their numbers, names and system ids")
  func threads() throws {
    let table = try CommandRun(["info", shop, "--threads"])
    #expect(table.status == 0)
    #expect(
      table.output == """
        THREAD  NAME    SYSTEM ID  EVENTS  LAST
             1  main         4711      26  #1.26
             2  search       4712      13  #2.13

        """)
    let text = try CommandRun(["info", "-q", shop, till, "--threads", "--format", "json"]).output
    let objects = try #require(
      JSONSerialization.jsonObject(with: Data(text.utf8)) as? [[String: Any]])
    #expect(objects.compactMap { $0["thread"] as? String } == ["1:1", "1:2", "2:1"])
    #expect(objects.compactMap { $0["last"] as? String } == ["1:1.26", "1:2.13", "2:1.6"])
    #expect(objects.compactMap { $0["events"] as? Int } == [26, 13, 6])
    // A thread is chosen by its number, too.
    let chosen = try names(["replay", shop, "--thread", "2", "--format", "ndjson"])
    #expect(chosen.count == 13 && chosen.allSatisfy { $0.hasPrefix("2.") })
  }
}
