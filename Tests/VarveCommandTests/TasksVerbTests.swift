import Foundation
import Testing
import VarveTraceScript

/// `varve tasks`: a program's tasks, of which nothing was recorded.
@Suite("varve tasks")
final class TasksVerbTests {
  private let folder = TemporaryFolder()
  private let child = Process()

  init() throws {
    child.executableURL = CommandRun.command.deletingLastPathComponent()
      .appendingPathComponent("TasksChild")
    try child.run()
  }

  deinit {
    // A termination signal may be blocked: the child inherits that from the thread that starts it.
    kill(child.processIdentifier, SIGKILL)
    child.waitUntilExit()
  }

  /// The lines of the program's source that a comment marks.
  private func line(_ mark: String) throws -> String {
    let source = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().appendingPathComponent("TasksChild/main.swift")
    let lines = try String(contentsOf: source, encoding: .utf8).components(separatedBy: "\n")
    let index = try #require(lines.firstIndex { $0.hasSuffix("// the \(mark)") })
    return "main.swift:\(index + 1)"
  }

  /// Waits until the program's main task waits for good.
  private func settle() throws {
    for _ in 0..<3_000 {
      let run = try CommandRun([
        "tasks", "-q", "--no-symbols", "\(child.processIdentifier)", "--awaiting", "task",
        "--format", "ndjson",
      ])
      if run.output.split(separator: "\n").count == 2 { return }
      try #require(child.isRunning, "\(run.errors)")
      usleep(10_000)
    }
    Issue.record("the program never waits")
  }

  private func check(_ run: CommandRun) throws {
    #expect(run.status == 0, "\(run.errors)")
    let text = run.output
    #expect(text.hasPrefix("25 tasks: 25 waiting\n"), "\(text)")
    let tasks = text.components(separatedBy: "\ntask ").dropFirst().map { $0 }
    let stuck = try #require(tasks.first { $0.contains("\"stuck\"") })
    #expect(stuck.contains("waits for a continuation"))
    #expect(stuck.contains("high"))
    // Places are padded to the width of the longest.
    func has(_ text: String, _ mark: String, _ function: String) throws -> Bool {
      let words = NSRegularExpression.escapedPattern(for: function)
      return try text.contains(Regex("\(line(mark)) +\(words)"))
    }
    #expect(try has(stuck, "forgotten one", "forgotten()"))
    #expect(stuck.contains("between()"))
    let waiter = try #require(tasks.first { $0.contains(" \"waiter\"  ") })
    #expect(waiter.contains("waits for task") && waiter.contains("\"stuck\""))
    #expect(tasks.contains { $0.contains("(main)  waits for task") && $0.contains("\"waiter\"") })
    let group = try #require(tasks.first { $0.contains(" \"cancelled\"  ") })
    #expect(group.contains("waits for its group  cancelled"))
    #expect(group.contains("and 19 others like it"))
    let sleeper = try #require(tasks.first { $0.contains(" \"sleeper\"  ") })
    #expect(sleeper.contains("sleeps"))
    #expect(try has(sleeper, "sleep", "patient()"))
    #expect(!text.contains("short"))
    let advice = try #require(text.components(separatedBy: "\nwhat to look at\n").last)
    #expect(
      advice.contains("\"stuck\" waits for a continuation at ▸ \(try line("forgotten one")),"))
    #expect(advice.contains("\"waiter\" wait for it, directly or through others"))
  }

  @Test("K4: a living process that records nothing tells its tasks, and goes on")
  func process() throws {
    try settle()
    try check(CommandRun(["tasks", "\(child.processIdentifier)"]))
    #expect(child.isRunning)
  }

  @Test(
    "K4: a core file tells the tasks of a program of which nothing was recorded",
    .enabled(
      if: FileManager.default.isExecutableFile(atPath: "/usr/bin/gcore"),
      "not run: there is no gcore to write a core file with"))
  func core() throws {
    try settle()
    let made = try CommandRun(
      ["-o", folder.file("core"), "\(child.processIdentifier)"], program: "/usr/bin/gcore")
    let core = folder.file("core.\(child.processIdentifier)")
    guard FileManager.default.fileExists(atPath: core) else {
      Issue.record(
        "not run: gcore may not look at a process here: \(made.errors)", severity: .warning)
      return
    }
    try check(CommandRun(["tasks", core]))
    try check(CommandRun(["tasks", core, "--program", child.executableURL?.path ?? ""]))
    // A core file that is cut off tells what it has, or what is wrong with it.
    let whole = try #require(FileHandle(forUpdatingAtPath: core))
    var size = try whole.seekToEnd()
    while size > 64 {
      size /= 8
      try whole.truncate(atOffset: size)
      let run = try CommandRun(["tasks", core])
      #expect([0, 1, 3].contains(run.status), "\(size) bytes: \(run.errors)")
      #expect(run.status == 0 || run.errors.hasPrefix("varve: "), "\(size) bytes")
    }
  }

  @Test("K4: tasks are chosen by name and by what they await; for machines, each is a line")
  func choosing() throws {
    try settle()
    func ndjson(_ words: String...) throws -> [Substring] {
      let run = try CommandRun(
        ["tasks", "\(child.processIdentifier)", "--format", "ndjson"] + words)
      return run.output.split(separator: "\n")
    }
    let stuck = try ndjson("-n", "stu*")
    #expect(stuck.count == 1)
    #expect(stuck.first?.contains("\"awaiting\":\"continuation\",\"awaited_task\":null") == true)
    #expect(try ndjson("--awaiting", "continuation").count == 21)
    #expect(try ndjson("--awaiting", "sleep").count == 1)
    #expect(try ndjson("--awaiting", "group").allSatisfy { $0.contains("\"cancelled\":true") })
    #expect(try ndjson("--still", "100ms").count == 25)
    let none = try CommandRun(["tasks", "\(child.processIdentifier)", "-n", "nobody"])
    #expect(none.status == 1)
    #expect(none.errors.contains("none of the"))
  }

  @Test("K4: tasks that block the threads of all others are found, with their line")
  func blocked() throws {
    let blocked = Process()
    blocked.executableURL = child.executableURL
    blocked.arguments = ["blocked"]
    try blocked.run()
    defer {
      kill(blocked.processIdentifier, SIGKILL)
      blocked.waitUntilExit()
    }
    var run = try CommandRun(["tasks", "\(blocked.processIdentifier)"])
    for _ in 0..<600 where !run.output.contains("ready to run\n") || !run.output.contains(" block")
    {
      usleep(50_000)
      run = try CommandRun(["tasks", "\(blocked.processIdentifier)"])
    }
    let advice = try #require(run.output.components(separatedBy: "\nwhat to look at\n").last)
    #expect(advice.contains(" at ▸ \(try line("semaphore")), in blocking()"), "\(run.output)")
    #expect(advice.contains("ready to run"))
    #expect(run.output.contains("runs, and blocks its thread  group child"))
    #expect(run.output.contains("(not begun)"))
  }

  @Test(
    "G5: what has no tasks is refused with what to try",
    arguments: [
      ("nowhere", "there is no file nowhere"), ("99999999", "there is no process 99999999"),
      (#filePath, "is neither a trace, nor a core file, nor the number of a process"),
    ])
  func refused(source: String, message: String) throws {
    let run = try CommandRun(["tasks", source])
    #expect(run.status == 3)
    #expect(run.errors.contains(message), "\(run.errors)")
  }
}
