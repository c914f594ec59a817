import Foundation
import Testing
import VarveTraceScript

/// Programs with tasks, under `varve run`, whose runtime is not the one that is known.
@Suite(
  "Runtimes that are not known",
  .enabled(if: Compilers.areThere, "not run: there is no clang or no swiftc"))
struct UnknownRuntimeTests {
  private let folder = TemporaryFolder()

  /// Records the program, with a library in front of its own if there is one, and checks that it
  /// does what it does otherwise. Returns what the command says of its tasks.
  private func tasks(
    _ options: [String] = ["-parse-as-library"], front: String? = nil,
    saying obstacle: String? = nil
  ) throws
    -> CommandRun
  {
    let program = try Compilers.make(
      programText, "program.swift", to: "program", options, in: folder)
    let trace = folder.file("program.varve")
    let run = try CommandRun(
      ["run", "-o", trace, "--force", "--", program],
      environment: front.map { ["LD_PRELOAD": $0] } ?? [:])
    #expect(run.output == "sum 4950\n")
    #expect(run.status == 0, "\(run.errors)")
    if let obstacle { #expect(run.errors.contains(obstacle), "\(run.errors)") }
    return try CommandRun(["tasks", "--ended", trace])
  }

  @Test("K6: the tasks of the known one are all there")
  func known() throws {
    let tasks = try tasks()
    #expect(tasks.output.hasPrefix("101 tasks: "), "\(tasks.output)\(tasks.errors)")
    #expect(tasks.status == 0)
  }

  @Test(
    "K6: with another layout, the program runs as it does, and the trace says what is not there",
    arguments: [
      "const unsigned _swift_concurrency_debug_internal_layout_version = 2;",
      "const unsigned long _swift_concurrency_debug_asyncTaskSize = 216;",
    ])
  func layout(text: String) throws {
    let front = try Compilers.make(
      text, "front.c", to: "front.so", ["-shared", "-fPIC"], in: folder)
    let tasks = try tasks(front: front)
    #expect(tasks.status == 1 && tasks.output == "", "\(tasks.output)")
    #expect(
      tasks.errors.contains(
        "tasks are not recorded: their layout in this version of Swift is not known"),
      "\(tasks.errors)")
  }

  @Test("K6: where a thread sanitizer has the runtime's calls, that is what the trace says")
  func sanitized() throws {
    let tasks = try tasks(
      ["-parse-as-library", "-sanitize=thread"],
      saying: "varve: warning: tasks are not recorded: a thread sanitizer watches them")
    #expect(tasks.status == 1 && tasks.output == "", "\(tasks.output)")
    #expect(
      tasks.errors.contains("tasks are not recorded: a thread sanitizer watches them"),
      "\(tasks.errors)")
  }

  @Test(
    "K6: a program with Swift within itself, stripped or not, leaves no trace",
    arguments: [[], ["-Xlinker", "-s"]])
  func linkedStatically(options: [String]) throws {
    let tasks = try tasks(["-parse-as-library", "-static-stdlib"] + options)
    #expect(tasks.output == "" && tasks.errors.contains("there is no file"), "\(tasks.errors)")
  }

  private let programText = """
    @main struct Program {
      static func main() async {
        let sum = await withTaskGroup(of: Int.self) { group in
          for each in 0..<100 { group.addTask { await Task.yield(); return each } }
          return await group.reduce(0, +)
        }
        print("sum \\(sum)")
      }
    }
    """
}
