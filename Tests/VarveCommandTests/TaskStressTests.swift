import Foundation
import Testing
import VarveAnalysis
import VarveFormat
import VarveTraceScript

/// A program of many tasks, recorded time and again. `VARVE_TASK_RUNS` says how often.
@Suite("Task stress")
struct TaskStressTests {
  private let folder = TemporaryFolder()

  private static let runs = getenv("VARVE_TASK_RUNS").flatMap { Int(String(cString: $0)) } ?? 2
  private static let depth = 6
  private static var program: String {
    CommandRun.command.deletingLastPathComponent().appendingPathComponent("TaskOracle").path
  }

  /// Returns how many tasks the program makes: each makes five like it, one that resumes it, and,
  /// where those are the last, one that sleeps.
  private static func tasks(_ depth: Int) -> Int {
    depth == 0 ? 1 : 2 + 5 * tasks(depth - 1) + (depth == 1 ? 1 : 0)
  }

  @Test("K5, K7: in each of many runs, 26,562 tasks do as they do unrecorded, and none is missing")
  func many() throws {
    let bare = Process()
    let output = Pipe()
    bare.executableURL = URL(fileURLWithPath: Self.program)
    bare.arguments = ["\(Self.depth)", "quiet"]
    bare.standardOutput = output
    try bare.run()
    let printed = output.fileHandleForReading.readDataToEndOfFile()
    let expected = String(decoding: printed, as: UTF8.self)
    bare.waitUntilExit()
    #expect(bare.terminationStatus == 0 && expected.hasPrefix("sum "), "\(expected)")
    let path = folder.file("stress.varve")
    for number in 1...max(Self.runs, 1) {
      let run = try CommandRun(
        ["run", "-q", "-o", path, "--force", "--options", "policy=block", "--"]
          + [Self.program, "\(Self.depth)", "quiet"])
      try #require(run.status == 0 && run.errors == "", "run \(number): \(run.errors)")
      try #require(run.output == expected, "run \(number): \(run.output)")
      let reader = try TraceReader(path: path)
      try #require(reader.losses.isEmpty && reader.ending == .clean, "run \(number)")
      // To follow all tasks takes longer than to run them.
      if number == 1 || number % 25 == 0 {
        let verified = try CommandRun(["verify", path])
        try #require(verified.status == 0, "run \(number): \(verified.errors)")
        let recorded = try TraceTasks(reader, includesEnded: true)
        try #require(recorded.tasks.count == Self.tasks(Self.depth), "run \(number)")
      }
      if number % 100 == 0 { print("\(number) of \(Self.runs) runs") }
    }
  }
}
