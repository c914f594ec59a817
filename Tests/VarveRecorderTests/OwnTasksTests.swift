import Testing
import VarveAnalysis
import VarveFormat
import VarvePlatform
import VarveProbe

/// Programs that record their tasks from inside, without `varve run`.
@Suite struct OwnTasksTests {
  private let folder = Folder()
  private var path: String { folder.file("run.varve") }

  /// What a program recorded of its tasks, and what it printed.
  private func record(
    _ mode: String, environment: [String: String] = [:]
  ) throws -> (tasks: TraceTasks, output: String) {
    let child = Child(
      program: Child.beside("OwnTasksChild"), [path, mode], environment: environment)
    let end = child.wait()
    #expect(end.status == 0, "\(end.output)")
    return (try TraceTasks(TraceReader(path: path), includesEnded: true), end.output)
  }

  @Test(
    "K1: a program that asks for it records its tasks from inside, with who made them and where")
  func ownGraph() throws {
    let (recorded, output) = try record("graph")
    #expect(output == "15\n")
    let tasks = recorded.tasks
    func named(_ name: String) throws -> TaskState {
      try #require(tasks.first { $0.name == name }, "\(name)")
    }
    let outer = try named("outer")
    let main = try #require(tasks.first { $0.id == outer.maker })
    #expect(main.phase == .running)
    for child in 1...3 {
      let child = try named("child \(child)")
      #expect(child.kind == .groupChild)
      #expect(child.parent == outer.id)
      #expect(child.phase == .ended)
    }
    let bound = try #require(tasks.first { $0.kind == .asyncLet })
    #expect(bound.parent == outer.id)
    for name in ["outer", "waiter", "resumer", "stuck"] {
      #expect(try named(name).maker == main.id, "\(name)")
    }
    let stuck = try named("stuck")
    #expect(stuck.phase == .suspended)
    #expect(stuck.awaiting == .continuation)
    #expect(stuck.isCancelled)
    // That which finds where the numbers of tasks are is in no trace.
    #expect(tasks.count == 10, "\(tasks)")
  }

  @Test(
    "K1: of a task made before a recording, who made it is left out, not guessed",
    arguments: [
      ("graph", "earlier"), ("twice", "between"),
    ])
  func ownEarlier(mode: String, name: String) throws {
    let (recorded, _) = try record(mode)
    let earlier = try #require(recorded.tasks.first { $0.name == name })
    #expect(earlier.maker == nil)
    #expect(earlier.phase == .ended)
  }

  @Test("K5: tasks that are followed from inside do what they did, and none is lost")
  func ownMany() throws {
    let (recorded, output) = try record("many")
    #expect(output == "370000\n")
    #expect(recorded.tasks.count == 5_001)
    #expect(recorded.tasks.count { $0.phase == .ended && $0.kind == .groupChild } == 5_000)
  }

  @Test("K3: what a task does after a span is caused by its run, as what it does before")
  func ownSpan() throws {
    _ = try record("span")
    let reader = try TraceReader(path: path)
    let lookup = EventLookup(reader)
    var columns = EventColumns()
    var causes: [RecordKind?] = []
    for index in reader.blocks.indices {
      try reader.decode(index, into: &columns, columns: .all)
      for event in 0..<columns.count where columns.kinds[event] == RecordKind.value.rawValue {
        let name = columns.name(event)
        causes.append(lookup[name]?.causes.first.flatMap { lookup[$0] }?.kind)
      }
    }
    #expect(causes == [.hopBegan, .hopBegan, .hopBegan])
  }

  @Test("T2: a recording from outside goes on where the program starts and stops one of its own")
  func goesOnFromOutside() throws {
    let outer = folder.file("outside.varve")
    let child = Child(
      program: Child.beside("OwnTasksChild"), [path, "twice"], environment: ["VARVE_TRACE": outer])
    let end = child.wait()
    #expect(end.status == 0, "\(end.output)")
    #expect(end.output.contains("recording to \(outer), as was asked for when the program started"))
    #expect(folder.names == ["outside.varve"])
    #expect(try RecordedTrace(outer).ending == .clean)
  }

  @Test(
    "K6: a program that asks for its tasks, and lacks the product for them, is told so in its trace"
  )
  func lacking() throws {
    let end = Child.run(
      "plain", ["", "10", ""],
      environment: ["VARVE_TRACE": path, "VARVE_OPTIONS": "preset=light,tasks"])
    #expect(end.status == 0, "\(end.output)")
    let tasks = try TraceTasks(TraceReader(path: path))
    #expect(!tasks.areRecorded)
    #expect(
      tasks.obstacle == "tasks are not recorded: the program does not link the product VarveTasks")
  }
}
