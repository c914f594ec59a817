import Foundation
import Testing
import VarveFormat
import VarveTraceScript

@Suite("Several traces at once, folders, standard input")
struct SeveralTracesTests {
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
    for index in 0..<10 {
      script.record(.value, of: sales, .integer(Int64(index)), at: Double(index * 500))
    }
    try script.write(to: till)
  }

  private func objects(_ text: String) throws -> [NSDictionary] {
    try text.split(separator: "\n").map { line in
      let object = try JSONSerialization.jsonObject(with: Data(line.utf8))
      return try #require(object as? NSDictionary)
    }
  }

  @Test("several files are one trace on one clock, in every verb that reads")
  func files() throws {
    let both = try CommandRun(["replay", shop, till, "--format", "ndjson", "-q"])
    #expect(both.status == 0)
    let events = try objects(both.output)
    #expect(events.count == 49)
    let times = events.compactMap { $0["time_ns"] as? Int }
    #expect(times == times.sorted())
    let sales = events.filter { $0["name"] as? String == "sales" }
    #expect(sales.compactMap { $0["time_ns"] as? Int }.first == 2_000_000_000)
    #expect(Set(sales.compactMap { $0["thread"] as? String }) == ["till[17] thread 4711"])
    let streams = try CommandRun(["streams", shop, till, "--format", "ndjson", "-q"])
    #expect(try objects(streams.output).count == 7)
    let timeline = try CommandRun(["timeline", shop, till, "-q"])
    #expect(timeline.output.contains("sales") && timeline.output.contains("keystrokes"))
    #expect(try CommandRun(["info", shop, till]).output.contains("events    49"))
    let exported = try CommandRun(["export", shop, till, "--format", "csv", "-q"])
    #expect(exported.output.split(whereSeparator: \.isNewline).count == 50)
    let page = try CommandRun(["postmortem", shop, till, "-q"])
    #expect(page.output.contains("till[17] thread 4711") && page.output.contains("events    49"))
  }

  @Test("a thread is chosen in each of several recordings by the name that it has there")
  func threads() throws {
    var other = SearchTrace().script
    (other.process.program, other.id) = ("/usr/bin/till", TraceID(low: 3, high: 4))
    let second = folder.file("second.varve")
    try other.write(to: second, blockEvents: 8)
    let merged = folder.file("merged.varve")
    try #require(try CommandRun(["merge", shop, second, "-o", merged]).status == 0)
    for files in [[merged], [shop, second]] {
      let run = try CommandRun(
        ["replay"] + files + ["--thread", "main", "--format", "ndjson", "-q"])
      let names = try objects(run.output).compactMap { $0["event"] as? String }
      let prefixes = Set(names.map { String($0.prefix { $0 != "." }) })
      #expect(prefixes == ["1:1", "2:1"], "\(run.errors)")
      // Both by themselves, and with the process.
      let first = try CommandRun(
        ["replay"] + files + ["--thread", "1:1", "--format", "ndjson", "-q"])
      let own = try objects(first.output)
      #expect(!own.isEmpty && own.count < names.count)
      let name = try #require(own.first?["thread"] as? String)
      let named = try CommandRun(
        ["replay"] + files + ["--thread", name, "--format", "ndjson", "-q"])
      #expect(named.output == first.output)
      let condition = try CommandRun(
        ["replay"] + files + ["--where", "thread == 1:1", "--format", "ndjson", "-q"])
      #expect(condition.output == first.output, "\(condition.errors)")
    }
  }

  @Test("T3: causes lead from one part of a rotated recording into the one before")
  func parts() throws {
    let trace = folder.file("play.varve")
    // Small parts: what belongs together lies in several of them.
    let child = CommandRun.command.deletingLastPathComponent().appendingPathComponent("CauseChild")
    let run = try CommandRun(["rotating", trace], program: child.path)
    try #require(run.status == 0, "\(run.errors)")
    let parts = folder.names.filter { $0.hasPrefix("play") && $0.hasSuffix(".varve") }
      .sorted().map(folder.file)
    try #require(parts.count > 2)
    let why = try CommandRun(["why", "-q", "--format", "ndjson"] + parts + ["last"])
    #expect(why.status == 0, "\(why.errors)")
    let names = try objects(why.output).map { $0["name"] as? String }
    #expect(names.first == "last")
    // The last line says which event is marked.
    #expect(names.dropLast().last == "first")
    // No part alone knows: the beginning lies in the first one, the end in the last.
    for part in parts {
      let alone = try CommandRun(["why", "-q", "--format", "ndjson", part, "last"])
      let found = try objects(alone.output).map { $0["name"] as? String }
      #expect(!found.contains("first"))
    }
    // In whatever order they are named.
    let turned = try CommandRun(["why", "-q", "--format", "ndjson"] + parts.reversed() + ["last"])
    #expect(try objects(turned.output).map { $0["name"] as? String } == names)
  }

  @Test("B6: of several processes, the one that crashed is shown with its thread and its code")
  func crash() throws {
    let trace = folder.file("child.varve")
    let child = CommandRun.command.deletingLastPathComponent().appendingPathComponent("HopsChild")
    _ = try CommandRun(
      ["run", "-q", "-o", trace, "--options", "crashes=yes", "--", child.path, "crash"],
      environment: ["SWIFT_BACKTRACE": "enable=no"])
    for files in [[trace, till], [till, trace]] {
      let backtrace = try CommandRun(["backtrace", "-q"] + files)
      #expect(backtrace.status == 0, "\(backtrace.errors)")
      // The thread that crashed comes first.
      #expect(backtrace.output.components(separatedBy: "\n").dropFirst().first == "  struck at")
      #expect(backtrace.output.contains("struck at\n    static Endings.fail()"))
      #expect(backtrace.output.contains("scheduled on QueueScheduler(first)"))
      #expect(backtrace.output.contains("pressKey"))
      let page = try CommandRun(["postmortem", "-q"] + files)
      #expect(page.output.contains("crashed here"))
      #expect(!page.output.contains("had recorded nothing"))
      try expectFrontPage(of: files)
    }
    let silent = try CommandRun(["why-silent", shop, till, "progress", "-q"])
    #expect(silent.output.contains("progress delivered 5 values"))
  }

  /// The first page marks the line of the crash, where it names each process, its threads and the
  /// address as they were.
  private func expectFrontPage(of files: [String]) throws {
    let page = try CommandRun(["info", "-q"] + files).output
    #expect(page.contains("what to look at\n▸ Endings.swift:"), "\(page)")
    let processes = try #require(page.split(separator: "\n").first { $0.contains("processes ") })
    #expect(processes.contains("till[17]") && processes.contains("HopsChild["), "\(processes)")
    let address = try #require(page.firstMatch(of: /signal 11.*, at 0x([0-9a-f]+)/))
    #expect(address.1.count <= 12, "\(address.0)")
    let threads = try objects(
      CommandRun(["info", "--threads", "--format", "ndjson", "-q"] + files).output)
    let names = threads.compactMap { $0["name"] as? String }
    #expect(names.count == threads.count && names.allSatisfy { $0.contains("] ") }, "\(names)")
    let summary = try objects(CommandRun(["info", "--format", "ndjson", "-q"] + files).output)
    #expect(summary.first?["pid"] is NSNull)
  }

  @Test("T3: causes are found across the files that a recording has gone on in")
  func causesAcrossFiles() throws {
    let parts = TemporaryFolder()
    let path = parts.file("run.varve")
    let child = try CommandRun(
      ["parted", path, "50", "policy=block,rotate=1s"], program: "RecorderChild")
    try #require(child.status == 0, "\(child.output)")
    let late = try objects(
      CommandRun(["replay", path, "--format", "ndjson", "-n", "late", "-k", "value", "-q"]).output)
    let run = try CommandRun(["replay", parts.path, "--format", "ndjson", "-q"])
    #expect(run.status == 0)
    let events = Dictionary(
      uniqueKeysWithValues: try objects(run.output).map { ($0["event"] as? String ?? "", $0) })
    func isValue(_ event: NSDictionary, of name: String) -> Bool {
      event["name"] as? String == name && event["kind"] as? String == "value"
    }
    let found = events.values.filter { isValue($0, of: "late") }
    #expect(found.count == 50)
    for event in found {
      var cause = event
      while !isValue(cause, of: "input"),
        let next = (cause["cause"] as? String).flatMap({ events[$0] })
      {
        cause = next
      }
      #expect(isValue(cause, of: "input"))
      #expect(cause["value"] as? Int == event["value"] as? Int)
    }
    // They do lie in different files: alone, the latest one knows nothing of the input.
    #expect(late.count <= 50)
    let first = try CommandRun([
      "replay", parts.file("run-1.varve"), "--format", "ndjson", "-n", "late", "-k", "value", "-q",
    ])
    #expect(first.output.isEmpty)
  }

  @Test("a folder stands for the traces in it")
  func folders() throws {
    let named = try CommandRun(["replay", shop, till, "--format", "ndjson", "-q"])
    let inFolder = try CommandRun(["replay", folder.path, "--format", "ndjson", "-q"])
    #expect(inFolder.status == 0)
    #expect(inFolder.output == named.output)
  }

  @Test("what is no trace in a folder is left out, and said; the status is 4")
  func badInFolder() throws {
    let whole = try CommandRun(["replay", folder.path, "--format", "ndjson", "-q"])
    try Data("no trace".utf8).write(to: URL(fileURLWithPath: folder.file("bad.varve")))
    let run = try CommandRun(["replay", folder.path, "--format", "ndjson"])
    #expect(run.status == 4)
    #expect(run.errors.contains("left out"))
    #expect(run.errors.contains("bad.varve"))
    #expect(run.output == whole.output)
    // A file that was named is wanted.
    #expect(try CommandRun(["replay", shop, folder.file("bad.varve")]).status == 3)
  }

  @Test("streams of several processes, which may have the same names, are told with their process")
  func processes() throws {
    let lines = try CommandRun(["streams", shop, till, "-q"]).output.split(separator: "\n")
    #expect(lines.first?.contains("PROCESS") == true, "\(lines)")
    #expect(lines.contains { $0.hasPrefix("sales ") && $0.contains("        2  ") })
    #expect(lines.contains { $0.hasPrefix("progress ") && $0.contains("        1  ") })
    let alone = try CommandRun(["streams", till, "-q"])
    #expect(!alone.output.contains("PROCESS"))
  }

  @Test("a merged trace names its programs, without folders, and no process that is none")
  func merged() throws {
    let run = try CommandRun(["info", shop, till])
    let title = run.output.split(separator: "\n").first ?? ""
    #expect(!title.contains("process 0"), "\(title)")
    #expect(title.hasPrefix("shop + till (on till, "), "\(title)")
  }

  @Test("- is standard input")
  func standardInput() throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    process.arguments = [
      "-c", "cat \"$1\" | \"$0\" replay - --format ndjson > \"$2\"", CommandRun.command.path, shop,
      folder.file("out"),
    ]
    try process.run()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    #expect(
      try String(contentsOfFile: folder.file("out"), encoding: .utf8)
        == CommandRun(["replay", shop, "--format", "ndjson"]).output)
    let empty = try CommandRun(["info", "-"])
    #expect(empty.status == 3)
    #expect(empty.errors.hasPrefix("varve: -: "))
  }

  @Test("F3: what is damaged in one of several is told, and the status is 4")
  func damaged() throws {
    var bytes = try Data(contentsOf: URL(fileURLWithPath: shop))
    bytes[bytes.count / 2] ^= 0x55
    try bytes.write(to: URL(fileURLWithPath: shop))
    let run = try CommandRun(["replay", shop, till, "--format", "ndjson"])
    #expect(run.status == 4)
    #expect(run.errors.contains("varve: warning: left out "))
    let lines = run.output.split(separator: "\n").count
    #expect(lines >= 41 && lines < 49)
    #expect(try CommandRun(["replay", shop, folder.file("gone.varve")]).status == 3)
  }

  @Test("nothing is left behind in the folder for temporary files")
  func temporary() throws {
    let place = TemporaryFolder()
    let run = try CommandRun(["info", shop, till], environment: ["TMPDIR": place.path])
    #expect(run.status == 0)
    #expect(place.names.isEmpty)
  }
}
