import Foundation
import Testing
import VarveTraceScript

@Suite("Following a trace")
struct FollowTests {
  private let folder = TemporaryFolder()

  private func objects(_ text: String) throws -> [NSDictionary] {
    try text.split(separator: "\n").map { line in
      let object = try JSONSerialization.jsonObject(with: Data(line.utf8))
      return try #require(object as? NSDictionary)
    }
  }

  /// What is shown of a program that sends the whole time, at a human pace, on two threads.
  private func shown(_ count: Int, options: String) throws -> [NSDictionary] {
    let path = folder.file("live.varve")
    let child = try RecordingChild(into: path, threads: 2, options: options, in: folder)
    let run = try CommandRun([
      "replay", path, "-f", "--format", "ndjson", "-k", "value", "--head", "\(count)",
    ])
    #expect(run.status == 0)
    #expect(child.isRunning)
    return try objects(run.output)
  }

  /// Each thread has sent 1, 2, 3, …: what is shown of that, without a gap or a double.
  private func check(_ events: [NSDictionary], count: Int) {
    #expect(events.count == count)
    for thread in 0..<2 {
      let values = events.filter { $0["name"] as? String == "thread \(thread)" }
        .compactMap { $0["value"] as? Int }
      let first = values.first ?? 0
      #expect(values.elementsEqual(first..<first + values.count))
      #expect(values.count > 100)
    }
    let times = events.compactMap { $0["time_ns"] as? Int }
    #expect(times == times.sorted())
  }

  @Test("F4: a program that runs is shown as it runs, in order, without a gap or a double")
  func running() throws {
    let events = try shown(4_000, options: "")
    check(events, count: 4_000)
    #expect(events.contains { $0["value"] as? Int == 1 })
  }

  @Test("F4: a trace that goes on in other files is shown through all of them")
  func rotated() throws {
    check(try shown(20_000, options: "ring=64K,rotate=4K"), count: 20_000)
    #expect(folder.names.contains("live-3.varve"), "\(folder.names)")
  }

  @Test("a trace that has ended is shown to its end, and no further")
  func ended() throws {
    let path = folder.file("shop.varve")
    try SearchTrace().script.write(to: path, blockEvents: 8)
    for format in ["text", "ndjson", "csv"] {
      let followed = try CommandRun(["replay", path, "-f", "--format", format])
      #expect(followed.status == 0)
      #expect(followed.output == (try CommandRun(["replay", path, "--format", format]).output))
    }
    #expect(try CommandRun(["replay", path, "-f", "-k", "mark"]).status == 1)
  }

  @Test("what cannot be followed is refused")
  func refused() throws {
    let path = folder.file("shop.varve")
    try SearchTrace().script.write(to: path, blockEvents: 8)
    for arguments in [
      [path, path], ["-"], [folder.path], [path, "--format", "json"], [path, "--speed", "1x"],
    ] {
      #expect(try CommandRun(["replay", "-f"] + arguments).status == 2)
    }
  }
}
