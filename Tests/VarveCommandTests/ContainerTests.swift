import Foundation
import Testing
import VarveFormat
import VarveTraceScript

/// The command, and a program that it looks at in a pid namespace of its own.
@Suite(
  "A recording in a container",
  .enabled(if: Container.canBeMade, "not run: no pid namespace can be made here"))
struct ContainerTests {
  private let folder = TemporaryFolder()
  private var path: String { folder.file("live.varve") }

  @Test("T12: the command sees that it runs, follows it, gives it orders, repairs it later")
  func fromOutside() throws {
    let container = try Container(recordingTo: path, in: folder)
    #expect(try CommandRun(["info", path]).output.contains("the program is still running"))
    let repair = try CommandRun(["repair", path, "-o", path, "--force"])
    #expect(repair.status == 2 && repair.errors.contains("still being recorded"))
    let followed = try CommandRun([
      "replay", path, "-f", "--format", "ndjson", "-k", "value", "--head", "2000",
    ])
    #expect(followed.status == 0)
    #expect(followed.output.split(separator: "\n").count == 2_000)
    #expect(try CommandRun(["control", path, "snapshot"]).status == 0)
    try container.wait { folder.names.contains { $0.hasPrefix("live-snapshot") } }
    container.end()
    try container.wait {
      try CommandRun(["info", path]).output.contains("killed")
    }
    #expect(try CommandRun(["control", path, "snapshot"]).status == 2)
    #expect(try CommandRun(["repair", path, "-o", path, "--force"]).status == 0)
  }

  @Test("T12: varve run finds the trace of a program whose number another one had")
  func runBeside() throws {
    let child = CommandRun.command.deletingLastPathComponent()
      .appendingPathComponent("RecorderChild").path
    let files = (1...2).map { _ in
      try? Container.run([
        CommandRun.command.path, "run", "-o", folder.file("of-%p.varve"), "--", child, "die", "",
        "300", "",
      ])
    }
    for (run, name) in zip(files, ["of-2.varve", "of-2-other-1.varve"]) {
      #expect(run?.errors.contains("300 events in \(folder.file(name))") == true, "\(run as Any)")
      let ending = try TraceReader(path: folder.file(name)).ending
      #expect(ending == .crashed(signal: SIGKILL, ring: nil, programCounter: nil))
    }
  }
}

/// A program that records in a pid namespace of its own.
private final class Container {
  static let canBeMade = (try? run(["true"]).status) == 0
  private static let words = ["unshare", "--pid", "--fork", "--mount-proc", "--kill-child"]
  private let process = Process()

  /// Runs a program there to its end.
  static func run(_ program: [String]) throws -> CommandRun {
    try CommandRun(words + program, program: "/usr/bin/env")
  }

  init(recordingTo path: String, in folder: TemporaryFolder) throws {
    let board = folder.file("board")
    #expect(FileManager.default.createFile(atPath: board, contents: Data(count: 1 << 16)))
    let child = CommandRun.command.deletingLastPathComponent()
      .appendingPathComponent("RecorderChild").path
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = Self.words + [child, "paced", path, "2", "", board]
    try process.run()
    try wait { (try? TraceReader(path: path)) != nil }
  }

  deinit { end() }

  /// Kills it as nothing can be caught.
  func end() {
    guard process.isRunning else { return }
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
  }

  func wait(until isSo: () throws -> Bool) throws {
    for _ in 0..<1_200 {
      if try isSo() { return }
      usleep(100_000)
    }
    throw WaitedInVain()
  }

  private struct WaitedInVain: Error {}
}
