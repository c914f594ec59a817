import Foundation
import Testing
import VarveAnalysis
import VarveFormat
import VarveTraceScript

/// Each of the demo's mistakes is found by one command, which names its file and line.
@Suite("The demo's cases", .serialized)
struct CaseTests {
  private let folder = TemporaryFolder()

  /// Where the mistake is: `StaleResult.swift:17`, by the comment at its line.
  private func culprit(in file: String) throws -> String {
    let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    let source = tests.deletingLastPathComponent().deletingLastPathComponent()
      .appendingPathComponent("Tools/SearchDemo/Cases/\(file)")
    let lines = try String(contentsOf: source, encoding: .utf8)
      .split(separator: "\n", omittingEmptySubsequences: false)
    let marked = lines.indices.filter { lines[$0].hasSuffix("// culprit") }
    let line = try #require(marked.first)
    #expect(marked.count == 1)
    return "\(file):\(line + 1)"
  }

  private func record(_ name: String) throws -> String {
    let trace = folder.file("\(name).varve")
    let run = try CommandRun(
      ["--case", name],
      environment: [
        "VARVE_TRACE": trace, "VARVE_OPTIONS": "preset=light,stacks,absorption",
        "SWIFT_BACKTRACE": "enable=no",
      ], program: "SearchDemoCommand")
    let dies = ["crash", "hang"].contains(name)
    try #require(dies ? run.status > 128 : run.status == 0, "\(run.errors)")
    return trace
  }

  @Test("a stale result is shown: why tells which query it answers, and where that was decided")
  func stale() throws {
    let why = try CommandRun(["why", record("stale"), "results"])
    #expect(why.output.contains("results \"4 lines with la\""))
    #expect(why.output.contains("query \"la\""))
    #expect(!why.output.contains("query \"lake\""))
    let flattened = try #require(
      why.output.split(separator: "\n").first { $0.contains("….flatMap(.merge, _:) ") })
    #expect(flattened.hasSuffix("  \(try culprit(in: "StaleResult.swift"))"))
    #expect(!why.output.contains("near "))
  }

  @Test("nothing arrives: why-silent names the input that never sent")
  func silent() throws {
    let why = try CommandRun(["why-silent", record("silent"), "list"])
    let culprit = try culprit(in: "NothingArrives.swift")
    #expect(why.status == 0)
    #expect(
      why.output.hasPrefix(
        "list delivered nothing, because settings (\(culprit)) is a source to which nothing "
          + "was ever sent.\n"))
    #expect(why.output.contains("waits for its 3rd input"))
    #expect(why.output.contains("\n▸ \(culprit)"), "the mark is on what the first line tells")
  }

  @Test("a leak: streams --open shows what is left, how much of it, and where it was made")
  func leak() throws {
    let open = try CommandRun(["streams", record("leak"), "--open"])
    let line = try #require(
      open.output.split(separator: "\n").first { $0.hasPrefix("page.paper ") })
    #expect(line.contains(try culprit(in: "Leak.swift")))
    #expect(line.contains(" 24 "))
    #expect(line.contains("opened 24"))
    // Who observes, by the code that does.
    #expect(line.contains("closure #1 in Leak.run() at Leak.swift:14"))
    // Operators' files are called as those of roots are.
    let streams = try CommandRun(
      ["streams", folder.file("leak.varve"), "-n", "theme.map*", "--format", "ndjson"])
    #expect(streams.output.contains("\"place\":\"DemoCases/Leak.swift:13\""))
    // The operator between has a place of its own.
    let theme = try #require(open.output.split(separator: "\n").first { $0.hasPrefix("theme ") })
    #expect(theme.contains("….map(_:) (Leak.swift:13)"))
  }

  @Test("a slow scheduler: latency names what its work spent the time on")
  func slow() throws {
    let latency = try CommandRun(["latency", record("slow")])
    let culprit = try culprit(in: "SlowScheduler.swift")
    let longest = try #require(
      latency.output.components(separatedBy: "longest runs\n").last?.split(separator: "\n").first)
    #expect(longest.contains("QueueScheduler(interface)"))
    #expect(longest.contains("layout (\(culprit))"))
  }

  @Test("a crash: postmortem tells the thread's way back over four hops to the user's line")
  func crash() throws {
    let page = try CommandRun(["postmortem", record("crash")])
    #expect(page.status == 0)
    #expect(page.output.contains("crashed: signal"))
    let crashed = try #require(page.output.components(separatedBy: "crashed here").last)
    let hops = crashed.components(separatedBy: "began work after").count - 1
    #expect(hops >= 4)
    #expect(crashed.contains("quantities 0"))
    #expect(crashed.contains("closure #3 in BackgroundCrash.run() at BackgroundCrash.swift:16"))
    #expect(crashed.contains("BackgroundCrash.run() at BackgroundCrash.swift:18"))
    #expect(crashed.contains(try culprit(in: "BackgroundCrash.swift")))
  }

  @Test(
    "each answer marks one line: the culprit, or where the signal struck",
    arguments: [
      ("stale", ["info"], "StaleResult.swift:13"), ("silent", ["info"], nil),
      ("slow", ["latency"], nil), ("leak", ["streams", "--open"], nil),
      ("twice", ["info"], nil), ("hang", ["postmortem"], nil), ("thread", ["info"], nil),
      ("crash", ["postmortem"], "BackgroundCrash.swift:16"),
    ])
  func marks(name: String, question: [String], place: String?) throws {
    let run = try CommandRun([question[0], record(name)] + question.dropFirst())
    let marked = run.output.split(separator: "\n").filter { $0.contains("▸") }
    #expect(marked.count == 1, "\(run.output)")
    let files = [
      "silent": "NothingArrives.swift", "slow": "SlowScheduler.swift", "leak": "Leak.swift",
      "twice": "DoubleOrder.swift", "hang": "WaitForItself.swift", "thread": "WrongThread.swift",
    ]
    let wanted = try place ?? culprit(in: files[name] ?? "")
    #expect(marked.first?.contains(wanted) == true, "\(run.output)")
    // Samples that the recorder took are no events of a stream, or of a thread of the program.
    #expect(!run.output.contains("no stream") && !run.output.contains("still running"))
  }

  @Test("an answer about an observation marks the code that began it")
  func observation() throws {
    let page = try CommandRun(["info", record("twice")])
    let observed = try #require(page.output.firstMatch(of: /why \S+ '(#[\d.]+)'/)?.1)
    let why = try CommandRun(["why", record("twice"), String(observed)])
    #expect(why.output.contains("▸ \(try culprit(in: "DoubleOrder.swift"))  order was observed"))
  }

  @Test("nothing is found in the demo, which is well, in virtual time and in real time")
  func healthy() throws {
    let corpus = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("Corpus").path
    let (virtual, real) = (folder.file("virtual.varve"), folder.file("real.varve"))
    let program = "SearchDemoCommand"
    let first = try CommandRun(["--folder", corpus, "--virtual", virtual], program: program)
    let second = try CommandRun(
      ["--folder", corpus],
      environment: ["VARVE_TRACE": real, "VARVE_OPTIONS": "preset=light,stacks,absorption"],
      program: program)
    try #require(first.status == 0 && second.status == 0)
    for trace in [virtual, real] {
      let reader = try TraceReader(path: trace)
      let findings = Findings(try TraceHistory(reader), reader, lookup: EventLookup(reader)).all
      #expect(findings.map(\.kind) == [])
    }
  }

  @Test("the demo says when there is no text to search, and what to try")
  func noText() throws {
    let run = try CommandRun([], folder: folder.path, program: "SearchDemoCommand")
    #expect(run.status == 2)
    #expect(run.errors.contains("no text to search in Sources and Docs here; try --folder"))
  }

  @Test(
    "what is wrong is found without being asked for",
    arguments: [
      ("stale", "stale", "StaleResult.swift"), ("silent", "silence", "NothingArrives.swift"),
      ("leak", "leak", "Leak.swift"), ("slow", "backlog", "SlowScheduler.swift"),
      ("twice", "restarted", "DoubleOrder.swift"), ("hang", "hang", "WaitForItself.swift"),
      ("thread", "thread", "WrongThread.swift"),
    ])
  func findings(name: String, kind: String, file: String) throws {
    let trace = try record(name)
    let culprit = try culprit(in: file)
    for page in [try CommandRun(["postmortem", trace]), try CommandRun(["info", trace])] {
      let lines = page.output.split(separator: "\n")
      let found = lines.indices.filter { lines[$0].hasPrefix("  \(kind) ") }
      #expect(found.count == 1)
      let told = found.first.map { lines[$0...].prefix(2).joined() } ?? ""
      #expect(told.contains(culprit), "\(page.output)")
    }
  }
}
