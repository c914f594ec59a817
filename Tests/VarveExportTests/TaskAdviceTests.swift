import Foundation
import Testing
import VarveAnalysis
import VarveFormat
import VarveProbe
import VarveTraceScript

@testable import VarveExport

/// What is said below a list of tasks: where to look.
@Suite("Advice below tasks")
struct TaskAdviceTests {
  /// The advice about a group whose last child has slept for so long. The child is in line 3 of its code, if
  /// that is there.
  private func advice(
    waited: UInt64, kind: TaskState.Kind = .groupChild, function: String = "Task.sleep(for:)",
    marks: Bool = true, code: String? = nil
  ) throws -> String {
    let folder = TemporaryFolder()
    let path = code == nil ? "/src/Uplink.swift" : folder.file("Uplink.swift")
    try code?.write(toFile: path, atomically: true, encoding: .utf8)
    var script = TraceScript()
    script.module(1, "/usr/lib/libswift_Concurrency.so", 0x5000..<0x6000)
    script.module(2, "/src/app", 0x8000..<0x9000)
    script.code(0x5100, function, line: 0)
    script.code(0x8010, "keepAlive()", line: code == nil ? 38 : 3, of: path)
    script.code(0x8020, "send(_:)", line: 27, of: path)
    script.code(0x8030, "send(_:)", line: 29, of: path)
    try script.write(to: folder.file("tasks.varve"))
    let symbols = Symbolizer(
      try TraceReader(path: folder.file("tasks.varve")).definitions, looksUp: false)
    let parent = TaskState(
      id: 1, phase: .suspended, awaiting: .group, frames: [StackFrame(address: 0x8030)])
    var child = TaskState(
      id: 2, kind: kind, parent: 1, phase: .suspended, awaiting: .continuation,
      frames: [0x5100, 0x8010].map { StackFrame(address: $0) })
    child.made = [StackFrame(address: 0x8020)]
    (child.born, child.since) = (0, 1_000 - waited)
    let text = TaskText(
      [parent, child], symbols: symbols, showsAll: false, style: .plain, age: { 1_000 - $0 })
    return text.advice([parent, child], marks: marks)
  }

  @Test("G1: a child of a group that sleeps over and over is marked where it was made")
  func restless() throws {
    #expect(try advice(waited: 10).contains("goes on and on, and was made at ▸ Uplink.swift:27"))
    // It may have slept all the time.
    #expect(try advice(waited: 900).contains("▸ Uplink.swift:38"))
    // What it waits for may never come.
    #expect(try advice(waited: 10, function: "next()").contains("▸ Uplink.swift:38"))
  }

  @Test("G1: of a child that goes on until it is cancelled, the wait for its group is marked")
  func uncancelled() throws {
    func loop(_ head: String) -> String {
      "func keepAlive() async {\n\(head) {\ntry? await Task.sleep(for: .seconds(1))\n}\n}\n"
    }
    let asking = try advice(waited: 10, code: loop("while !Task.isCancelled"))
    #expect(asking.contains("task 1 waits for its group at ▸ Uplink.swift:29"))
    #expect(asking.contains("task 2 in it goes on until it is cancelled"))
    for head in ["while true", "if Task.isCancelled"] {
      #expect(try advice(waited: 10, code: loop(head)).contains("was made at ▸ Uplink.swift:27"))
    }
    // It may wait for good.
    #expect(
      try advice(waited: 900, code: loop("while !Task.isCancelled")).contains("▸ Uplink.swift:3"))
  }

  @Test("K4: a task that runs, and that the runtime made for itself, is one of its helpers")
  func helpers() throws {
    let folder = TemporaryFolder()
    var script = TraceScript()
    script.module(1, "/usr/lib/libswift_Concurrency.so", 0x5000..<0x6000)
    script.module(2, "/src/app", 0x8000..<0x9000)
    script.code(0x5100, "swift_job_run", line: 0)
    script.code(0x8010, "main", line: 0, of: "")
    try script.write(to: folder.file("tasks.varve"))
    let symbols = Symbolizer(
      try TraceReader(path: folder.file("tasks.varve")).definitions, looksUp: false)
    let words = TaskText.FrameWords(symbols)
    for phase in [TaskState.Phase.running, .enqueued] {
      var task = TaskState(id: 4, phase: phase)
      task.made = [StackFrame(address: 0x5100)]
      #expect(words.isHelper(task))
      task.maker = 1
      #expect(!words.isHelper(task))
      (task.maker, task.name) = (nil, "upload")
      #expect(!words.isHelper(task))
      task.name = nil
      task.made.append(StackFrame(address: 0x8010))
      #expect(!words.isHelper(task))
      task.made = []
      #expect(!words.isHelper(task))
    }
  }

  /// The advice about tasks that were made in a line of some code, and wait in another one.
  private func piled(_ code: String, waitingIn wait: UInt32 = 3, madeIn making: UInt32 = 27) throws
    -> String
  {
    var script = TraceScript()
    let folder = TemporaryFolder()
    let path = folder.file("Page.swift")
    try code.write(toFile: path, atomically: true, encoding: .utf8)
    script.module(1, "/src/app", 0x8000..<0x9000)
    script.code(0x8010, "ask()", line: wait, of: path)
    script.code(0x8020, "appeared()", line: making, of: path)
    try script.write(to: folder.file("tasks.varve"))
    let symbols = Symbolizer(
      try TraceReader(path: folder.file("tasks.varve")).definitions, looksUp: false)
    let tasks = (1...6 as ClosedRange<UInt64>).map { number in
      var task = TaskState(
        id: number, phase: .suspended, awaiting: .continuation,
        frames: [StackFrame(address: 0x8010)])
      task.made = [StackFrame(address: 0x8020)]
      return task
    }
    return TaskText(tasks, symbols: symbols, showsAll: false, style: .plain).advice(tasks)
  }

  @Test(
    "G1: many tasks of one place that go on until they are cancelled are marked where they are made"
  )
  func piled() throws {
    func loop(_ head: String) -> String { "func ask() async {\n\(head) {\nawait sleep()\n}\n}\n" }
    let asking = try piled(loop("while !Task.isCancelled"))
    #expect(asking.contains("made at ▸ Page.swift:27") && asking.contains("nobody cancels them"))
    let waiting = try piled(loop("while true"))
    #expect(waiting.contains("wait at ▸ Page.swift:3") && !waiting.contains("Page.swift:27"))
    // What would cancel them is kept by them.
    let holding = try piled(
      "func appeared() {\nTask { [weak self] in\nguard let self else { return }\n"
        + "while !Task.isCancelled {\nawait sleep()\n} } }\n", waitingIn: 5, madeIn: 2)
    #expect(
      holding.contains("hold weakly, from ▸ Page.swift:3") && !holding.contains("▸ Page.swift:2"))
  }

  @Test("G1: where something else has the mark, the advice has none")
  func unmarked() throws {
    let advice = try advice(waited: 10, marks: false)
    #expect(advice.contains("was made at Uplink.swift:27") && !advice.contains("▸"))
  }
}
