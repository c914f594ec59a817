import Testing
import VarveAnalysis
import VarveTraceScript

/// Guesses about task-local values.
@Suite("Suspicions about task-local values")
struct TaskLocalTests {
  private let folder = TemporaryFolder()

  /// The lines that are told of a task that code in line 6 resumes, on a thread of its own or of a task.
  private func read(
    in line: String = "queue.async { let text = Context.language",
    before: String = "let queue = queue", bound: String = "Context",
    closes: String = "done.resume(returning: text)",
    isTask: Bool = false
  ) throws -> [UInt32] {
    var script = try TaskScript(
      [
        "func label() async -> String {", before, "return await withCheckedContinuation { done in",
        line, "print(text)", closes, "} } }", "func fill() async {",
        "await \(bound).$language.withValue(2) {", "await label()", "} }",
      ], in: folder)
    script.stack(50, lines: [3, 10, 9])
    script.create(1, at: 0)
    script.begin(1, at: 1)
    script.create(2, by: 1, at: 2)
    if isTask { script.begin(2, at: 3, ring: 5) }
    script.end(1, .continuation, at: 4, stack: 50)
    script.schedule(1, at: 5, ring: 5, stack: 25)
    return try script.linesMarked(.partial)
  }

  @Test("G1: a task-local value that is read outside of any task, to resume one, is told")
  func unbound() throws {
    #expect(try read() == [4])
    #expect(try read(isTask: true) == [])
    #expect(try read(bound: "Other") == [])
    #expect(try read(in: "queue.async {", before: "let text = Context.language") == [])
    // What the closure captures, or is in one that begins in the same line as what resumes.
    #expect(try read(in: "queue.async { [text = Context.language] in") == [])
    #expect(try read(in: "let text = Context.language; queue.async {") == [])
    #expect(try read(in: "let text = Context.language", closes: "queue.async { done(text) }") == [])
    #expect(try read(in: "queue.async { let text = \"\\(Context.language)\"") == [])
    #expect(try read(in: "queue.async {", closes: "done(\"for \\(Context.language)\")") == [6])
  }

  /// The lines that are told of a closure in line 3, which task 1 runs, of a function that is called in
  /// line 6; the task is made in line 10, or in another one.
  private func handed(
    _ read: String = "await show(\"in \\(Context.language)\")",
    runs: String = "for await job in jobs {",
    calls: [String] = ["await Context.$language.withValue(2) {", "await add()", "}"],
    stack: [UInt32] = [3, 8, 10], made: [UInt32] = [10], grandmaker: [UInt32]? = nil
  ) throws -> [UInt32] {
    let path = folder.file("Code.swift")
    let code =
      ["func add() async {", "put {", read, "} }"] + calls
      + [
        runs, "await job() }", "Task { await work() }", "Context.$language.withValue(3) {",
        "run() }",
      ]
    try code.joined(separator: "\n").write(toFile: path, atomically: true, encoding: .utf8)
    var script = TaskScript()
    script.script.module(1, "/src/app", 0x8000..<0x9000)
    let functions: [UInt32: String] = [
      1: "add()", 2: "add()", 3: "closure #1 in add()", 8: "work()", 10: "closure #1 in app",
    ]
    func address(_ line: UInt32) -> UInt64 { UInt64(0x8000 + line * 16) }
    for line in 1...12 as ClosedRange<UInt32> {
      script.script.code(address(line), functions[line] ?? "call()", line: line, of: path)
    }
    script.script.stack(30, stack.map(address))
    script.script.stack(31, made.map(address))
    script.script.stack(32, [2, 6].map(address))
    script.script.stack(33, (grandmaker ?? [10]).map(address))
    script.script.taskTemplate(3, .task, stack: 31)
    script.script.taskTemplate(4, .task, stack: 33)
    script.create(3, template: 4, at: 0)
    script.begin(3, at: 0, ring: 3)
    script.create(1, by: grandmaker == nil ? 0 : 3, template: 3, at: 0)
    script.begin(1, at: 1)
    script.create(2, at: 2)
    script.begin(2, at: 3, ring: 2)
    script.end(2, .continuation, at: 4, stack: 32)
    script.end(1, .continuation, at: 5, stack: 30)
    return try script.linesMarked(.partial)
  }

  @Test("G1: a task-local value that a closure reads in a task it was handed to is told")
  func handedOver() throws {
    #expect(try handed() == [3])
    #expect(try handed("let text = Context.language; await show(text)") == [3])
    #expect(try handed("await show(1)") == [])
    // Nobody has called its function where the value is bound.
    #expect(
      try handed(calls: ["Context.$language.withValue(1) { }", "await add()", "print(1)"]) == [])
  }

  @Test("G1: a closure that reads a task-local value where its function is called is not told")
  func inherited() throws {
    // It is called by its function, or in a task that this has made, or in one that inherits the value.
    #expect(try handed(stack: [3, 8, 2, 10]) == [])
    #expect(try handed(stack: [3, 10], made: [8, 2]) == [])
    #expect(try handed(stack: [3]) == [])
    #expect(try handed(made: [12]) == [])
    #expect(try handed(grandmaker: [12]) == [])
    #expect(try handed(grandmaker: [10]) == [3])
    #expect(
      try handed(runs: "for await job in jobs { await Context.$language.withValue(2) {") == [])
  }
}
