import Foundation
import Testing
import VarveFormat
import VarveProbe
import VarveTraceScript

/// A hint is a command that somebody copies: a shell has to take it as it was printed.
@Suite("What the command hints at", .serialized)
struct HintTests {
  private let folder = TemporaryFolder()

  /// A trace in which much is wrong: every kind of hint has a reason.
  private func sick(_ name: String, pid: UInt32 = 4711) throws -> String {
    var script = TraceScript()
    script.process.pid = pid
    let theme = script.stream("it's a theme", line: 3)
    let opened = script.stream("opened", line: 4)
    for page in 0..<12 {
      script.value(opened, "\(page)", at: Double(page))
      script.record(
        .subscribed, of: theme, .stream(0), at: Double(page) + 0.5,
        subscription: 500 + UInt64(page), back: 1)
    }
    let (full, empty) = (script.stream("full"), script.stream("empty"))
    let both = script.stream("both of them", "combineLatest(_:_:)", from: [full, empty], line: 9)
    for (edge, input) in [full, empty].enumerated() {
      script.record(
        .subscribed, of: input, .stream(both), at: 12.5, subscription: 600 + UInt64(edge))
    }
    _ = script.subscribe(both, at: 12.6)
    script.value(full, "x", at: 13)
    let lost = script.stream("lost")
    let edge = script.subscribe(lost, at: 14)
    script.record(.failed, of: lost, .description("no disk"), at: 15)
    script.end(edge, of: lost, .failed, at: 16)
    let queue = script.scheduler("queue")
    for hop in 1...40 {
      script.record(.hopScheduled, of: queue, at: 20, subscription: UInt64(hop))
    }
    for hop in 1...40 {
      script.record(.hopBegan, of: queue, at: 20 + Double(hop) * 10, subscription: UInt64(hop))
      script.record(.hopEnded, of: queue, at: 29.9 + Double(hop) * 10, subscription: UInt64(hop))
    }
    let schedulers = [script.scheduler("ping"), script.scheduler("pong")]
    for hop in 1...200 {
      let time = 500 + Double(hop)
      let (id, place) = (1_000 + UInt64(hop), hop % 2)
      script.record(
        .hopScheduled, of: schedulers[place],
        .cause(HopPayload(stack: UInt32(place) + 1, parent: hop == 1 ? 0 : id - 1)), at: time,
        subscription: id)
      if hop > 1 {
        script.record(
          .hopEnded, of: schedulers[1 - place], at: time + 0.1, subscription: id - 1)
      }
      script.record(.hopBegan, of: schedulers[place], at: time + 0.2, subscription: id, back: 1)
    }
    script.lose(7, from: 900, to: 910)
    let path = folder.file(name)
    try script.write(to: path, ending: .killed)
    return path
  }

  /// The commands that a text shows, each as a shell gets it.
  private func commands(in text: String) -> [String] {
    text.split(separator: "\n").compactMap { line in
      guard let start = line.range(of: "varve ") else { return nil }
      let before = line[..<start.lowerBound]
      guard before.allSatisfy({ $0 == " " }) || before.hasSuffix("  ") || before.hasSuffix(": ")
      else { return nil }
      // What the command does stands behind it, in a column of its own.
      return String(line[start.lowerBound...]).components(separatedBy: "  ")[0]
    }
  }

  /// Runs a line as somebody would who copied it.
  private func paste(_ line: String) throws -> CommandRun {
    let commands = CommandRun.command.deletingLastPathComponent().path
    return try CommandRun(
      ["-c", line], environment: ["PATH": "\(commands):/usr/bin:/bin"], program: "/bin/bash")
  }

  private func check(_ files: [String], verbs: Set<String>) throws {
    var seen: Set<String> = []
    for verb in [["info"], ["postmortem"]] {
      let page = try CommandRun(verb + files)
      #expect(page.status == 0, "\(page.errors)")
      for command in commands(in: page.output) {
        let run = try paste(command)
        #expect(run.status == 0, "\(command)\n\(run.errors)")
        #expect(!run.output.isEmpty, "\(command)")
        seen.insert(command.split(separator: " ")[1].description)
      }
    }
    #expect(seen.isSuperset(of: verbs), "\(seen)")
    let lossy = try CommandRun(["postmortem"] + files).output
    #expect(commands(in: lossy).contains { $0.contains("replay") && $0.contains("--around") })
  }

  private static let verbs: Set = [
    "why", "why-silent", "latency", "backtrace", "timeline", "streams", "postmortem", "replay",
  ]

  @Test("G5: a mistake in a condition has a caret under it, on a line of its own")
  func caret() throws {
    var script = TraceScript()
    script.value(script.stream("keys"), "a", at: 1)
    let folder = TemporaryFolder()
    let path = folder.file("caret.varve")
    try script.write(to: path)
    let run = try CommandRun(["replay", path, "--where", "value ~ \"日本\" und"])
    #expect(run.status == 2 && run.output.isEmpty)
    #expect(
      run.errors == """
        varve: expected && or ||, or the end
          value ~ "日本" und
                         ^

        """)
  }

  @Test("of one trace, each command that is printed runs as it is")
  func one() throws { try check([sick("shop.varve")], verbs: Self.verbs) }

  @Test("of several traces too, and when their names need quotes")
  func several() throws {
    try check(
      [sick("the shop's.varve"), sick("till $(exit 3) (2).varve", pid: 17)], verbs: Self.verbs)
  }

  @Test("G5: what delivered nothing is asked about by the command that is printed then")
  func nothing() throws {
    let (one, other) = (try sick("one.varve"), try sick("other one.varve", pid: 17))
    let run = try CommandRun(["why", one, other, "both of them", "-q"])
    #expect(run.status == 1)
    let command = try #require(run.errors.components(separatedBy: "try: ").last)
    let pasted = try paste(command)
    #expect(pasted.status == 0, "\(command)\(pasted.errors)")
    #expect(pasted.output.contains("waits for its 2nd input"))
  }

  @Test("G5: a question without its subject is asked back, with an example")
  func incomplete() throws {
    let trace = try sick("shop.varve")
    for (verb, missing) in [("why", "which event?"), ("why-silent", "which stream?")] {
      let run = try CommandRun([verb, trace])
      #expect(run.status == 2)
      #expect(run.errors.contains(missing))
      #expect(run.errors.contains("try: varve \(verb) \(trace) "))
    }
    // It is known which streams were silent.
    let run = try CommandRun(["why-silent", trace])
    #expect(run.errors.contains("silent first: ") && run.errors.contains("(nothing a"))
  }

  @Test("a timeline of events that it does not draw says so, and what shows them")
  func notDrawn() throws {
    var script = TraceScript()
    let keys = script.stream("keys")
    let others = script.stream("others", from: [keys])
    _ = script.subscribe(keys, to: others, at: 1)
    script.value(keys, "a", at: 2)
    let folder = TemporaryFolder()
    let path = folder.file("begun.varve")
    try script.write(to: path)
    let run = try CommandRun(["timeline", path, "--head", "1"])
    #expect(run.status == 1 && run.errors.contains("begun.varve --head 1 shows them"))
  }

  @Test("G5: where no event is of the kinds that were asked for, it is said what to try")
  func kinds() throws {
    var script = TraceScript()
    let keys = script.stream("keys")
    let edge = script.subscribe(keys, at: 1)
    script.value(keys, "a", at: 2)
    script.end(edge, of: keys, .completed, at: 3)
    let folder = TemporaryFolder()
    let path = folder.file("few kinds.varve")
    try script.write(to: path)
    func errors(_ flags: String...) throws -> String {
      let run = try CommandRun(["replay", path] + flags)
      #expect(run.status == 1 && run.output.isEmpty, "\(flags)")
      return run.errors
    }
    #expect(try errors("-k", "log").contains("a program writes one with logEvents()"))
    #expect(try errors("-k", "mark").contains("Recorder.mark(_:)"))
    let lines = [
      try errors("-k", "disposed"), try errors("-k", "hop,log"), try errors("-k", "hopBegan"),
      try errors("-k", "value", "--since", "2.5ms"), try errors("--since", "5ms"),
      try errors("-k", "disposed", "--head", "1"), try errors("--thread", "77"),
    ]
    for line in lines {
      let start = try #require(line.range(of: "varve ", options: .backwards))
      let command = line[start.lowerBound...].components(separatedBy: " lists ")[0]
      let run = try paste(command.trimmingCharacters(in: .newlines))
      #expect(run.status == 0 && !run.output.isEmpty, "\(line)\(run.errors)")
    }
  }
}
