import Testing
import VarveAnalysis
import VarveProbe
import VarveTraceScript

/// What may lie behind a wrong result of a program of tasks.
@Suite("Suspicions about tasks")
struct TaskSuspicionsTests {
  private func suspicions(_ script: TaskScript) throws -> [Finding] {
    try script.with { TaskSuspicions($0).wrong() }
  }

  /// A task whose group has two children, of which the first ends with an error.
  private func group(_ error: String, others: String) -> TaskScript {
    var script = TaskScript()
    script.create(1, at: 0)
    script.begin(1, at: 1)
    for child in [2, 3] as [UInt64] { script.create(child, by: 1, template: 2, at: 2) }
    script.end(1, .group, at: 3)
    for (child, time, error) in [(2, 4, error), (3, 8, others)] as [(UInt64, Double, String)] {
      script.begin(child, at: time, ring: 2)
      script.end(child, .nothing, at: time + 1)
      if !error.isEmpty { script.fail(child, error, at: time + 2) }
    }
    return script
  }

  @Test(
    "G1: a child's error that ends its group, with the other children, is named where that is awaited"
  )
  func cutShort() throws {
    let found = try suspicions(group("OutOfStock", others: "CancellationError"))
    #expect(found.map(\.kind) == [.partial])
    #expect(found.first?.place == .stack(8) && found.first?.evidence == ["2.3"])
    #expect(try suspicions(group("OutOfStock", others: "")).isEmpty)
    #expect(try suspicions(group("CancellationError", others: "CancellationError")).isEmpty)
  }

  @Test("G1: where the error of a task arrives, something is made of it")
  func arrives() throws {
    var script = TaskScript()
    script.create(1, at: 0)
    script.begin(1, at: 1)
    script.create(2, by: 1, at: 2)
    script.end(1, .task, number: 2, at: 3)
    script.begin(2, at: 4, ring: 2)
    script.end(2, .nothing, at: 5)
    script.fail(2, "Unlucky", at: 6)
    let found = try suspicions(script)
    #expect(found.map(\.kind) == [.handled])
    #expect(found.first?.place == .stack(8))
  }

  @Test(
    "G1: tasks that leave an actor at one place before the first has come back may disturb each other"
  )
  func interleaved() throws {
    var script = TaskScript()
    let actor = script.script.scheduler("Hall", id: 0x8000_0007)
    for (task, time) in [(1, 0), (2, 10)] as [(UInt64, Double)] {
      script.create(task, at: time, on: actor)
      script.begin(task, at: time + 1)
      script.end(task, .executor, at: time + 2)
    }
    let found = try suspicions(script)
    #expect(found.map(\.kind) == [.race] && found.first?.place == .of(actor, 8))
    // One that comes back first leaves the actor as it found it.
    var apart = TaskScript()
    let other = apart.script.scheduler("Hall", id: 0x8000_0007)
    for (task, time) in [(1, 0), (2, 10)] as [(UInt64, Double)] {
      apart.create(task, at: time, on: other)
      apart.begin(task, at: time + 1)
      apart.end(task, .executor, at: time + 2)
      apart.schedule(task, at: time + 3, on: other)
      apart.begin(task, at: time + 4)
      apart.end(task, .nothing, at: time + 5)
    }
    #expect(try suspicions(apart).isEmpty)
  }

  /// Two tasks of one place, of which the older ends last.
  private func pair(
    apart: Double, cancelled: Bool = false, awaited: Bool = false, inOrder: Bool = false
  ) -> TaskScript {
    var script = TaskScript()
    script.script.taskTemplate(3, stack: 7)
    script.create(1, at: 0)
    script.begin(1, at: 0.1)
    script.create(2, by: 1, template: 3, at: 1)
    script.create(3, by: 1, template: 3, at: 1 + apart)
    if cancelled { script.cancel(2, at: 2 + apart) }
    if awaited { script.end(1, .task, number: 2, at: 3 + apart) }
    for (task, time) in [(inOrder ? 2 : 3, 50), (inOrder ? 3 : 2, 60)] as [(UInt64, Double)] {
      script.begin(task, at: time, ring: 2)
      script.end(task, .nothing, at: time + 1)
    }
    return script
  }

  @Test("G1: of two tasks of one place, the older of which ends last, the older may be stale")
  func overtaken() throws {
    let found = try suspicions(pair(apart: 30))
    #expect(found.map(\.kind) == [.stale] && found.first?.place == .stack(7))
    // They belong together.
    let together = try suspicions(pair(apart: 1))
    #expect(together.map(\.kind) == [.restarted, .overtaken] && together.last?.place == .stack(7))
    #expect(try suspicions(pair(apart: 1, inOrder: true)).map(\.kind) == [.restarted])
    #expect(try suspicions(pair(apart: 30, cancelled: true)).isEmpty)
    #expect(try suspicions(pair(apart: 30, awaited: true)).isEmpty)
    #expect(try suspicions(pair(apart: 30, inOrder: true)).isEmpty)
  }

  @Test("G1: two tasks that are made in one go, and that nobody awaits, may do one thing twice")
  func twins() throws {
    let found = try suspicions(pair(apart: 1))
    #expect(found.first?.kind == .restarted && found.first?.place == .stack(7))
    #expect(try suspicions(pair(apart: 1, awaited: true)).isEmpty)
    #expect(try suspicions(pair(apart: 1, cancelled: true)).isEmpty)
  }

  @Test("G1: an error after which the parent waits on for its group is named where it arrives")
  func swallowed() throws {
    var script = group("Unlucky", others: "")
    script.schedule(1, at: 6.2, ring: 2)
    script.begin(1, at: 6.4)
    script.end(1, .group, at: 6.6)
    let found = try suspicions(script)
    #expect(found.map(\.kind) == [.handled] && found.first?.place == .stack(8))
  }

  /// A task that gets elements from two others, each some times, until one of them resumes it in another way.
  private func shared(givers: [UInt64], last: UInt32, cancels: Bool = false) -> TaskScript {
    var script = TaskScript()
    for task in [1, 2, 3] as [UInt64] {
      script.create(task, at: 0)
      script.begin(task, at: 0.5, ring: UInt32(task))
    }
    var time = 1.0
    for round in 0..<6 {
      script.end(1, .continuation, at: time, stack: 8)
      script.schedule(1, at: time + 1, ring: UInt32(givers[round % givers.count]), stack: 7)
      script.begin(1, at: time + 2)
      time += 3
    }
    script.end(1, .continuation, at: time, stack: 8)
    if cancels { script.cancel(1, at: time + 0.5) }
    script.schedule(1, at: time + 1, ring: 2, stack: last)
    script.begin(1, at: time + 2)
    script.end(1, .nothing, at: time + 3, stack: 0)
    return script
  }

  @Test("G1: a loop that gets elements from several tasks, and that one of them ends, is told")
  func sharedEnd() throws {
    var script = shared(givers: [2, 3], last: 9)
    script.script.stack(9, [0x3000])
    #expect(try suspicions(script).map(\.place) == [.stack(9)])
    #expect(try suspicions(shared(givers: [2], last: 9)).isEmpty)
    #expect(try suspicions(shared(givers: [2, 3], last: 7)).isEmpty)
    #expect(try suspicions(shared(givers: [2, 3], last: 9, cancels: true)).isEmpty)
  }

  @Test("G1: a child that does not heed the end of its group is named where it waited")
  func unheeded() throws {
    var script = TaskScript()
    script.create(1, at: 0)
    script.begin(1, at: 1)
    for child in [2, 3] as [UInt64] { script.create(child, by: 1, template: 2, at: 2) }
    script.end(1, .group, at: 3, stack: 7)
    script.begin(2, at: 4, ring: 2)
    script.end(2, .continuation, at: 5, stack: 8)
    script.begin(3, at: 6, ring: 3)
    script.end(3, .nothing, at: 7)
    script.fail(3, "TooLate", at: 8, ring: 3)
    script.schedule(1, at: 9)
    script.begin(1, at: 10)
    script.end(1, .group, at: 11, stack: 9)
    script.schedule(2, at: 400, ring: 2)
    script.begin(2, at: 401, ring: 2)
    script.end(2, .nothing, at: 402)
    script.schedule(1, at: 403)
    script.begin(1, at: 404)
    let found = try script.with { TaskSuspicions($0).slow() }
    #expect(found.first?.place == .stack(8) && found.first?.weight == 45)
  }

  /// A task that gets one result of its group, and waits for the other child at another place.
  private func drain(for time: Double, at stack: UInt32) -> TaskScript {
    var script = TaskScript()
    script.create(1, at: 0)
    script.begin(1, at: 1)
    script.end(1, .group, at: 2, stack: 7)
    script.schedule(1, at: 10)
    script.begin(1, at: 11)
    script.end(1, .group, at: 12, stack: stack)
    script.schedule(1, at: 12 + time)
    script.begin(1, at: 13 + time)
    return script
  }

  @Test(
    "G1: a group that is left with results still to come makes its task late, where it took one")
  func drained() throws {
    func slow(_ script: TaskScript) throws -> [Finding] {
      try script.with { TaskSuspicions($0).slow() }
    }
    let found = try slow(drain(for: 300, at: 8))
    #expect(found.map(\.place) == [.stack(7)])
    #expect(found.first.map { $0.nanoseconds / 1_000_000 } == 301)
    #expect(try slow(drain(for: 20, at: 8)).isEmpty)
    // A loop over results waits at one place.
    #expect(try slow(drain(for: 300, at: 7)).isEmpty)
  }
}
