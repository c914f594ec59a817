import Foundation
import Testing
import VarveFormat
import VarveTraceScript

@Suite("What the command must not do to files")
struct HarmlessTests {
  private let folder = TemporaryFolder()
  private let trace: String

  init() throws {
    trace = folder.file("shop.varve")
    try SearchTrace().script.write(to: trace, blockEvents: 8)
  }

  private func bytes(_ name: String) throws -> Data {
    try Data(contentsOf: URL(fileURLWithPath: folder.file(name)))
  }

  private func write(_ text: String, to name: String) throws {
    try Data(text.utf8).write(to: URL(fileURLWithPath: folder.file(name)))
  }

  @Test("T5: no verb records: a trace that VARVE_TRACE names stays as it is, byte for byte")
  func environment() throws {
    let child = CommandRun.command.deletingLastPathComponent()
      .appendingPathComponent("RecorderChild").path
    let dead = folder.file("dead.varve")
    #expect(try CommandRun(["leave", dead, "3000", ""], program: child).status == 0)
    let names = ["shop.varve", "dead.varve", "dead.varve-live"]
    let before = try names.map(bytes)
    for path in [trace, dead] {
      for verb in [["info"], ["streams"], ["replay"], ["timeline"], ["verify"], ["--help"]] {
        let run = try CommandRun(verb + [path], environment: ["VARVE_TRACE": path])
        #expect(run.status == 0, "\(verb) \(run.errors)")
        #expect(!run.errors.contains("recording"))
      }
    }
    #expect(try names.map(bytes) == before)
    #expect(folder.names.count == 3)
  }

  @Test("T2: varve run records the program, whatever VARVE_TRACE was before")
  func runRecords() throws {
    let child = CommandRun.command.deletingLastPathComponent()
      .appendingPathComponent("RecorderChild").path
    let before = try bytes("shop.varve")
    let run = try CommandRun(
      ["run", "-q", "-o", "new.varve", "--", child, "plain", "", "3000", ""],
      environment: ["VARVE_TRACE": trace], folder: folder.path)
    #expect(run.status == 0)
    #expect(try TraceReader(path: folder.file("new.varve")).events == 3_000)
    #expect(try bytes("shop.varve") == before)
  }

  @Test(
    "a link that was laid where a draft would be is not followed",
    arguments: [
      "repair \"$1\" -o new", "merge \"$1\" -o new", "export \"$1\" --format csv -o new",
    ])
  func laidLink(verb: String) throws {
    try write("precious", to: "victim")
    // The shell becomes the command: the number of the process stays.
    let script = "ln -s victim new.part-$$; exec \"$0\" \(verb)"
    let run = try CommandRun(
      ["-c", script, CommandRun.command.path, trace], folder: folder.path, program: "/bin/sh")
    #expect(run.status == 0, "\(run.errors)")
    #expect(try bytes("victim") == Data("precious".utf8))
    let new = try FileManager.default.attributesOfItem(atPath: folder.file("new"))
    #expect(new[.type] as? FileAttributeType == .typeRegular)
  }

  @Test("T5: a trace that is being recorded is not replaced, with --force either")
  func recorded() throws {
    let live = folder.file("live.varve")
    let child = try RecordingChild(into: live, threads: 1, in: folder)
    for verb in ["repair", "merge", "scrub"] {
      let run = try CommandRun([verb, trace, "-o", live, "--force"])
      #expect(run.status == 2, "\(verb)")
      #expect(run.errors.contains("process \(child.identifier) is recording to \(live)"))
    }
    #expect(child.isRunning)
  }

  @Test(
    "-o over the trace that is read is refused, with --force and under another name as well",
    arguments: [["export", "--format", "csv"], ["view", "--no-open"]])
  func overInput(verb: [String]) throws {
    try FileManager.default.createSymbolicLink(
      atPath: folder.file("other.varve"), withDestinationPath: "shop.varve")
    let before = try bytes("shop.varve")
    for target in ["shop.varve", "other.varve"] {
      let run = try CommandRun(
        verb + [trace, "--force", "-o", folder.file(target)], folder: folder.path)
      #expect(run.status == 2, "\(run.errors)")
      #expect(run.errors.contains("is being read"))
      #expect(try bytes("shop.varve") == before)
    }
    #expect(Set(folder.names) == ["shop.varve", "other.varve"])
  }

  @Test("what -o writes is there at once and whole, and nothing is there when it fails")
  func wholeOutput() throws {
    try write("precious", to: "out")
    let none = try CommandRun(
      ["export", trace, "--format", "csv", "-n", "nobody", "--force", "-o", folder.file("out")])
    #expect(none.status == 1)
    let done = try CommandRun(
      ["export", trace, "--format", "csv", "--force", "-o", folder.file("out")])
    #expect(done.status == 0)
    let text = try CommandRun(["export", trace, "--format", "csv"]).output
    #expect(try bytes("out") == Data(text.utf8))
    #expect(
      try CommandRun(
        ["export", trace, "--format", "csv", "--force", "-o", "/dev/null"]).status == 0)
    #expect(
      try CommandRun(
        ["export", trace, "--format", "csv", "--force", "-o", "/dev/full"]).status == 3)
    #expect(Set(folder.names) == ["shop.varve", "out"])
  }

  @Test("F2: a pipe that nobody writes into is refused at once")
  func pipes() throws {
    let pipe = folder.file("pipe.varve")
    try #require(mkfifo(pipe, 0o600) == 0)
    for verb in ["info", "verify", "replay", "postmortem"] {
      #expect(try statusInTime([verb, pipe]) == 3 << 8, "\(verb)")
    }
    #expect(try statusInTime(["repair", trace, "--force", "-o", pipe]) == 2 << 8)
  }

  /// How the command ends, which is to take much less time than it gets here.
  private func statusInTime(_ arguments: [String]) throws -> Int32? {
    let process = try start(arguments, environment: [], input: STDIN_FILENO)
    var status: Int32 = 0
    for _ in 0..<3_000 {
      if waitpid(process, &status, WNOHANG) == process { return status }
      usleep(10_000)
    }
    kill(process, SIGKILL)
    waitpid(process, &status, 0)
    return nil
  }

  @Test(
    "a signal leaves nothing of the trace in the folder for temporary files",
    arguments: [SIGINT, SIGTERM])
  func interrupted(signal: Int32) throws {
    let temporary = TemporaryFolder()
    let input = Pipe()
    let process = try start(
      ["replay", "-"], environment: ["TMPDIR=\(temporary.path)"],
      input: input.fileHandleForReading.fileDescriptor)
    try input.fileHandleForWriting.write(contentsOf: try bytes("shop.varve").prefix(500))
    for _ in 0..<240_000 where temporary.names.isEmpty { usleep(1_000) }
    kill(process, signal)
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0, errno == EINTR {}
    #expect(status == (signal == SIGINT ? 130 << 8 : signal))
    #expect(temporary.names == [])
  }

  /// Starts the command with no signal blocked: the runner's threads block some.
  private func start(_ arguments: [String], environment: [String], input: Int32) throws -> pid_t {
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var none = sigset_t()
    sigemptyset(&none)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO)
    let path = CommandRun.command.path
    var words = ([path] + arguments).map { strdup($0) } + [nil]
    var variables = environment.map { strdup($0) } + [nil]
    defer { for text in words + variables { free(text) } }
    var process: pid_t = 0
    try #require(posix_spawn(&process, path, &actions, &attributes, &words, &variables) == 0)
    return process
  }
}
