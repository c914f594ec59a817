import Foundation
import Testing
import VarveFormat
import VarveProbe
import VarveTraceScript

/// `varve postmortem`, on traces of programs that died in the midst of work.
@Suite("varve postmortem")
struct PostmortemTests {
  private let folder = TemporaryFolder()
  private var trace: String { folder.file("child.varve") }

  /// A way to die: what the child is told, what kills it, and the function that it is struck in.
  struct Death: CustomTestStringConvertible {
    var how: String
    var signals: [Int32]
    var function: String?
    var testDescription: String { how }
  }

  static let deaths = [
    Death(how: "fatal", signals: [SIGILL, SIGTRAP], function: "static Endings.giveUp()"),
    Death(how: "crash", signals: [SIGSEGV], function: "static Endings.fail()"),
    Death(how: "overflow", signals: [SIGSEGV, SIGBUS], function: "static Endings.descend(_:)"),
    Death(how: "kill", signals: [SIGKILL], function: nil),
  ]

  private func die(_ death: Death) throws -> String {
    let child = CommandRun.command.deletingLastPathComponent().appendingPathComponent("HopsChild")
    let run = try CommandRun(
      ["run", "-q", "-o", trace, "--options", "crashes=yes", "--", child.path, death.how],
      environment: ["SWIFT_BACKTRACE": "enable=no"])
    #expect(death.signals.contains(run.status - 128), "\(run.status)")
    let page = try CommandRun(["postmortem", trace])
    #expect(page.status == 0, "\(page.errors)")
    return page.output
  }

  /// The line of the child's source that holds a text, as places tell it.
  private func place(_ text: String) throws -> String {
    let source = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().appendingPathComponent("HopsChild/Endings.swift")
    let lines = try String(contentsOf: source, encoding: .utf8).components(separatedBy: "\n")
    let index = try #require(lines.firstIndex { $0.contains(text) })
    return "Endings.swift:\(index + 1)"
  }

  /// The lines about the thread that a text is told of.
  private func section(with text: String, in page: String) -> String? {
    page.components(separatedBy: "\n\n").first { $0.contains(text) }
  }

  @Test(
    "B6: whatever killed it, each thread's last event and its way back are told by function and line",
    arguments: deaths)
  func everyThread(death: Death) throws {
    let page = try die(death)
    let worker = try #require(
      section(with: "QueueScheduler(second) began work", in: page), "\(page)")
    #expect(worker.contains("QueueScheduler(second) began work"), "\(worker)")
    // The work's way back: over two queues to the key that somebody pressed.
    let steps = [
      "scheduled on QueueScheduler(second)",
      "static Endings.passOn(to:_:) at \(try place("    scheduler.schedule {"))",
      "scheduled on QueueScheduler(first)",
      "static Endings.pressKey(_:) at \(try place("input.send(value: 1)"))",
    ]
    var rest = Substring(worker)
    for step in steps {
      let found = try #require(rest.range(of: step), "\(step) is not in order in \(worker)")
      rest = rest[found.upperBound...]
    }
    if let function = death.function {
      #expect(worker.contains("crashed here"))
      #expect(worker.contains("      \(function) at Endings.swift:"), "\(worker)")
    }
    let main = try #require(section(with: "  1 (main)\n", in: page), "\(page)")
    #expect(main.contains("QueueScheduler(second) was given work"), "\(main)")
    let objects = try CommandRun(["postmortem", trace, "--format", "ndjson"]).output
    let subjects = try objects.split(separator: "\n").map { line in
      let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
      return object?["subject"] as? String ?? ""
    }
    #expect(subjects.first == "trace")
    #expect(Set(subjects).isSuperset(of: ["thread", "queued", "open"]))
    // Of the machinery between two of the program's functions, only the number of frames is told.
    #expect(!objects.contains("\"machinery\":true"))
    #expect(objects.contains(/"machinery_frames":[1-9]/) && objects.contains("pressKey"))
    let queued = try #require(page.range(of: "work that was queued and never ran: 1"), "\(page)")
    #expect(page[queued.upperBound...].contains("QueueScheduler(second)"))
  }

  @Test("work whose beginning may be among what is missing is not said never to have run")
  func missing() throws {
    let folder = TemporaryFolder()
    var script = TraceScript()
    let queue = script.scheduler("QueueScheduler(search index)")
    let keys = script.stream("keystrokes", line: 12)
    script.value(keys, "a long text that the program's user has typed", at: 1)
    script.record(
      .hopScheduled, of: queue, .cause(HopPayload(stack: 0, parent: 0)), at: 2, subscription: 9,
      back: 1)
    for isWhole in [true, false] {
      if !isWhole { script.lose(40, from: 3, to: 4) }
      let file = folder.file("\(isWhole).varve")
      try script.write(to: file)
      let page = try CommandRun(["postmortem", file, "-q"]).output
      #expect(page.contains("work that was queued and never ran: 1") == isWhole, "\(page)")
      #expect(page.contains("as far as the trace is intact, never ran: 1") != isWhole)
    }
    // At a terminal, what caused the work stands below it, with its place.
    let run = try TerminalRun(
      ["postmortem", "true.varve"], rows: 60, columns: 60,
      environment: ["NO_COLOR": "1", "PAGER": "", "VARVE_CONFIG": ""], folder: folder.file(""))
    _ = run.end()
    #expect(run.output.contains("  #1.2  2.000000 ms  QueueScheduler(search index)\r\n"))
    let told = run.output.split(separator: "\r\n").filter { $0.hasPrefix("      ") }
    #expect(told.first?.hasPrefix("      ← #1.1 keystrokes") == true, "\(run.output)")
    #expect(told.contains { $0.hasSuffix("Shop.swift:12") }, "\(run.output)")
  }

  @Test("G5: without a search, the page says what was not looked for, and has all else")
  func unsearched() throws {
    let folder = TemporaryFolder()
    var script = TraceScript()
    let queue = script.scheduler("QueueScheduler(search index)")
    let keys = script.stream("keystrokes", line: 12)
    for time in [1, 2] {
      _ = script.subscribe(keys, to: 0, at: Double(time))
      script.value(keys, "a", at: Double(time))
    }
    for kind in [RecordKind.hopScheduled, .hopBegan, .hopEnded] {
      script.record(kind, of: queue, at: 3, subscription: 7)
    }
    script.record(.hopScheduled, of: queue, at: 3, subscription: 8)
    script.lose(40, from: 4, to: 5)
    let file = folder.file("long.varve")
    try script.write(to: file)
    let whole = try CommandRun(["postmortem", file, "--findings"]).output
    #expect(try CommandRun(["postmortem", file]).output == whole)
    let page = try CommandRun(["postmortem", file, "--no-findings"]).output
    let sections = page.components(separatedBy: "\n\n")
    let added = sections.filter { $0.hasPrefix("what was not looked for\n") }
    let section = try #require(added.first, "\(page)")
    #expect(section.contains("not looked for: to read all 8 events") && added.count == 1, "\(page)")
    #expect(section.hasSuffix("varve postmortem \(file) --findings"), "\(page)")
    let others = sections.filter { !$0.hasPrefix("what was not looked for\n") }
    #expect(others == whole.components(separatedBy: "\n\n"))
    for (flag, isSearched) in [("--no-findings", false), ("--findings", true)] {
      let objects = try CommandRun(["postmortem", file, flag, "--format", "ndjson"]).output
      #expect(objects.contains("\"searched\":\(isSearched)"))
    }
  }

  @Test("B6: of which work never ran, objects tell what the page tells, also of a part of the time")
  func queuedAlike() throws {
    let folder = TemporaryFolder()
    var script = TraceScript()
    let queue = script.scheduler("queue")
    for hop in 1...3 {
      script.record(.hopScheduled, of: queue, at: Double(hop), subscription: UInt64(hop))
    }
    script.record(.hopBegan, of: queue, at: 4, subscription: 1)
    script.record(.hopEnded, of: queue, at: 5, subscription: 1)
    script.record(.hopCancelled, of: queue, at: 6, subscription: 2)
    let file = folder.file("queued.varve")
    try script.write(to: file)
    for (flags, left) in [([], ["1.3"]), (["--until", "3.5ms"], ["1.1", "1.2", "1.3"])] {
      for search in ["--findings", "--no-findings"] {
        let words = ["postmortem", file, search] + flags
        let page = try CommandRun(words).output
        #expect(page.contains("work that was queued and never ran: \(left.count)"), "\(page)")
        let objects = try CommandRun(words + ["--format", "ndjson"]).output.split(separator: "\n")
        let queued = objects.filter { $0.hasPrefix("{\"subject\":\"queued\"") }
        #expect(queued.count == left.count, "\(queued)")
        for (line, event) in zip(queued, left) {
          #expect(line.contains("\"event\":\"\(event)\""), "\(line)")
        }
      }
    }
  }
}
