import Foundation
import Testing
import VarveTraceScript

/// Tasks that a program makes before any of them runs, as one with a synchronous `main` may.
@Suite("Tasks that have not begun")
struct UnbegunTasksTests {
  private let folder = TemporaryFolder()

  @Test("K1: a task of which none has run before is recorded from its making on")
  func unbegun() throws {
    let program = CommandRun.command.deletingLastPathComponent()
      .appendingPathComponent("HopsChild").path
    let trace = folder.file("unbegun.varve")
    let run = try CommandRun(["run", "-q", "-o", trace, "--", program, "unbegun"])
    #expect(run.status == 0 && run.output == "", "\(run.errors)")
    let source = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().appendingPathComponent("HopsChild/main.swift")
    let lines = try String(contentsOf: source, encoding: .utf8).components(separatedBy: "\n")
    let line = try #require(lines.firstIndex { $0.hasSuffix("// the unbegun one") }) + 1
    let tasks = try CommandRun(["tasks", "-q", trace]).output
    #expect(tasks.hasPrefix("1 task: 1 ready to run\n"), "\(tasks)")
    #expect(tasks.contains("made at main.swift:\(line)"), "\(tasks)")
  }
}
