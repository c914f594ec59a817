import Foundation
import Testing
import VarveFormat
import VarveTraceScript

@Suite("varve run")
struct RunTests {
  private let folder = TemporaryFolder()

  private func run(_ arguments: [String]) throws -> CommandRun {
    try CommandRun(["run"] + arguments, folder: folder.path)
  }

  @Test("the program's output and status are its own")
  func transparent() throws {
    let run = try run(["-q", "--", "/bin/sh", "-c", "echo \"$1\"; exit 7", "sh", "--help"])
    #expect(run.status == 7)
    #expect(run.output == "--help\n")
    #expect(run.errors.isEmpty)
  }

  @Test("words before the program are the command's, and those behind it the program's")
  func words() throws {
    for asked in [
      ["--help"], ["-h"], ["-q", "--help"], ["-o", "x.varve", "-h", "--", "/bin/echo"],
    ] {
      let help = try run(asked)
      #expect(help.status == 0, "\(asked) \(help.errors)")
      #expect(help.output.hasPrefix("EXAMPLES:\n  varve run -- "), "\(asked)")
      #expect(help.output.contains("USAGE: varve run "))
    }
    #expect(try run(["--version"]).output == CommandRun(["--version"]).output)
    let told = ["--help", "-o", "x", "--force", "--", "--version", "-h"]
    for before in [["-q"], ["-q", "--"]] {
      #expect(
        try run(before + ["/bin/echo"] + told).output == told.joined(separator: " ") + "\n")
    }
    #expect(folder.names.isEmpty)
  }

  @Test("the environment tells the recorder where to write")
  func environment() throws {
    let print = ["/bin/sh", "-c", "echo $VARVE_TRACE; echo $VARVE_OPTIONS"]
    let usual = try run(["-q", "--"] + print)
    #expect(usual.output.split(separator: "\n").first?.hasSuffix("/sh.varve") == true)
    let chosen = try run(["-q", "-o", "x.varve", "--options", "ring=1M,crashes", "--"] + print)
    #expect(chosen.output.hasSuffix("/x.varve\nring=1M,crashes\n"))
    #expect(chosen.output.hasPrefix("/"))
  }

  @Test("a trace that is there is not written over unless that is wanted")
  func force() throws {
    try Data("precious".utf8).write(to: URL(fileURLWithPath: folder.file("sh.varve")))
    let print = ["--", "/bin/sh", "-c", "echo $VARVE_TRACE"]
    #expect(try run(["-q"] + print).output.hasSuffix("/sh-2.varve\n"))
    let refused = try run(["-o", "sh.varve"] + print)
    #expect(refused.status == 2)
    #expect(refused.errors.contains("sh.varve already exists; --force overwrites it"))
    // Nor is what is no trace, ever.
    let precious = try run(["-q", "--force", "-o", "sh.varve"] + print)
    #expect(precious.status == 2 && precious.errors.contains("is no trace; it is left alone"))
    try SearchTrace().script.write(to: folder.file("old.varve"))
    #expect(try run(["-q", "--force", "-o", "old.varve"] + print).status == 0)
  }

  @Test("what would keep the recorder from recording keeps the program from running")
  func checked() throws {
    let touch = ["--", "/bin/sh", "-c", "echo > ran"]
    let options = try run(["--options", "foo=1"] + touch)
    #expect(options.status == 2)
    #expect(options.errors.hasPrefix("varve: --options: 'foo' is none of policy, "))
    let inherited = try CommandRun(
      ["run"] + touch, environment: ["VARVE_OPTIONS": "policy=maybe"], folder: folder.path)
    #expect(inherited.status == 2)
    #expect(inherited.errors.hasPrefix("varve: VARVE_OPTIONS: 'policy' may be drop, block, not"))
    let place = try run(["-o", "nodir/x"] + touch)
    #expect(place.status == 3)
    #expect(place.errors.hasPrefix("varve: cannot make the trace "))
    #expect(place.errors.contains("/nodir/x: No such file or directory"))
    #expect(folder.names.isEmpty)
    // A list of one's own goes before that of the environment.
    let own = try CommandRun(
      ["run", "--options", "ring=1M"] + touch, environment: ["VARVE_OPTIONS": "foo=1"],
      folder: folder.path)
    #expect(own.status == 0)
    #expect(own.errors.contains("it does not import Varve"))
    #expect(folder.names == ["ran"])
  }

  @Test("a program that dies of a signal is seen to have died of it")
  func signal() throws {
    #expect(try run(["-q", "--", "/bin/sh", "-c", "kill -TERM $$"]).status == 128 + SIGTERM)
  }

  @Test("a signal for the command reaches the program")
  func forwarded() throws {
    let process = Process()
    process.executableURL = CommandRun.command
    process.arguments = [
      "run", "-q", "--", "/bin/sh", "-c",
      "trap 'echo got it > got; exit 3' TERM; echo > ready; while :; do sleep 0.05; done",
    ]
    process.currentDirectoryURL = URL(fileURLWithPath: folder.path)
    try process.run()
    while process.isRunning, !FileManager.default.fileExists(atPath: folder.file("ready")) {
      usleep(10_000)
    }
    process.terminate()
    process.waitUntilExit()
    #expect(process.terminationStatus == 3)
    #expect(try String(contentsOfFile: folder.file("got"), encoding: .utf8) == "got it\n")
  }

  @Test("a program ignores the signals that it would ignore without varve, and no others")
  func ignored() throws {
    let print = "grep SigIgn /proc/self/status"
    for names in ["", "HUP", "INT QUIT", "PIPE TERM USR1"] {
      let trap = names.isEmpty ? "" : "trap '' \(names); "
      let bare = try CommandRun(["-c", "\(trap)exec sh -c '\(print)'"], program: "/bin/sh")
      let recorded = try CommandRun(
        ["-c", "\(trap)exec \"$0\" run -q -- sh -c '\(print)'", CommandRun.command.path],
        folder: folder.path, program: "/bin/sh")
      #expect(bare.output.hasPrefix("SigIgn:"))
      #expect(recorded.output == bare.output, "\(names)")
    }
  }

  @Test("what is asked for after the program's end is ended by a signal")
  func symbolicationEnds() throws {
    let child = CommandRun.command.deletingLastPathComponent()
      .appendingPathComponent("HopsChild").path
    // It stands in for a tool that looks for names until nobody wants them any more.
    let tool = folder.file("llvm-symbolizer")
    let looks = "echo > '\(folder.file("looking"))'"
    let script = "#!/bin/sh\n\(looks)\nwhile echo; do sleep 0.05; done\n"
    try Data(script.utf8).write(to: URL(fileURLWithPath: tool))
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: tool)
    let process = Process()
    process.executableURL = CommandRun.command
    process.arguments = [
      "run", "-q", "--symbolicate", "--", child, "kill",
    ]
    process.environment = ["VARVE_SYMBOLIZER": tool, "PATH": "/usr/bin:/bin"]
    process.currentDirectoryURL = URL(fileURLWithPath: folder.path)
    try process.run()
    while process.isRunning, !FileManager.default.fileExists(atPath: folder.file("looking")) {
      usleep(10_000)
    }
    #expect(process.isRunning)
    process.terminate()
    process.waitUntilExit()
    #expect(process.terminationReason == .uncaughtSignal)
    #expect(process.terminationStatus == SIGTERM)
  }

  @Test("T5: the trace of a program that was killed says by which signal")
  func waitStatus() throws {
    let child = CommandRun.command.deletingLastPathComponent()
      .appendingPathComponent("RecorderChild").path
    let run = try run(["-o", "of-%p.varve", "--", child, "die", "", "3000", ""])
    #expect(run.status == 128 + SIGKILL)
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    let name = try #require(names.first { $0.hasSuffix(".varve") })
    #expect(run.errors.contains("3,000 events") || run.errors.contains("3000 events"))
    let trace = try TraceReader(path: folder.file(name))
    #expect(
      trace.ending == .crashed(signal: SIGKILL, ring: nil, programCounter: nil))
    #expect(trace.events == 3_000)
  }

  @Test(
    "T1: of several programs that a script runs, each has its trace by its number, and all are told"
  )
  func allTold() throws {
    let child = CommandRun.command.deletingLastPathComponent()
      .appendingPathComponent("RecorderChild").path
    let twice = "\"$0\" die '' 20 ''; \"$0\" die '' 1 ''; exit 0"
    let run = try run(["-o", "of-%p.varve", "--", "/bin/sh", "-c", twice, child])
    let names = folder.names.filter { $0.hasSuffix(".varve") }
    #expect(run.status == 0 && names.count == 2)
    for name in names { #expect(run.errors.contains("/\(name); next: "), "\(run.errors)") }
    #expect(run.errors.contains("varve: 20 events in "))
    #expect(run.errors.contains("varve: 1 event in "))
    #expect(!run.errors.contains("left no trace"))
    // Those of an earlier run are no others' business.
    let again = try self.run(["-o", "of-%p.varve", "--", "/bin/sh", "-c", "exit 0"])
    #expect(again.errors.contains("left no trace") && !again.errors.contains("events in"))
  }

  @Test("T1: of several programs that a script runs, none writes over the trace of the one before")
  func severalPrograms() throws {
    let child = CommandRun.command.deletingLastPathComponent()
      .appendingPathComponent("RecorderChild").path
    let twice = "\"$0\" die '' $1 ''; \"$0\" die '' $2 ''"
    let script = ["-o", "all.varve", "--", "/bin/sh", "-c", twice, child, "20", "3"]
    let run = try run(["-q"] + script)
    #expect(run.errors.contains("all.varve holds what process "))
    #expect(run.errors.contains("a path with %p gives each process a file of its own"))
    #expect(try TraceReader(path: folder.file("all.varve")).events == 20)
    // The next run may.
    #expect(try self.run(["-q", "--force"] + script.dropLast(2) + ["7", "3"]).status == 128 + 9)
    #expect(try TraceReader(path: folder.file("all.varve")).events == 7)
  }

  @Test("T2: orders for a trace that nobody records are refused, and so are those with a mistake")
  func control() throws {
    let nobody = try CommandRun(["control", "no.varve", "snapshot"], folder: folder.path)
    #expect(nobody.status == 2)
    #expect(nobody.errors.contains("nobody is recording to"))
    let mistake = try CommandRun(["control", "no.varve", "colour=red"], folder: folder.path)
    #expect(mistake.status == 2)
    #expect(mistake.errors.contains("'colour'"))
  }
}
