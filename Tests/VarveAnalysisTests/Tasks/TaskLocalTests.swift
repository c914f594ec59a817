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
}
