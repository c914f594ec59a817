import Foundation
import Testing
import VarveFormat
import VarveProbe
import VarveTraceScript

/// The way to a value that a task sent: the task was resumed by a timer some times, and then by another
/// task.
@Suite("varve why, through tasks")
struct WhyTasksTests {
  private let folder = TemporaryFolder()
  private let trace: String

  init() throws {
    var script = TraceScript()
    for (position, function) in ["main", "answer(_:)", "tick()", "ask()"].enumerated() {
      let stack = UInt32(position + 1)
      script.code(0x1000 * UInt64(stack), function, line: stack * 10)
      if stack != 2 { script.stack(stack, [0x1000 * UInt64(stack)]) }
    }
    // The program's code calls a package, which resumes the task.
    script.code(0x2800, "Promise.succeed()", line: 9, of: "/app/.build/checkouts/kit/Promise.swift")
    script.stack(2, [0x2800, 0x2000])
    let forecast = script.stream("forecast", line: 5)
    let executor = script.scheduler("global executor")
    script.taskTemplate(1, name: "asking", stack: 1)
    script.taskTemplate(2, name: "answering", stack: 1)
    let worker = script.thread("worker", ring: 2)
    let timer = script.thread("timer", ring: 3)

    func make(_ task: UInt64, at time: Double) -> EventName {
      let template = UInt32(task - 1)
      script.record(
        .taskCreated, of: 0, .made(TaskCreationPayload(template: template, creator: 0)), at: time,
        subscription: task)
      return script.record(
        .hopScheduled, of: executor, .cause(HopPayload(stack: 1, parent: 0)), at: time,
        subscription: task * 100)
    }
    func begin(_ task: UInt64, _ hop: UInt64, at time: Double, _ ring: UInt32, _ cause: EventName)
      -> EventName
    {
      script.record(
        .hopBegan, of: executor, .task(TaskRunPayload(task: task, priority: 21)), at: time,
        ring: ring, subscription: hop, causes: [cause])
    }
    func wait(_ hop: UInt64, at time: Double, _ ring: UInt32) -> EventName {
      let awaited = TaskAwaitPayload(awaited: TaskAwait.continuation.rawValue, stack: 4)
      return script.record(
        .hopEnded, of: executor, .awaited(awaited), at: time, ring: ring, subscription: hop, back: 1
      )
    }
    func resume(_ hop: UInt64, at time: Double, by stack: UInt32, _ causes: [EventName])
      -> EventName
    {
      script.record(
        .hopScheduled, of: executor, .cause(HopPayload(stack: stack, parent: 0)), at: time,
        ring: timer, subscription: hop, causes: causes)
    }

    var given = make(2, at: 1)
    let answering = make(3, at: 1.5)
    var waits: EventName?
    for round in 0..<6 {
      let time = Double(2 + 2 * round)
      _ = begin(2, 201 + UInt64(round), at: time, worker, given)
      let end = wait(201 + UInt64(round), at: time + 0.5, worker)
      if round < 5 { given = resume(202 + UInt64(round), at: time + 1, by: 3, [end]) }
      waits = end
    }
    let answers = begin(3, 300, at: 20, timer, answering)
    let last = resume(210, at: 21, by: 2, [answers, waits].compactMap { $0 })
    _ = begin(2, 210, at: 22, worker, last)
    script.record(.value, of: forecast, .string("snow"), at: 23, ring: worker, back: 1)
    trace = folder.file("tasks.varve")
    try script.write(to: trace)
  }

  @Test("K3: a task's line says who resumed it where, and its earlier runs are one line")
  func text() throws {
    let run = try CommandRun(["why", trace, "forecast"])
    #expect(run.status == 0)
    #expect(
      run.output == """
        #2.14  forecast "snow"

        ▸ Shop.swift:20  task 2 "asking" was resumed here

        #2.14  23.000000 ms  worker  forecast "snow"                                                           Shop.swift:5
        #2.13  22.000000 ms  worker  task 2 "asking" ran 1.00 ms after #3.7 on timer resumed it in answer(_:), and had waited 8.50 ms for a continuation at Shop.swift:40  Shop.swift:20
        #2.11  12.000000 ms  worker  ┬ task 2 "asking" ran 1.00 ms after #3.5 on timer resumed it in tick(), and had waited 500 µs for a continuation at Shop.swift:40  Shop.swift:30
                                       … 4 runs of task 2 "asking", 8.00 ms
         #2.1   2.000000 ms  worker    task 2 "asking" ran 1.00 ms after #1.2 on main made it in main          Shop.swift:10
         #3.6  20.000000 ms  timer   task 3 "answering" ran 18.5 ms after #1.4 on main made it in main         Shop.swift:10

        #1.4 came from outside all streams, on thread main:
          main at Shop.swift:10

        the asynchronous stack of #2.14, by frames of the program's own:
          on global executor, scheduled by #3.7 on timer
            Promise.succeed() at Promise.swift:9
            answer(_:) at Shop.swift:20
          on global executor, scheduled by #1.4 on main
            main at Shop.swift:10

        """)
  }

  @Test("its NDJSON names the tasks, what they awaited, and how many runs are left out")
  func json() throws {
    let run = try CommandRun(["why", trace, "forecast", "--format", "ndjson"])
    let steps = try run.output.split(separator: "\n").dropLast().map {
      try #require(JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
    }
    #expect(steps.map { $0["task"] as? Int } == [nil, 2, 2, 2, 3])
    #expect(
      steps.map { $0["task_name"] as? String } == [nil, "asking", "asking", "asking", "answering"])
    #expect(steps[1]["awaited"] as? String == "waits for a continuation")
    #expect(steps.map { $0["runs_left_out"] as? Int } == [0, 0, 4, 0, 0])
  }

  @Test("K3: the answers for a task that failed lead to the line that threw its error")
  func failed() throws {
    let child = CommandRun.command.deletingLastPathComponent().appendingPathComponent("TasksChild")
    let failing = folder.file("failing.varve")
    #expect(try CommandRun(["run", "-q", "-o", failing, "--", child.path, "failing"]).status == 0)
    let source = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().appendingPathComponent("TasksChild/main.swift")
    let lines = try String(contentsOf: source, encoding: .utf8).components(separatedBy: "\n")
    let line = try #require(lines.firstIndex { $0.hasSuffix("// the lost error") }) + 1
    let events = try CommandRun(["replay", failing, "-k", "taskFailed", "--format", "ndjson"])
      .output.split(separator: "\n").map {
        try #require(JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])["event"]
          as? String ?? ""
      }
    let answers = try events.map { event in
      (
        why: try CommandRun(["why", failing, event]),
        stack: try CommandRun(["backtrace", failing, event])
      )
    }
    let told = try #require(
      answers.first { $0.why.output.contains("▸ main.swift:\(line)") }, "\(answers)")
    #expect(told.why.output.contains("threw the error here"), "\(told.why.output)")
    #expect(!told.why.output.contains("no stream"), "\(told.why.output)")
    let cancelled = answers.contains { $0.why.output.contains("was cancelled here") }
    #expect(cancelled, "\(answers.map(\.why.output))")
    #expect(told.stack.output.contains("main.swift:\(line)"), "\(told.stack)")
  }
}
