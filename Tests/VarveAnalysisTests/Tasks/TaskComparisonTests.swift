import Testing
import VarveAnalysis
import VarveFormat
import VarveProbe
import VarveTraceScript

@Suite("Comparisons of tasks")
struct TaskComparisonTests {
  /// Tasks of which the last one fails, if an error is given, or does not end.
  private func script(
    _ count: UInt64, failing error: String? = nil, isHanging: Bool = false, name: String = "load"
  ) -> TaskScript {
    var script = TaskScript()
    script.script.taskTemplate(5, name: name, stack: 7)
    script.create(1, at: 0)
    script.begin(1, at: 1)
    for task in 2..<(2 + count) {
      script.create(task, by: 1, template: 5, at: Double(task))
      script.begin(task, at: Double(task) + 0.1, ring: 2)
      let isLast = task == 1 + count
      script.end(task, isHanging && isLast ? .continuation : .nothing, at: Double(task) + 0.2)
      if let error, isLast { script.fail(task, error, at: Double(task) + 0.3) }
    }
    return script
  }

  private func comparison(
    _ left: TaskScript, _ right: TaskScript, choosing: (String?) -> Bool = { _ in true }
  ) throws -> TaskComparison {
    try left.with { one in
      try right.with { other in
        TaskComparison(
          try TraceTasks(one, includesEnded: true), Symbolizer(one.definitions),
          try TraceTasks(other, includesEnded: true), Symbolizer(other.definitions),
          choosing: choosing)
      }
    }
  }

  @Test("G1: runs whose tasks did alike are the same, whatever their numbers and times")
  func same() throws {
    let found = try comparison(script(3), script(3))
    #expect(found.differences.isEmpty && found.same == 2 && found.counts == (4, 4))
  }

  @Test("G1: more tasks, a failure, and one that never ends are told, by name")
  func different() throws {
    let more = try comparison(script(3), script(4)).differences
    #expect(more.map(\.group.name) == ["load"])
    #expect(more.first?.left.made == 3 && more.first?.right.made == 4)
    let failed = try comparison(script(3), script(3, failing: "Unlucky")).differences
    #expect(failed.first?.left.failed == [:] && failed.first?.right.failed == ["Unlucky": 1])
    let hanging = try comparison(script(3), script(3, isHanging: true)).differences
    #expect(hanging.first?.right.lasting == 1 && hanging.first?.right.waiting == 1)
    #expect(hanging.first?.left.lasting == 0)
  }

  @Test(
    "G1: a task that the runtime made for itself, which only its single run tells of, counts for nothing"
  )
  func helper() throws {
    var other = script(3)
    let made = TaskCreationPayload(template: 1, creator: 0)
    other.script.record(.taskCreated, of: 0, .made(made), at: 90, ring: 3, subscription: 50)
    let run = ScriptedPayload.task(TaskRunPayload(task: 50, priority: 25))
    other.script.record(.hopBegan, of: other.executor, run, at: 90, ring: 3, subscription: 999)
    let end = TaskAwaitPayload(awaited: TaskAwait.nothing.rawValue, stack: 0)
    other.script.record(
      .hopEnded, of: other.executor, .awaited(end), at: 91, ring: 3, subscription: 999)
    let found = try comparison(script(3), other)
    #expect(found.differences.isEmpty && found.counts == (4, 4), "\(found.differences)")
  }

  @Test("G1: tasks that only one run has are told, and others than the chosen ones are not")
  func only() throws {
    let found = try comparison(script(2), script(2, name: "store")).differences
    #expect(found.map(\.group.name) == ["load", "store"])
    #expect(found.map(\.left.made) == [2, 0] && found.map(\.right.made) == [0, 2])
    let chosen = try comparison(script(2), script(2, name: "store")) { $0 == "store" }
    #expect(chosen.differences.map(\.group.name) == ["store"] && chosen.counts == (0, 2))
  }
}
