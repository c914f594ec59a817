import Foundation
import Testing
import VarveAnalysis
import VarveFormat
import VarveProbe
import VarveTraceScript

/// Tasks of programs that do not use Varve, recorded by `varve run`.
@Suite("Recorded tasks")
struct RecordedTasksTests {
  private let folder = TemporaryFolder()

  private static func program(_ name: String) -> String {
    CommandRun.command.deletingLastPathComponent().appendingPathComponent(name).path
  }

  /// Records the program whose tasks know their creators. Returns the lines that it prints.
  private func recordOracle(
    depth: Int, _ words: [String] = []
  ) throws -> [[Substring]] {
    let run = try CommandRun(
      ["run", "-q", "-o", folder.file("oracle.varve"), "--force", "--options", "policy=block"]
        + ["--", Self.program("TaskOracle"), "\(depth)"] + words)
    #expect(run.status == 0 && run.errors == "", "\(run.errors)")
    return run.output.split(separator: "\n").map { $0.split(separator: " ") }
  }

  private struct Task: Decodable, Hashable {
    var task: UInt64
    var name: String?
    var kind: String
    var made_by: UInt64?
    var phase: String
    var awaiting: String?
    var awaited_task: UInt64?
    var cancelled: Bool
    var made_at: [Frame]
    var frames: [Frame]

    struct Frame: Decodable, Hashable {
      var function: String?
      var file: String?
      var line: Int?
    }
  }

  private func tasks(_ file: String, _ options: [String]) throws -> [UInt64: Task] {
    let run = try CommandRun(
      ["tasks", folder.file(file), "--all-frames", "--format", "ndjson"] + options)
    #expect(run.errors == "", "\(run.errors)")
    let tasks = try run.output.split(separator: "\n").map {
      try JSONDecoder().decode(Task.self, from: Data($0.utf8))
    }
    return Dictionary(uniqueKeysWithValues: tasks.map { ($0.task, $0) })
  }

  /// Records the program whose tasks wait, or run, in one of several ways.
  private func record(_ mode: String) throws -> String {
    let trace = folder.file("\(mode).varve")
    let run = try CommandRun(["run", "-q", "-o", trace, "--", Self.program("TasksChild"), mode])
    #expect(run.status == 0, "\(run.errors)")
    return trace
  }

  /// The place in that program that bears a comment: `main.swift:12`.
  private func place(_ comment: String) throws -> String {
    let source = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().appendingPathComponent("TasksChild/main.swift")
    let lines = try String(contentsOf: source, encoding: .utf8).components(separatedBy: "\n")
    return try "main.swift:\(#require(lines.firstIndex { $0.hasSuffix("// " + comment) }) + 1)"
  }

  @Test("G1: what holds the main actor is marked, and not the await before it")
  func mainActor() throws {
    let trace = try record("busy")
    let page = try CommandRun([trace]).output
    #expect(try page.contains("▸ " + place("the work")), "\(page)")
    // Of samples within functions that have just been called, the line further out is common.
    let inner = try [place("the loop"), place("the work")]
    // On a machine without a moment to spare, none may have been taken.
    let isSampled = page.contains("the main actor, at ")
    #expect(!isSampled || inner.contains { page.contains("the main actor, at " + $0) }, "\(page)")
    let latency = try CommandRun(["latency", trace]).output
    #expect(try latency.hasPrefix("▸ \(place("the work"))\n"), "\(latency)")
    #expect(latency.contains("where tasks waited\n"), "\(latency)")
  }

  @Test("K1, G1: the error of a task that nobody awaits is found, and others' errors are not")
  func lostError() throws {
    let trace = try record("failing")
    let page = try CommandRun([trace]).output
    #expect(try page.contains("▸ " + place("the lost error")), "\(page)")
    #expect(page.contains("failed with Unlucky, thrown at "), "\(page)")
    #expect(page.components(separatedBy: "nobody awaits").count == 2, "\(page)")
    let failed = try CommandRun(["tasks", trace, "--ended", "--format", "ndjson"]).output
    #expect(failed.components(separatedBy: "\"failure\":\"Unlucky\"").count == 4, "\(failed)")
    #expect(failed.contains("\"failure\":\"CancellationError\""), "\(failed)")
    let read = try CommandRun(["replay", trace, "-k", "taskFailureRead", "--format", "ndjson"])
    #expect(read.output.split(separator: "\n").count == 1, "\(read.output)")
  }

  @Test(
    "K1, G1: an error that code throws has its line, also one whose type is declared, and where it ends"
  )
  func caughtErrors() throws {
    let trace = try record("throwing")
    let thrown = try CommandRun(["replay", trace, "-k", "errorThrown", "--format", "ndjson"]).output
    #expect(thrown.split(separator: "\n").count == 2, "\(thrown)")
    #expect(thrown.contains("Unlucky") && thrown.contains("Refusal"), "\(thrown)")
    let page = try CommandRun(["tasks", trace, "--ended"]).output
    #expect(try page.contains("▸ " + place("the try")), "\(page)")
    #expect(try page.contains("Unlucky, which was thrown at " + place("the throw")), "\(page)")
    #expect(
      try page.contains("Refusal, which was thrown at " + place("the typed throw")), "\(page)")
    #expect(try page.contains(place("the catch")), "\(page)")
  }

  @Test(
    "K6: where no task keeps others waiting, the most tasks of one place that wait at one place are marked"
  )
  func alike() throws {
    let trace = try record("keeping")
    let tasks = try CommandRun(["tasks", trace]).output
    #expect(
      try tasks.contains("that the same code made wait at ▸ " + place("the keeper")), "\(tasks)")
  }

  private struct Event: Decodable {
    var stream: Int?
    var `operator`: String?
    var kind: String
    var value: Value?
    var reason: String?

    enum Value: Decodable, Equatable {
      case text(String), number(Int), other

      init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let text = try? container.decode(String.self) {
          self = .text(text)
        } else {
          self = (try? container.decode(Int.self)).map { .number($0) } ?? .other
        }
      }
    }
  }

  @Test(
    "K1: what passes through an AsyncStream of a program is recorded as a stream, with its values and its end"
  )
  func elements() throws {
    let trace = try record("elements")
    let lines = try CommandRun(["replay", trace, "-n", "Async*", "--format", "ndjson"]).output
    let events = try lines.split(separator: "\n").map {
      try JSONDecoder().decode(Event.self, from: Data($0.utf8))
    }
    let streams = Dictionary(grouping: events) { $0.stream ?? 0 }.sorted { $0.key < $1.key }
      .map(\.value)
    try #require(streams.count == 4, "\(lines)")
    func kinds(_ index: Int) -> [String] { streams[index].map(\.kind).filter { $0 != "sent" } }
    let few = streams[0]
    #expect(few.filter { $0.kind == "value" }.map(\.value) == (1...5).map { .text("few \($0)") })
    #expect(
      few.filter { $0.kind == "absorbed" }.map(\.reason) == [
        "superseded", "superseded", "superseded",
      ])
    #expect(kinds(0).last == "completed")
    #expect(kinds(1) == ["value", "completed", "value", "absorbed"])
    #expect(streams[1].last { $0.kind == "absorbed" }?.reason == "ended")
    #expect(kinds(2) == ["failed"] && lines.contains("Unlucky"))
    #expect(kinds(3) == Array(repeating: "value", count: 6) + ["completed"])
    let page = try CommandRun(["tasks", trace, "--ended"]).output
    for place in ["the small buffer", "the early end", "the second consumer"] {
      #expect(try page.contains(self.place(place)), "\(place): \(page)")
    }
    #expect(page.contains("3 elements of 5 of AsyncStream<String> had no room"), "\(page)")
  }

  @Test("K1: a stream that lies where another one lay is another one, from its first element on")
  func reusedStorage() throws {
    let trace = try record("reusing")
    func events(_ name: String) throws -> [Event] {
      try CommandRun(["replay", trace, "-n", name, "-k", "value", "--format", "ndjson"]).output
        .split(separator: "\n").map { try JSONDecoder().decode(Event.self, from: Data($0.utf8)) }
    }
    let numbers = try events("AsyncStream<Int>")
    #expect(numbers.map(\.value) == (0..<300).map { .number($0) })
    let texts = try events("AsyncThrowingStream<String>")
    #expect(
      texts.map(\.value) == (0..<300).map { .text("a text that has no room in a word, \($0)") })
    #expect(Set((numbers + texts).map(\.stream)).count == 600)
  }

  @Test("K6: a task that has failed shows where its error was thrown")
  func failingLine() throws {
    let trace = try record("failing")
    let tasks = try CommandRun(["tasks", trace, "--ended"]).output
    #expect(try tasks.contains(place("the lost error") + "  closure"), "\(tasks)")
    let page = try CommandRun([trace]).output
    #expect(try page.contains("Unlucky, thrown at " + place("the lost error")), "\(page)")
  }

  @Test("G1: a child whose error ended its group is told, at the loop over the group's results")
  func gathering() throws {
    let trace = try record("gathering")
    let tasks = try CommandRun(["tasks", trace, "--ended"]).output
    #expect(try tasks.contains("▸ " + place("the loop over results")), "\(tasks)")
    #expect(tasks.contains("failed with Unlucky"), "\(tasks)")
    #expect(tasks.contains("3 others were cancelled, too"), "\(tasks)")
  }

  @Test(
    "K1: work that runs for long is sampled where it is: it sleeps, wants a held lock, or computes"
  )
  func samples() throws {
    let trace = try record("long")
    let reader = try TraceReader(path: trace)
    let samples = WorkSamples(reader)
    let symbols = Symbolizer(reader.definitions)
    var found: [String: [Bool]] = [:]
    var holders: [UInt64] = []
    for sampled in samples.sampled.values {
      // A function that has just been called has no frame yet, and hides its caller.
      for stack in sampled.stacks {
        let frames = reader.definitions.stacks[stack]?.frames ?? []
        symbols.lookUp(frames)
        guard let own = symbols.ownFrame(of: frames) else { continue }
        let line = "main.swift:\(own.place.line)"
        found[line, default: []].append(sampled.waits)
        if try place("the lock") == line { holders.append(sampled.holder) }
      }
    }
    // On a busy machine, other work may take long, too.
    for (comment, waits) in [("the nap", true), ("the lock", true), ("the loop", false)] {
      #expect(try found[place(comment)]?.contains(waits) == true, "\(comment): \(found)")
    }
    // The thread that holds the lock runs a task, too.
    let threads = reader.definitions.threads.values.map(\.systemID)
    #expect(holders.contains(where: threads.contains), "\(holders)")
  }

  @Test("K5: JSON and CSV have the tasks that NDJSON has, in the same order")
  func formats() throws {
    _ = try recordOracle(depth: 2)
    func answer(_ format: String) throws -> String {
      try CommandRun(
        ["tasks", folder.file("oracle.varve"), "--ended", "--no-symbols", "--format", format]
      ).output
    }
    let numbers = try answer("ndjson").split(separator: "\n").map {
      try JSONDecoder().decode(Task.self, from: Data($0.utf8)).task
    }
    let array = try JSONDecoder().decode([Task].self, from: Data(answer("json").utf8))
    #expect(numbers.count > 4 && array.map(\.task) == numbers)
    let rows = try answer("csv").split(whereSeparator: \.isNewline)
    #expect(rows.first?.hasPrefix("task,") == true)
    #expect(rows.dropFirst().compactMap { UInt64($0.prefix { $0 != "," }) } == numbers)
  }

  @Test("K1, K5: thousands of tasks have the creators and kinds that they say they have")
  func oracle() throws {
    let lines = try recordOracle(depth: 5)
    #expect(lines.last == ["sum", "5312,", "actor", "5312"] || lines.last?.first == "sum")
    let tasks = try tasks("oracle.varve", ["--ended", "--no-symbols"])
    let kinds = [
      "main": "task", "task": "task", "asyncLet": "async let", "groupChild": "group child",
    ]
    var said = 0
    for line in lines where line.count >= 3 && line[0] != "sum" {
      let number = try #require(UInt64(line[0]))
      let task = try #require(tasks[number], "task \(number) is not in the recording")
      #expect((task.made_by ?? 0) == UInt64(line[1]), "task \(number)")
      #expect(task.kind == kinds[String(line[2])], "task \(number)")
      #expect((task.name ?? "") == (line.count > 3 ? String(line[3]) : ""), "task \(number)")
      #expect(task.phase == "ended" || line[2] == "main", "task \(number)")
      #expect(task.cancelled == (task.name == "sleeper"), "task \(number)")
      #expect(!task.made_at.isEmpty || line[2] == "main", "task \(number)")
      said += 1
    }
    #expect(said > 5_000)
    // What remains are the tasks by which the runtime wakes sleeping ones.
    let others = tasks.values.filter { task in
      !lines.contains { $0.first.map(String.init) == "\(task.task)" }
    }
    #expect(others.allSatisfy { $0.made_by == nil && $0.kind == "task" })
  }

  @Test("K2: each run of a task that was suspended has been scheduled by somebody")
  func resumptions() throws {
    _ = try recordOracle(depth: 4, ["quiet"])
    let reader = try TraceReader(path: folder.file("oracle.varve"))
    #expect(try reader.verify() == [])
    #expect(reader.losses.isEmpty)
    var scheduled: Set<UInt64> = []
    var began: [UInt64: UInt64] = [:]
    var ended: [UInt64: TaskAwaitPayload] = [:]
    var block = EventColumns()
    for each in reader.blocks.indices {
      try reader.decode(each, into: &block, columns: .all)
      for index in 0..<block.count {
        let hop = block.subscriptions[index]
        switch RecordKind(rawValue: block.kinds[index]) {
        case .hopScheduled: #expect(scheduled.insert(hop).inserted)
        case .hopBegan:
          #expect(block.payloadKinds[index] == PayloadKind.task.rawValue)
          began[hop] = TaskRunPayload(word: block.words[index]).task
        case .hopEnded: ended[hop] = TaskAwaitPayload(word: block.words[index])
        default: break
        }
      }
    }
    #expect(began.count > 2_000)
    let neverBegan = scheduled.subtracting(began.keys)
    #expect(neverBegan.isEmpty)
    // The program's first task is not scheduled, nor are the runtime's helpers that end sleeps.
    let unscheduled = Set(Set(began.keys).subtracting(scheduled).compactMap { began[$0] })
    #expect(unscheduled.contains(1))
    #expect(unscheduled.count <= 1 + 125)
    // The last run of each thread may end with the program.
    #expect(began.keys.count { ended[$0] == nil } <= reader.definitions.threads.count)
    for end in ended.values {
      #expect(end.awaited != TaskAwait.unknown.rawValue)
      #expect(
        end.awaited == TaskAwait.nothing.rawValue || reader.definitions.stacks[end.stack] != nil)
      #expect(
        end.awaited != TaskAwait.task.rawValue || began.values.contains(end.number), "\(end)")
    }
  }

  /// The lines of a program's source that a comment marks.
  private func line(_ mark: String, of program: String) throws -> Int {
    let source = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().appendingPathComponent("\(program)/main.swift")
    let lines = try String(contentsOf: source, encoding: .utf8).components(separatedBy: "\n")
    return try #require(lines.firstIndex { $0.hasSuffix("// the \(mark)") }) + 1
  }

  @Test(
    "K1, K2, K4: a program that hangs, terminated or killed, tells what each task waits for",
    arguments: [SIGTERM, SIGKILL])
  func hanging(signal: Int32) throws {
    let child = Process()
    child.executableURL = CommandRun.command
    child.arguments = [
      "run", "-q", "-o", folder.file("hang.varve"), "--", Self.program("TasksChild"),
    ]
    try child.run()
    // What a living program has recorded can be asked for, too.
    for _ in 0..<600 {
      usleep(50_000)
      let run = try CommandRun([
        "tasks", "-q", folder.file("hang.varve"), "--no-symbols", "--awaiting", "task",
      ])
      if run.status == 0, run.output.contains("(main)") || run.output.contains("2 tasks") { break }
    }
    // The recorder notes that it is alive, though nothing happens.
    for _ in 0..<600 {
      let reader = try TraceReader(path: folder.file("hang.varve"))
      let last = TraceSpan(of: reader).ticks?.upperBound ?? 0
      let time = reader.time
      let silence =
        time.nanoseconds(sinceStart: time.lastTick) - time.nanoseconds(sinceStart: last)
      if silence >= 1_100_000_000 { break }
      usleep(50_000)
    }
    let recorded = try TraceReader(path: folder.file("hang.varve")).header.process.pid
    kill(signal == SIGKILL ? pid_t(recorded) : child.processIdentifier, signal)
    child.waitUntilExit()
    let page = try CommandRun(["-q", folder.file("hang.varve")])
    #expect(page.output.contains("; alive without an event until "), "\(page.output)")
    let tasks = try tasks("hang.varve", [])
    func named(_ name: String) throws -> Task {
      try #require(tasks.values.first { $0.name == name }, "there is no \(name)")
    }
    let stuck = try named("stuck")
    #expect(stuck.phase == "suspended" && stuck.awaiting == "continuation")
    let forgotten = try line("forgotten one", of: "TasksChild")
    #expect(stuck.frames.first { $0.line != nil }?.line == forgotten)
    #expect(stuck.frames.contains { $0.function?.contains("between()") == true })
    let waiter = try named("waiter")
    #expect(waiter.awaiting == "task" && waiter.awaited_task == stuck.task)
    #expect(tasks[1]?.awaiting == "task" && tasks[1]?.awaited_task == waiter.task)
    #expect(stuck.made_by == 1 && waiter.made_by == 1)
    #expect(try named("cancelled").cancelled)
    #expect(try named("sleeper").awaiting == "sleep")
    #expect(tasks.values.count { $0.kind == "group child" } == 20)
    #expect(!tasks.values.contains { $0.name?.hasPrefix("short") == true })
    try expectAnswers(stuckAt: "main.swift:\(forgotten)", stuck.task)
  }

  /// Looks at the other answers about the program that hung.
  private func expectAnswers(stuckAt place: String, _ stuck: UInt64) throws {
    func answer(_ verb: String, _ words: [String] = []) throws -> CommandRun {
      try CommandRun([verb, folder.file("hang.varve")] + words)
    }
    let page = try answer("postmortem").output.split(separator: "\n")
    let section = page.drop { $0 != "tasks that had not ended" }
    #expect(
      section.contains {
        $0.contains(place) && $0.contains("task \(stuck) \"stuck\"")
          && $0.hasSuffix("waits for a continuation")
      }, "\(section)")
    let objects = try answer("postmortem", ["--format", "ndjson"]).output.split(separator: "\n")
    let left = try #require(
      objects.first {
        $0.hasPrefix(#"{"subject":"task""#) && $0.contains(#""name":"stuck""#)
      })
    #expect(left.contains(#""task":\#(stuck),"#) && left.contains(#""awaiting":"continuation""#))
    let picture = try answer("timeline", ["-n", "stuck", "--width", "80"])
    #expect(picture.status == 0 && picture.errors == "", "\(picture.errors)")
    let line = picture.output.split(separator: "\n").first { $0.hasPrefix("#") }
    #expect(
      line?.contains(place) == true && line?.contains("waits for a continuation") == true,
      "\(picture.output)")
    let open = try answer("streams", ["--open"])
    #expect(open.status == 0 && open.output.contains("task \(stuck) \"stuck\""), "\(open.output)")
    let same = try answer("diff", [folder.file("hang.varve")])
    #expect(
      same.status == 0 && same.output.contains(/the same: \d+ groups of tasks/), "\(same.output)")
    let counts = try answer("diff", [folder.file("hang.varve"), "--format", "ndjson"])
    #expect(counts.output.hasPrefix(#"{"kind":"tasks","left_count":"#), "\(counts.output)")
    let latency = try answer("latency", ["--scheduler", "global executor"])
    #expect(latency.status == 0 && latency.output.contains("global executor"), "\(latency.errors)")
  }

  @Test("K7: hundreds of thousands of short tasks leave no memory behind")
  func memory() throws {
    func most(_ count: Int) throws -> Int {
      let run = try CommandRun([
        "run", "-q", "--force", "-o", folder.file("many.varve"), "--", Self.program("TaskOracle"),
        "many", "\(count)",
      ])
      #expect(run.status == 0, "\(run.errors)")
      return try #require(Int(run.output.filter(\.isNumber)), "\(run.output)")
    }
    let (few, many) = (try most(2_000), try most(200_000))
    // In kilobytes.
    #expect(many < few + 8_000, "\(few) kB, \(many) kB")
  }

  @Test("K1, K7: of 100,000 tasks that live at the same time, none is missing from the trace")
  func living() throws {
    let path = folder.file("living.varve")
    let run = try CommandRun([
      "run", "-q", "--force", "-o", path, "--options", "policy=block", "--",
      Self.program("TaskOracle"), "living", "100000",
    ])
    #expect(run.status == 0 && run.output == "sum 100000\n", "\(run.errors)")
    let reader = try TraceReader(path: path)
    #expect(reader.losses.isEmpty && reader.ending == .clean)
    let children = try TraceTasks(reader, includesEnded: true).tasks.filter {
      $0.kind == .groupChild
    }
    #expect(children.count == 100_000)
    #expect(children.allSatisfy { $0.phase == .ended })
  }

  @Test(
    "K6: without their library, or with --no-tasks and --light, tasks are left out, and this is said"
  )
  func leftOut() throws {
    for option in ["--no-tasks", "--light"] {
      let run = try CommandRun([
        "run", "-o", folder.file("none.varve"), option, "--", Self.program("TaskOracle"), "1",
      ])
      #expect(run.status == 0 && run.output.contains("sum "))
      #expect(run.errors.contains("left no trace"), "\(run.errors)")
    }
    let shell = try CommandRun([
      "run", "-q", "-o", folder.file("shell.varve"), "--", "/bin/sh", "-c", "echo $((20 + 1))",
    ])
    #expect(shell.status == 0 && shell.output == "21\n" && shell.errors == "")
  }

  @Test(
    "K6: under a thread sanitizer, which has the runtime's calls, nothing is recorded, and this is said"
  )
  func watched() throws {
    let source = folder.file("watched.swift")
    try "print(await Task { 21 }.value)\n".write(
      toFile: source, atomically: false, encoding: .utf8)
    let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
    let built = try CommandRun(
      ["swiftc", "-sanitize=thread", source, "-o", folder.file("watched")],
      environment: ["PATH": path], program: "/usr/bin/env")
    guard built.status == 0 else {
      Issue.record("not run: no thread sanitizer: \(built.errors)", severity: .warning)
      return
    }
    let run = try CommandRun([
      "run", "-q", "-o", folder.file("watched.varve"), "--", folder.file("watched"),
    ])
    #expect(run.status == 0 && run.output == "21\n", "\(run.errors)")
    let asked = try CommandRun(["tasks", folder.file("watched.varve")])
    #expect(asked.status == 1, "\(asked.output)")
    #expect(asked.errors.contains("tasks are not recorded: a thread sanitizer"), "\(asked.errors)")
  }
}
