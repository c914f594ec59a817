import Foundation
import Testing
import VarveAnalysis
import VarveFormat
import VarveProbe
import VarveTraceScript

/// `varve backtrace`, on traces of a program that died in the midst of work.
@Suite("varve backtrace")
struct BacktraceTests {
  private let folder = TemporaryFolder()
  private var trace: String { folder.file("child.varve") }

  private func crash() throws {
    let run = try CommandRun(
      ["run", "-q", "-o", trace, "--options", "crashes=yes", "--", Self.child.path, "crash"])
    #expect(run.status == 128 + SIGSEGV)
  }

  private static var child: URL {
    CommandRun.command.deletingLastPathComponent().appendingPathComponent("HopsChild")
  }

  /// The frames of a segment, as the command writes them.
  private struct Line: Decodable {
    struct Segment: Decodable {
      struct Frame: Decodable {
        var address: String
        var function: String?
        var file: String?
        var line: Int?
        var machinery: Bool
      }
      var scheduler: String?
      var event: String?
      var frames: [Frame]

      func mentions(_ function: String) -> Bool {
        frames.contains { $0.function?.contains(function) == true }
      }
    }
    var subject: String
    var thread: String?
    var event: String?
    var running: [UInt64]?
    var cut: Bool
    var struck_at: [Segment.Frame]?
    var segments: [Segment]
  }

  private func lines(_ arguments: String...) throws -> [Line] {
    let run = try CommandRun(["backtrace", trace, "--format", "ndjson"] + arguments)
    #expect(run.status == 0, "\(run.errors)")
    return try run.output.split(separator: "\n").map {
      try JSONDecoder().decode(Line.self, from: Data($0.utf8))
    }
  }

  @Test("B6: after a fault, the trace holds the struck thread's running hop and its chain")
  func fault() throws {
    try crash()
    let lines = try lines()
    let struck = try #require(lines.first)
    #expect(struck.subject == "thread")
    #expect(struck.running?.count == 1)
    #expect(
      struck.segments.map(\.scheduler) == ["QueueScheduler(second)", "QueueScheduler(first)"])
    #expect(struck.segments[0].mentions("passOn"))
    #expect(struck.segments[1].mentions("pressKey"))
    #expect(struck.segments.allSatisfy { $0.event != nil })
    // Where it was struck, with its line.
    let place = try #require(struck.struck_at?.first)
    #expect(place.function?.contains("fail") == true)
    #expect(place.file?.hasSuffix("Endings.swift") == true)
    #expect((place.line ?? 0) > 0)
    // The main thread ran nothing of a scheduler's.
    #expect(lines.contains { $0.thread == "main" && $0.segments.isEmpty })
  }

  @Test("B6: after kill -9, each thread's running hop and its chain are there all the same")
  func kill() throws {
    let process = Process()
    process.executableURL = Self.child
    process.arguments = ["hang"]
    process.environment = ["VARVE_TRACE": trace, "PATH": "/usr/bin:/bin"]
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    // It says so when it hangs.
    #expect(!output.fileHandleForReading.availableData.isEmpty)
    #expect(Foundation.kill(process.processIdentifier, SIGKILL) == 0)
    process.waitUntilExit()
    let moment = try #require(try lines().first { $0.running?.isEmpty == false })
    #expect(
      moment.segments.map(\.scheduler) == ["QueueScheduler(second)", "QueueScheduler(first)"])
    #expect(moment.segments[0].mentions("passOn"))
    #expect(moment.segments[1].mentions("pressKey"))
  }

  @Test("B1: what waited in a queue is there, with the stack that put it there")
  func queued() throws {
    try crash()
    let waiting = try lines("--queued")
    #expect(waiting.count == 1)
    #expect(waiting.first?.subject == "queued")
    #expect(waiting.first?.segments.first?.scheduler == "QueueScheduler(second)")
    #expect(waiting.first?.segments.first?.mentions("leaveWaiting") == true)
  }

  @Test("B1: an event's way is there: the work that it was a part of, and what scheduled that")
  func event() throws {
    try crash()
    let reader = try TraceReader(path: trace)
    let observed = try #require(
      reader.definitions.streams.values.first { $0.operation.hasPrefix("observe(on:") })
    var name: EventName?
    var columns = EventColumns()
    for block in reader.blocks.indices {
      try reader.decode(block, into: &columns, columns: [.kinds, .streams])
      for index in 0..<columns.count
      where columns.kinds[index] == RecordKind.value.rawValue
        && columns.streams[index] == observed.id
      {
        name = columns.name(index)
      }
    }
    let event = try #require(name)
    let line = try #require(try lines("--event", "#\(event)").first)
    let asked = try CommandRun(["backtrace", trace, "\(event)"])
    #expect(asked.output == (try CommandRun(["backtrace", trace, "--event", "\(event)"])).output)
    #expect(asked.status == 0 && asked.output.hasPrefix("event #\(event)\n"), "\(asked.errors)")
    #expect(line.event == "\(event)")
    #expect(line.segments.map(\.scheduler) == ["QueueScheduler(first)"])
    #expect(line.segments.first?.mentions("pressKey") == true)
    // An operator's stream is placed by the stack that made it.
    #expect(observed.place == nil)
    #expect(reader.definitions.stacks[observed.stack] != nil)
  }

  @Test("B2: text names functions, files and lines, and folds the machinery")
  func text() throws {
    try crash()
    let text = try CommandRun(["backtrace", trace]).output
    #expect(text.contains("struck at"))
    #expect(text.contains("scheduled on QueueScheduler(second) (#"))
    #expect(text.contains("Endings.swift:"))
    #expect(text.contains("of the machinery)"))
    #expect(!text.contains("ScheduledWork"))
    let all = try CommandRun(["backtrace", trace, "--all-frames"]).output
    #expect(all.contains("ScheduledWork"))
    #expect(!all.contains("of the machinery)"))
    let inside = try CommandRun(["backtrace", trace, "--no-symbols"]).output
    #expect(inside.contains("0x"))
    #expect(!inside.contains("Endings.swift"))
  }

  @Test("B2: of frames without names three are shown and the others counted")
  func nameless() throws {
    var script = TraceScript()
    script.stack(7, (1...9).map { 0x1000 + $0 })
    let work = HopPayload(stack: 7, parent: 0)
    script.record(
      .hopScheduled, of: script.scheduler("queue"), .cause(work), at: 1, subscription: 9)
    try script.write(to: trace)
    let text = try CommandRun(["backtrace", trace, "--queued"]).output
    #expect(text.split(separator: "\n").count { $0.contains("0x") } == 3)
    #expect(text.contains("    (6 more frames without a name; --all-frames shows them)\n"))
    let all = try CommandRun(["backtrace", trace, "--queued", "--all-frames"]).output
    #expect(all.split(separator: "\n").count { $0.contains("0x") } == 9)
  }

  @Test("B2: another build's names are not believed, and the user is told")
  func otherBuild() throws {
    let program = folder.file("HopsChild")
    try FileManager.default.copyItem(atPath: Self.child.path, toPath: program)
    let run = try CommandRun(["run", "-q", "-o", trace, "--", program, "crash"])
    #expect(run.status == 128 + SIGSEGV)
    try FileManager.default.removeItem(atPath: program)
    try FileManager.default.copyItem(atPath: CommandRun.command.path, toPath: program)
    let stranger = try CommandRun(["backtrace", trace])
    #expect(stranger.errors.contains("is not the build that was recorded"))
    #expect(!stranger.output.contains("pressKey"))
    #expect(stranger.output.contains("in HopsChild"))
    // The right one lies elsewhere, under another name.
    try FileManager.default.copyItem(
      atPath: Self.child.path, toPath: folder.file("HopsChild.debug"))
    let found = try CommandRun(["backtrace", trace, "--symbols", folder.path])
    #expect(found.output.contains("pressKey"))
  }

  @Test("B2: a stripped program gets its names from a file of debug information")
  func stripped() throws {
    let program = folder.file("HopsChild")
    let debug = folder.file("HopsChild.debug")
    func tool(_ words: String...) throws {
      let process = Process()
      process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
      process.arguments = words
      try process.run()
      process.waitUntilExit()
      try #require(process.terminationStatus == 0)
    }
    try tool("objcopy", "--only-keep-debug", Self.child.path, debug)
    try tool("objcopy", "--strip-all", Self.child.path, program)
    let run = try CommandRun(["run", "-q", "-o", trace, "--", program, "crash"])
    #expect(run.status == 128 + SIGSEGV)
    let text = try CommandRun(["backtrace", trace]).output
    #expect(text.contains("pressKey"))
    #expect(text.contains("Endings.swift:"))
  }

  @Test("B2: without a program that knows debug information, the user is told what to install")
  func withoutTools() throws {
    try crash()
    let run = try CommandRun(["backtrace", trace], environment: ["PATH": folder.path])
    #expect(run.status == 0)
    #expect(run.errors.contains("install llvm (llvm-symbolizer) or binutils (addr2line)"))
    #expect(run.output.contains("scheduled on QueueScheduler(second)"))
    for tool in ["addr2line", "llvm-symbolizer"] {
      let other = try CommandRun(["backtrace", trace], environment: ["VARVE_SYMBOLIZER": tool])
      #expect(other.output.contains("pressKey"), "\(tool): \(other.errors)")
      #expect(other.output.contains("Endings.swift:"), "\(tool)")
    }
  }

  @Test("B2: names that were put into the trace need no program any more")
  func symbolicate() throws {
    try crash()
    let named = folder.file("named.varve")
    let run = try CommandRun(["symbolicate", trace, "-o", named])
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.errors.contains("addresses have names in"))
    let text = try CommandRun(
      ["backtrace", named, "--no-symbols"], environment: ["PATH": folder.path]
    ).output
    #expect(text.contains("pressKey"))
    #expect(text.contains("Endings.swift:"))
    #expect(text.contains("struck at\n    static Endings.fail()"))
    // Everything else is as it was.
    let (before, after) = (try TraceReader(path: trace), try TraceReader(path: named))
    #expect(after.events == before.events)
    #expect(after.ending == before.ending)
    #expect(after.definitions.stacks == before.definitions.stacks)
    #expect(!after.definitions.symbols.isEmpty)
    #expect(try after.verify() == [])
  }

  @Test(
    "B2: a recording that is asked for names has them when the program has ended, however it did",
    arguments: ["crash", "kill"])
  func baked(ending: String) throws {
    let program = folder.file("HopsChild")
    try FileManager.default.copyItem(atPath: Self.child.path, toPath: program)
    let run = try CommandRun(
      [
        "run", "-q", "--symbolicate", "-o", trace, "--options", "crashes=yes", "--", program,
        ending,
      ])
    #expect(run.status == 128 + (ending == "kill" ? SIGKILL : SIGSEGV))
    try FileManager.default.removeItem(atPath: program)
    let text = try CommandRun(
      ["backtrace", trace, "--no-symbols"], environment: ["PATH": folder.path]
    ).output
    #expect(text.contains("pressKey"))
    #expect(text.contains("Endings.swift:"))
    #expect(text.contains("struck at\n    static Endings.fail()") == (ending == "crash"))
    let info = try CommandRun(["info", trace, "--format", "json"]).output
    #expect(info.contains("\"signal\": \(ending == "kill" ? SIGKILL : SIGSEGV)"), "\(info)")
    #expect(try TraceReader(path: trace).verify() == [])
  }

  @Test("B2: each file of a recording that went on in others gets the names")
  func bakedParts() throws {
    let child = CommandRun.command.deletingLastPathComponent().appendingPathComponent("CauseChild")
    let run = try CommandRun(
      [
        "run", "-q", "--symbolicate", "-o", trace, "--options", "rotate=128K,policy=block", "--",
        child.path, "rotating", "-",
      ])
    try #require(run.status == 0, "\(run.errors)")
    let parts = folder.names.filter { $0.hasSuffix(".varve") }.map(folder.file)
    #expect(parts.count > 2)
    for part in parts {
      let reader = try TraceReader(path: part)
      #expect(reader.definitions.stacks.isEmpty || !reader.definitions.symbols.isEmpty, "\(part)")
      #expect(try reader.verify() == [])
    }
  }

  @Test("what is not there ends with the status that says so")
  func absent() throws {
    try crash()
    #expect(try CommandRun(["backtrace", trace, "--event", "1.999999"]).status == 2)
    #expect(try CommandRun(["backtrace", trace, "--event", "soon"]).status == 1)
    #expect(try CommandRun(["backtrace", trace, "--event", "1.1", "--queued"]).status == 2)
    #expect(try CommandRun(["backtrace", trace, "--thread", "nobody"]).status == 1)
  }
}
