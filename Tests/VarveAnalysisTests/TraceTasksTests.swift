import Testing
import VarveAnalysis
import VarveFormat
import VarveProbe
import VarveTraceScript

@Suite("Tasks of a trace")
struct TraceTasksTests {
  /// A task with two children, one of which ends.
  private var family: TaskScript {
    var script = TaskScript()
    script.create(1, at: 0)
    script.begin(1, at: 1)
    script.create(2, by: 1, template: 2, at: 2)
    script.create(3, by: 1, template: 2, at: 3)
    script.end(1, .group, at: 4)
    script.begin(2, at: 5)
    script.end(2, .task, number: 3, at: 6)
    script.begin(3, at: 7)
    script.end(3, .nothing, at: 8)
    script.schedule(2, at: 9)
    return script
  }

  @Test("K1, K4: at each moment, the living tasks do what the records say")
  func moments() throws {
    try family.with { reader in
      func phases(_ time: String) throws -> [String] {
        try TraceTasks(reader, at: TimeExpression(time)).tasks.map {
          "\($0.id) \($0.phase.rawValue) \($0.awaiting?.rawValue ?? "-")"
        }
      }
      #expect(try phases("0.5ms") == ["1 enqueued -"])
      #expect(try phases("1.5ms") == ["1 running -"])
      #expect(try phases("4.5ms") == ["1 suspended group", "2 enqueued -", "3 enqueued -"])
      #expect(try phases("6.5ms") == ["1 suspended group", "2 suspended task", "3 enqueued -"])
      #expect(try phases("7.5ms") == ["1 suspended group", "2 suspended task", "3 running -"])
      #expect(try phases("8.5ms") == ["1 suspended group", "2 suspended task"])
      #expect(try phases("9.5ms") == ["1 suspended group", "2 enqueued -"])
      let all = try TraceTasks(reader, includesEnded: true)
      #expect(all.tasks.map(\.phase) == [.suspended, .enqueued, .ended])
      let child = try #require(all.tasks.first { $0.id == 2 })
      #expect(child.name == "child" && child.kind == .groupChild && child.priority == 25)
      #expect(child.parent == 1 && child.maker == 1)
      #expect(child.made.map(\.address) == [0x1000])
      #expect(child.frames.map(\.address) == [0x2000])
    }
  }

  @Test("A trace without tasks says so; one whose recorder could not record them says why")
  func none() throws {
    var script = TaskScript()
    script.script.record(
      .log, of: 0, .string("tasks are not recorded: for a reason", originally: nil), at: 1)
    try script.with { reader in
      let tasks = try TraceTasks(reader)
      #expect(!tasks.areRecorded && tasks.tasks.isEmpty)
      #expect(tasks.obstacle == "tasks are not recorded: for a reason")
    }
  }
}

@Suite("Findings about tasks")
struct HangingTaskTests {
  private func findings(_ script: TaskScript) throws -> [Finding] {
    try script.with { reader in
      Findings(try TraceHistory(reader), reader, lookup: EventLookup(reader)).all
    }
  }

  /// Two tasks, each of which waits: the first for the second, the second for `awaited`.
  private func pair(_ awaited: TaskAwait, _ number: UInt64) -> TaskScript {
    var script = TaskScript()
    for task in 1...2 as ClosedRange<UInt64> { script.create(task, at: Double(task)) }
    script.begin(1, at: 3)
    script.end(1, .task, number: 2, at: 4)
    script.begin(2, at: 5)
    script.end(2, awaited, number: number, at: 6)
    return script
  }

  @Test("G1: tasks that wait for each other are found, at the wait that closed the circle")
  func circle() throws {
    let found = try findings(pair(.task, 1))
    #expect(found.map(\.kind) == [.hang])
    #expect(found.first?.place == .stack(8) && found.first?.question == .tasks)
    #expect(found.first?.evidence.count == 2)
  }

  @Test("G1: a task that waits for a continuation may still be resumed")
  func continuation() throws {
    #expect(try findings(pair(.continuation, 0)).isEmpty)
  }

  /// A task that goes on `runs` times after it was cancelled, for so many milliseconds.
  private func cancelled(runs: Int, every pause: Double, ends: Bool = false) -> TaskScript {
    var script = TaskScript()
    script.create(1, at: 0)
    script.begin(1, at: 1)
    script.end(1, .continuation, at: 2)
    script.cancel(1, at: 3)
    for run in 0..<runs {
      let time = 4 + Double(run) * pause
      script.schedule(1, at: time)
      script.begin(1, at: time + 0.1)
      script.end(1, ends && run == runs - 1 ? .nothing : .continuation, at: time + 0.2)
    }
    return script
  }

  @Test("G1: a task that goes on for long after it was cancelled is found")
  func unheeded() throws {
    let found = try findings(cancelled(runs: 20, every: 100))
    #expect(found.map(\.kind) == [.stuck])
    #expect(found.first?.place == .waiter(8))
  }

  @Test("G1: a task that spins once it was cancelled is found where it waited then")
  func restless() throws {
    let found = try findings(cancelled(runs: 1_200, every: 0.3))
    #expect(found.map(\.kind) == [.stuck])
    #expect(found.first?.place == .stack(8))
    #expect(found.first?.weight == 84)
    #expect(try findings(cancelled(runs: 400, every: 0.3)).isEmpty)
  }

  @Test(
    "G1: a task that ends after it was cancelled, soon or late, does what it should"
  )
  func heeded() throws {
    #expect(try findings(cancelled(runs: 20, every: 10)).isEmpty)
    #expect(try findings(cancelled(runs: 2, every: 1_000)).isEmpty)
    #expect(try findings(cancelled(runs: 6, every: 300, ends: true)).isEmpty)
  }
}
