import Foundation
import Testing
import VarveTraceScript

/// `varve test`: tests that may hang.
@Suite("varve test")
struct TestVerbTests {
  private let folder = TemporaryFolder()

  private func program(_ name: String) -> String {
    CommandRun.command.deletingLastPathComponent().appendingPathComponent(name).path
  }

  @Test("K4: silent tests are shown with the task that keeps the others waiting, and are ended")
  func hanging() throws {
    let run = try CommandRun(["test", "--silence", "1500ms", "--", program("TasksChild")])
    #expect(run.status == 124)
    #expect(run.errors.contains("silent for 1500ms"))
    #expect(run.output.contains("/TasksChild\n25 tasks: 25 waiting\n"), "\(run.output)")
    #expect(run.output.contains("what to look at\n"))
    #expect(run.output.contains("in forgotten()"))
  }

  @Test(
    "K4: a test that hangs leaves a trace with its tasks, which is explained; its shell leaves none"
  )
  func trace() throws {
    let traces = folder.file("traces")
    let run = try CommandRun([
      "test", "--silence", "1500ms", "-o", traces, "--", "/bin/sh", "-c",
      "\(program("TasksChild")); exit 3",
    ])
    #expect(run.status == 3)
    let kept = try FileManager.default.contentsOfDirectory(atPath: traces)
      .filter { $0.hasSuffix(".varve") }
    try #require(kept.count == 1, "\(kept)")
    #expect(run.output.contains("postmortem of \(traces)/\(kept[0])"))
    #expect(run.output.contains("tasks that had not ended"))
    #expect(
      run.output.contains("killed: it had been silent for 1500ms, and varve test ended it"),
      "\(run.output)")
    #expect(!run.output.contains("nothing says of what"))
    let tasks = try CommandRun(["tasks", "\(traces)/\(kept[0])"])
    #expect(tasks.output.contains("in forgotten()"), "\(tasks.output)")
  }

  @Test("K5: tools that run tests are left alone")
  func tools() throws {
    // A program with tasks, and a copy of it under the name of a tool.
    let tool = folder.file("swift-build-tool")
    try FileManager.default.copyItem(atPath: program("TaskOracle"), toPath: tool)
    for (path, count) in [(program("TaskOracle"), 1), (tool, 0)] {
      let traces = folder.file("traces of \(count)")
      let run = try CommandRun(["test", "-q", "-o", traces, "--", path, "1"])
      #expect(run.status == 0, "\(run.errors)")
      #expect(try FileManager.default.contentsOfDirectory(atPath: traces).count == count)
    }
  }

  @Test("K4: tests that are below a shell are found; the shell's end is the command's")
  func below() throws {
    let run = try CommandRun([
      "test", "--silence", "1500ms", "--", "/bin/sh", "-c",
      "echo first; \(program("TasksChild")); echo later; exit 7",
    ])
    #expect(run.status == 7)
    #expect(run.output.hasPrefix("first\n"))
    #expect(run.output.contains("in forgotten()"))
    #expect(run.output.contains("\nlater\n"))
  }

  @Test("K5: output and status are those of the command, and silence without tests is none")
  func passing() throws {
    let run = try CommandRun([
      "test", "--silence", "200ms", "--", "/bin/sh", "-c",
      "printf one; printf two >&2; read -r _ < \"$0\"; exit 3", folder.fifo(closingAfter: 0.8),
    ])
    #expect(run.status == 3)
    #expect(run.output == "one")
    #expect(run.errors == "two")
  }

  @Test(
    "help is given before a command, and left to the command behind it",
    arguments: ["-h", "--help"])
  func help(flag: String) throws {
    let own = try CommandRun(["test", flag])
    #expect(own.status == 0 && own.output.hasPrefix("EXAMPLES:"), "\(own.errors)")
    #expect(own.output.contains("--silence"))
    let passed = try CommandRun(["test", "--", "/bin/sh", "-c", "echo $0", flag])
    #expect(passed.status == 0 && passed.output == "\(flag)\n")
    let mistaken = try CommandRun(["test", "--silnce", "5s"])
    #expect(mistaken.status == 2 && mistaken.errors.contains("unknown option \"--silnce\""))
  }

  @Test("Test processes that import Varve are recorded; traces that tell of no crash are removed")
  func traces() throws {
    let temporary = folder.file("temporary")
    try FileManager.default.createDirectory(atPath: temporary, withIntermediateDirectories: true)
    let well = try CommandRun(
      ["test", "--", program("HopsChild"), "keep"], environment: ["TMPDIR": temporary])
    #expect(well.status == 0)
    #expect(try FileManager.default.contentsOfDirectory(atPath: temporary).isEmpty)
    let kept = folder.file("traces")
    let again = try CommandRun(["test", "-o", kept, "--", program("HopsChild"), "keep"])
    #expect(again.status == 0)
    let traces = try FileManager.default.contentsOfDirectory(atPath: kept)
    #expect(traces.count == 1)
    #expect(again.errors.contains(traces[0]))
  }

  @Test(
    "Wrong words are refused with what to try",
    arguments: [
      (["test"], "try: varve test -- swift test"),
      (["test", "--silence", "5", "--", "true"], "has no unit"),
      (["test", "--silence", "1ms", "--", "true"], "at least 0.1s"),
      (["test", "--options", "nosuch", "--", "true"], "--options"),
      (["test", "--", "/nowhere/at/all"], "cannot run /nowhere/at/all"),
    ])
  func mistakes(words: [String], message: String) throws {
    let run = try CommandRun(words)
    #expect(run.status == 2)
    #expect(run.errors.contains(message), "\(run.errors)")
  }
}

extension TemporaryFolder {
  /// Makes a named pipe from which a reader learns the end after a while.
  fileprivate func fifo(closingAfter seconds: Double) -> String {
    let path = file("pipe")
    mkfifo(path, 0o600)
    DispatchQueue.global().async {
      let descriptor = open(path, O_WRONLY)
      usleep(UInt32(seconds * 1_000_000))
      close(descriptor)
    }
    return path
  }
}
