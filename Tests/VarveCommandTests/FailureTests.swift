import Foundation
import Testing
import VarveTraceScript

@Suite("What goes wrong")
struct FailureTests {
  private let folder = TemporaryFolder()
  private let trace: String

  init() throws {
    trace = folder.file("shop.varve")
    try SearchTrace().script.write(to: trace, blockEvents: 8)
  }

  @Test(
    "wrong usage ends with 2 and says what to do",
    arguments: [
      (
        ["replya", "x.varve"],
        "there is no verb \"replya\", and no file of that name; did you mean \"replay\"?"
      ),
      (["replay"], "Missing expected argument '<file> ...'"),
      (["replay", "FILE", "--since", "soon"], "\"soon\" is no time"),
      (["replay", "FILE", "-k", "valeu"], "did you mean \"value\"?"),
      (["replay", "FILE", "-n", "/(/"], "/(/ is not a regular expression"),
      (
        ["replay", "FILE", "--since", "#4000"],
        "\"#4000\" does not say of which thread; events are called after thread and ordinal, such as "
          + "\"#1.4000\" (varve info --threads lists the threads)"
      ),
      (["why", "FILE", "4000"], "such as \"#1.4000\""),
      (["why", "FILE", "#1.x"], "\"#1.x\" is no event"),
      (
        ["why", "FILE", "1.4000"],
        "there is no event #1.4000; the trace has #1.1 to #1.26 of that thread"
      ),
      (["backtrace", "FILE", "--event", "9.1"], "the trace holds nothing of thread 9"),
      (["replay", "FILE", "--around", "2:1.1"], "nothing of thread 2:1; try #1.1"),
      (["replay", "FILE", "-f", "--head", "1", "--tail", "1"], "--head or --tail"),
      (["replay", "FILE", "--head", "-1"], "-1 is not a number of events"),
      (["replay", "FILE", "--speed", "fast"], "try \"1x\""),
      (["replay", "FILE", "--fields", "colour"], "there is no column \"colour\""),
      (["replay", "FILE", "--format", "xml"], "xml"),
      (["timeline", "FILE", "--width", "3"], "from 40 to 10000 columns"),
      (["info", "FILE", "--frobnicate"], "--frobnicate"),
      (["run"], "which program?"),
      (["run", "--foo", "--", "/bin/echo", "--help"], "unknown option \"--foo\"."),
      (["run", "--optoins", "x", "--", "/bin/echo"], "did you mean \"--options\"?"),
      (["run", "--forec=yes", "/bin/echo"], "did you mean \"--force\"?"),
      (["run", "-q", "-z", "/bin/echo"], "unknown option \"-z\"."),
      (["run", "--", "--foo"], "cannot run --foo: No such file or directory"),
      (
        ["run", "--", "/no/such/program"], "cannot run /no/such/program: No such file or directory"
      ),
    ])
  func usage(arguments: [String], message: String) throws {
    let run = try CommandRun(
      arguments.map { $0 == "FILE" ? trace : $0 }, folder: folder.path)
    #expect(run.status == 2)
    #expect(run.errors.contains(message))
    #expect(run.output.isEmpty)
  }

  @Test("nothing that matches ends with 1, and the nearest name is told")
  func nothing() throws {
    let run = try CommandRun(["replay", trace, "-n", "serach*"])
    #expect(run.status == 1)
    #expect(run.output.isEmpty)
    #expect(run.errors == "varve: no stream matches \"serach*\"; nearest: \"search\"\n")
    let strange = try CommandRun(["replay", trace, "-n", "/^zz$/"])
    #expect(strange.errors == "varve: no stream matches \"/^zz$/\"; varve streams lists them\n")
    for verb in ["streams", "timeline"] {
      #expect(try CommandRun([verb, trace, "-n", "serach*"]).status == 1)
    }
    #expect(try CommandRun(["replay", trace, "-k", "mark"]).status == 1)
  }

  @Test(
    "what is no trace ends with 3 and is told by name",
    arguments: [
      "", "hello\n", "#!/bin/sh\necho this is a script, of some length, and no trace\n",
      String(repeating: "\0", count: 4096), "varve",
    ])
  func noTrace(content: String) throws {
    let path = folder.file("other")
    try Data(content.utf8).write(to: URL(fileURLWithPath: path))
    for verb in ["info", "streams", "replay", "timeline"] {
      let run = try CommandRun([verb, path])
      #expect(run.status == 3)
      #expect(run.output.isEmpty)
      #expect(run.errors.hasPrefix("varve: \(path): "))
      #expect(run.errors.filter { $0 == "\n" }.count == 1)
    }
  }

  @Test("a file that is not there, a folder and one that may not be read end with 3")
  func unreadable() throws {
    let missing = try CommandRun(["replay", folder.file("gone.varve")])
    #expect(missing.status == 3)
    #expect(missing.errors.contains("No such file or directory"))
    #expect(try CommandRun(["gone.varve"], folder: folder.path).status == 3)
    let empty = try CommandRun(["info", TemporaryFolder().path])
    #expect(empty.status == 3)
  }

  @Test("F2: a trace that is cut anywhere shows its intact part and says so")
  func cut() throws {
    let whole = try Data(contentsOf: URL(fileURLWithPath: trace))
    let path = folder.file("cut.varve")
    let full = Set(
      try CommandRun(["replay", trace, "--format", "ndjson"]).output.split(separator: "\n"))
    var shown: Set<Int> = []
    for length in stride(from: 0, to: whole.count, by: 61) {
      try whole.prefix(length).write(to: URL(fileURLWithPath: path))
      let run = try CommandRun(["replay", path, "--format", "ndjson"])
      let lines = run.output.split(separator: "\n")
      #expect(lines.isEmpty ? [1, 3, 4].contains(run.status) : [0, 4].contains(run.status))
      #expect([0, 1].contains(run.status) || !run.errors.isEmpty)
      #expect(full.isSuperset(of: lines))
      shown.insert(lines.count)
    }
    #expect(shown.count > 3)
  }

  @Test("F3: a flipped byte costs one block, the rest is shown, and the status is 4")
  func flipped() throws {
    var bytes = try Data(contentsOf: URL(fileURLWithPath: trace))
    bytes[bytes.count / 2] ^= 0x55
    let path = folder.file("flipped.varve")
    try bytes.write(to: URL(fileURLWithPath: path))
    let run = try CommandRun(["replay", path])
    #expect(run.status == 4)
    #expect(run.errors.contains("varve: warning: \(path): "))
    let lines = run.output.split(separator: "\n").count
    #expect(lines >= 31 && lines < 39)
    let quiet = try CommandRun(["replay", path, "-q"])
    #expect(quiet.status == 4)
    #expect(quiet.errors.isEmpty)
  }

  @Test(
    "what cannot be written ends every verb with 3, as the manual says",
    arguments: [
      ["export", "--format", "csv", "TRACE"], ["export", "--format", "ctf", "TRACE"],
      ["export", "--format", "sqlite", "TRACE"], ["export", "--format", "parquet", "TRACE"],
      ["export", "--format", "parquet", "--partition", "TRACE"], ["merge", "TRACE", "TRACE"],
      ["timeline", "--format", "svg", "TRACE"], ["repair", "TRACE"], ["scrub", "TRACE"],
      ["symbolicate", "TRACE"], ["view", "--no-open", "TRACE"], ["run"], ["test"],
    ])
  func unwritable(words: [String]) throws {
    let path = folder.file("shop.varve")
    try SearchTrace().script.write(to: path)
    let words = words.map { $0 == "TRACE" ? path : $0 }
    let runs = ["run", "test"].contains(words[0])
    let run = try CommandRun(words + ["-o", "/none/of/these"] + (runs ? ["--", "true"] : []))
    #expect(run.status == 3, "\(run.errors)")
    #expect(run.errors.contains("/none/of/these") && run.output.isEmpty)
  }

  @Test("losses are told on standard error, and in info")
  func losses() throws {
    var script = TraceScript()
    let stream = script.stream("s")
    script.value(stream, "x", at: 1)
    script.lose(1_234, from: 2, to: 5_000)
    let path = folder.file("lossy.varve")
    try script.write(to: path)
    let told = "1,234 events of thread 1 (main) lost between 2 ms and 5 s"
    let replay = try CommandRun(["replay", path])
    #expect(replay.status == 0)
    #expect(replay.errors == "varve: warning: \(path): \(told)\n")
    #expect(try CommandRun(["info", path]).output.contains(told))
  }

  @Test("the two ends of a loss are told so exactly that its length is")
  func shortLosses() throws {
    var script = TraceScript()
    let stream = script.stream("s")
    script.value(stream, "x", at: 1)
    script.lose(3, from: 0, to: 0.00115)
    script.lose(4, from: 2_000.25, to: 2_000.75)
    script.lose(1, from: 3_000.5, to: 3_000.5)
    let path = folder.file("lossy.varve")
    try script.write(to: path)
    let info = try CommandRun(["info", path]).output
    #expect(info.contains("3 events of thread 1 (main) lost between 0 s and 1.15 µs\n"))
    #expect(info.contains("4 events of thread 1 (main) lost between 2.00025 s and 2.00075 s\n"))
    #expect(info.contains("1 event of thread 1 (main) lost at 3.0005 s\n"))
  }

  @Test("a reader that has seen enough ends the command without a word")
  func pipe() throws {
    var script = TraceScript()
    let stream = script.stream("s")
    for index in 0..<20_000 { script.value(stream, "value \(index)", at: Double(index)) }
    let path = folder.file("long.varve")
    try script.write(to: path)
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    process.arguments = [
      "-c", "{ \"$0\" replay \"$1\"; echo $? >&2; } | head -n 1 > /dev/null",
      CommandRun.command.path, path,
    ]
    let errors = folder.file("err")
    #expect(FileManager.default.createFile(atPath: errors, contents: nil))
    process.standardError = FileHandle(forWritingAtPath: errors)
    try process.run()
    process.waitUntilExit()
    #expect(try String(contentsOfFile: errors, encoding: .utf8) == "0\n")
  }

  @Test("names of files cannot drive a terminal")
  func messages() throws {
    let run = try CommandRun(["info", "/tmp/\u{1b}[2Jgone.varve"])
    #expect(run.status == 3)
    #expect(!run.errors.contains("\u{1b}"))
    #expect(run.errors.contains("\\u{1b}[2Jgone.varve"))
  }
}
