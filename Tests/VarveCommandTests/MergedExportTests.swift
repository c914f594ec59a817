import Foundation
import Testing
import VarveFormat
import VarveTraceScript

@Suite("varve export of several processes")
struct MergedExportTests {
  private let folder = TemporaryFolder()
  private let merged: String

  /// `shop[4711]`, `till[4712]`, and `shop[4711]` of another container.
  init() throws {
    var paths: [String] = []
    for (number, process) in [("shop", 4711), ("till", 4712), ("shop", 4711)].enumerated() {
      var script = SearchTrace().script
      script.id = TraceID(low: UInt64(number), high: 7)
      script.process.program = "/usr/bin/\(process.0)"
      script.process.pid = UInt32(process.1)
      script.process.host = "till \(number)"
      script.process.started += UInt64(number)
      paths.append(folder.file("\(number).varve"))
      try script.write(to: paths[number])
    }
    merged = folder.file("merged.varve")
    try #require(try CommandRun(["merge"] + paths + ["-o", merged]).status == 0)
  }

  private func export(_ format: String) throws -> String {
    let run = try CommandRun(["export", merged, "--format", format])
    #expect(run.status == 0, "\(run.errors)")
    return run.output
  }

  private func rows(_ statement: String) throws -> [[String: Any]] {
    try CommandRun(["query", merged, statement, "--format", "ndjson"]).output
      .split(separator: "\n")
      .compactMap { try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any] }
  }

  @Test("Chrome's format has each process by its name and number, with its threads and streams")
  func chrome() throws {
    let document = try JSONSerialization.jsonObject(with: Data(export("chrome").utf8))
    let events = try #require((document as? [String: Any])?["traceEvents"] as? [[String: Any]])
    var names: [String: [Int: [String]]] = [:]
    for event in events where event["ph"] as? String == "M" {
      guard let kind = event["name"] as? String, let pid = event["pid"] as? Int,
        let name = (event["args"] as? [String: Any])?["name"] as? String
      else { continue }
      names[kind, default: [:]][pid, default: []].append(name)
    }
    let processes = try #require(names["process_name"])
    #expect(processes[4711] == ["shop"] && processes[4712] == ["till"], "\(processes)")
    // Two processes of different containers have the same number, and are two all the same.
    let other = try #require(processes.first { $0.value == ["shop[4711]"] }?.key)
    #expect(processes.values.count { $0[0].hasPrefix("streams of ") } == 3)
    let threads = try #require(names["thread_name"])
    #expect(threads[4711]?.first == "main" && threads[other]?.first == "main", "\(threads)")
    #expect(threads.values.joined().allSatisfy { !$0.contains("[") })
    // What is drawn below a process is of its recording.
    var recordings: [Int: Set<Substring>] = [:]
    for event in events {
      guard let name = (event["args"] as? [String: Any])?["event"] as? String,
        let pid = event["pid"] as? Int
      else { continue }
      recordings[pid, default: []].insert(name.prefix { $0 != ":" })
    }
    #expect(recordings.values.allSatisfy { $0.count == 1 }, "\(recordings)")
    #expect(Set(recordings.values.joined()) == ["1", "2", "3"])
    let streams = threads.filter { $0.key > 4712 && $0.key != other }
    #expect(streams.count == 3)
    #expect(Set(streams.values.map { $0.sorted() }).count == 1, "\(streams)")
  }

  @Test("Perfetto's format has each process by its name and number, and all tracks below them")
  func perfetto() throws {
    let file = folder.file("out")
    let run = try CommandRun(["export", merged, "--format", "perfetto", "-o", file])
    #expect(run.status == 0)
    let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: file)))
    let tracks = WireMessage(bytes)[1].flatMap { WireMessage($0.bytes)[60] }
      .map { WireMessage($0.bytes) }
    var parents: [UInt64: UInt64] = [:]
    var processes: [UInt64: (pid: UInt64, name: String)] = [:]
    for track in tracks {
      let uuid = try #require(track[1].first?.value)
      parents[uuid] = track[5].first?.value
      if let process = track[3].first.map({ WireMessage($0.bytes) }) {
        processes[uuid] = (process[1].first?.value ?? 0, process.text(6) ?? "")
      }
    }
    #expect(processes.values.map(\.name).sorted() == ["shop", "shop[4711]", "till"])
    #expect(Set(processes.values.map(\.pid)).count == 3)
    for track in tracks {
      var top = try #require(track[1].first?.value)
      while let parent = parents[top] { top = parent }
      #expect(processes[top] != nil)
      guard let thread = track[4].first.map({ WireMessage($0.bytes) }) else { continue }
      #expect(thread[1].first?.value == processes[top]?.pid)
      #expect(thread.text(5)?.contains("[") == false)
    }
  }

  @Test("each process is a resource of OTLP, and has its own spans")
  func otlp() throws {
    let document = try JSONSerialization.jsonObject(with: Data(export("otlp").utf8))
    let resources = (document as? [String: Any])?["resourceSpans"] as? [[String: Any]] ?? []
    func attributes(_ object: [String: Any]?) -> [String: String] {
      let list = object?["attributes"] as? [[String: Any]] ?? []
      return Dictionary(
        list.map { one in
          let value = one["value"] as? [String: Any]
          return (one["key"] as? String ?? "", value?.values.first as? String ?? "")
        }, uniquingKeysWith: { $1 })
    }
    var found: [String: Set<String>] = [:]
    for resource in resources {
      let own = attributes(resource["resource"] as? [String: Any])
      let scope = (resource["scopeSpans"] as? [[String: Any]])?.first
      for span in scope?["spans"] as? [[String: Any]] ?? [] {
        let recording = try #require(attributes(span)["varve.event"]?.prefix { $0 != ":" })
        found[String(recording), default: []]
          .insert(
            "\(own["service.name"] ?? "") \(own["process.pid"] ?? "") \(own["host.name"] ?? "")")
      }
    }
    #expect(
      found == ["1": ["shop 4711 till 0"], "2": ["till 4712 till 1"], "3": ["shop 4711 till 2"]])
  }

  @Test("tables have a row for each process, and threads say of which they are")
  func tables() throws {
    let processes = try rows("SELECT program, pid, host, started_ns FROM process ORDER BY process")
    #expect(processes.map { $0["program"] as? String } == ["shop", "till", "shop"])
    #expect(processes.map { $0["pid"] as? Int } == [4711, 4712, 4711])
    #expect(processes.map { $0["host"] as? String } == ["till 0", "till 1", "till 2"])
    let starts = processes.compactMap { $0["started_ns"] as? Int }
    #expect(starts.count == 3 && starts.map { $0 - starts[0] } == [0, 1, 2])
    let threads = try rows("SELECT number, program FROM threads JOIN process USING (process)")
    #expect(threads.count > 3)
    for thread in threads {
      let number = try #require(thread["number"] as? String)
      let program = try #require(thread["program"] as? String)
      #expect(number.hasPrefix("2:") == (program == "till"))
    }
    let statements = try export("sql")
    #expect(statements.contains("INSERT INTO process VALUES('till',4712,2);"))
  }

  @Test("info tells the host and the start of each process")
  func info() throws {
    let text = try CommandRun(["info", merged]).output
    let line = text.split(separator: "\n").first { $0.contains("processes") } ?? ""
    #expect(line.contains("2: till[4712] on till 1 since 20"), "\(text)")
    let json = try CommandRun(["info", merged, "--format", "json"]).output
    let object = try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any]
    let processes = try #require(object?["processes"] as? [[String: Any]])
    #expect(processes.map { $0["host"] as? String } == ["till 0", "till 1", "till 2"])
    #expect(processes.map { $0["process"] as? Int } == [1, 2, 3])
    #expect(processes.allSatisfy { ($0["started"] as? String)?.hasSuffix("Z") == true })
  }

  @Test("in the Common Trace Format, each event has its process")
  func ctf() throws {
    let target = folder.file("ctf")
    #expect(try CommandRun(["export", merged, "--format", "ctf", "-o", target]).status == 0)
    let metadata = try String(contentsOfFile: target + "/metadata", encoding: .utf8)
    #expect(metadata.contains("string thread; uint32_t vpid; string procname; };"))
    #expect(!metadata.contains("vpid = "))
    let packets = try Data(contentsOf: URL(fileURLWithPath: target + "/stream"))
    #expect(packets.range(of: Data([0x68, 0x12, 0, 0] + Array("till\0".utf8))) != nil)
  }
}
