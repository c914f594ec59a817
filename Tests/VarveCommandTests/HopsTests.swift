import Foundation
import Testing
import VarveAnalysis
import VarveFormat
import VarveTraceScript

/// `varve run --hops`: work that the library knows nothing of.
@Suite("varve run --hops")
struct HopsTests {
  private let folder = TemporaryFolder()

  private func run(
    _ mode: String, hops: Bool = true, isQuiet: Bool = true
  ) throws -> CommandRun {
    let child = CommandRun.command.deletingLastPathComponent().appendingPathComponent("HopsChild")
    return try CommandRun(
      ["run"] + (isQuiet ? ["-q"] : []) + ["--force", "-o", folder.file("child.varve")]
        + [hops ? "--hops" : "--no-tasks", "--", child.path, mode])
  }

  @Test(
    "B4: barriers, cancelling, waiting, groups and the rest are as they would be without",
    arguments: [true, false])
  func promises(hops: Bool) throws {
    let run = try run("keep", hops: hops)
    #expect(run.output == "all 34 hold\n")
    #expect(run.status == 0, "\(run.errors)")
  }

  @Test("B4: backtraces lead through queues, groups, timers, operations and tasks of any code")
  func followed() throws {
    let run = try run("follow")
    #expect(run.status == 0)
    let ways = run.output.components(separatedBy: "=== ").dropFirst()
    let expected = [
      "async": ["viaAsync"], "async of an item": ["viaItem"], "after": ["viaAfter"],
      "barrier": ["viaBarrier"], "group": ["viaGroup"], "notify": ["viaNotify"],
      "timer": ["viaTimer"], "operation": ["viaOperation"], "task": ["viaTask"],
      "sleeping task": ["viaSleepingTask"], "two hops": ["thenTask", "viaTwoHops"],
      "apply": ["viaApply"],
    ]
    #expect(ways.count == expected.count)
    for way in ways {
      let name = way.prefix { $0 != "\n" }
      // Behind the first hop: the calling code's own stack mentions nobody.
      let chain = way.components(separatedBy: "scheduled on ").dropFirst()
      for function in expected[String(name)] ?? ["?"] where name != "apply" {
        #expect(chain.contains { $0.contains("Ways.\(function)") }, "\(way)")
      }
    }
    #expect(run.output.contains("scheduled on Swift concurrency"))
    #expect(run.output.contains("scheduled on DispatchQueue(ways)"))
  }

  @Test("B4: without the mode, such work has no way back")
  func unfollowed() throws {
    let run = try run("follow", hops: false)
    #expect(run.status == 0)
    #expect(!run.output.contains("scheduled on"))
  }

  @Test("B4: the trace holds such hops, with their stacks, and the command says whose they are")
  func recorded() throws {
    let run = try run("keep", isQuiet: false)
    #expect(
      run.errors.contains(/\nvarve: --hops followed the work of Dispatch.*, and of \d+ more\n/),
      "\(run.errors)")
    let reader = try TraceReader(path: folder.file("child.varve"))
    let names = Set(reader.definitions.schedulers.values.map(\.name))
    #expect(names.isSuperset(of: ["DispatchQueue(promises.order)", "Swift concurrency"]))
    #expect(!reader.definitions.stacks.isEmpty)
    #expect(reader.ending == .clean)
  }

  @Test("B4: queues of a program that has tasks, and no Varve, are followed, too")
  func ofTasks() throws {
    let child = CommandRun.command.deletingLastPathComponent().appendingPathComponent("TasksChild")
    let trace = folder.file("tasks.varve")
    let run = try CommandRun(["run", "--hops", "-o", trace, "--", child.path, "queued"])
    #expect(run.status == 0 && run.errors.contains("--hops followed the work of "), "\(run.errors)")
    let reader = try TraceReader(path: trace)
    let scheduler = try #require(
      reader.definitions.schedulers.values.first { $0.name == "DispatchQueue(second)" })
    var selection = Selection()
    selection.kinds = KindSelection([.hopBegan])
    var query = try EventQuery(selection, in: reader, columns: [.streams])
    var began: EventName?
    query.run { page in
      page.forEach { if $0.columns.streams[$1] == scheduler.id { began = $0.columns.name($1) } }
      return true
    }
    let why = try CommandRun(["why", trace, "#\(try #require(began))"])
    #expect(why.output.contains("DispatchQueue(first)"), "\(why.output)")
    #expect(why.output.contains("main.swift:"), "\(why.output)")
  }

  @Test(
    "B4: where the library is missing, the command says how to build it",
    arguments: [
      (
        "shop/.build/release",
        "build it: swift build -c release --package-path \"FOLDER/shop\" --product VarveHops"
      ),
      (
        "bin",
        "beside varve or in ../lib. Build it where varve was built, by "
          + "`swift build -c release --product VarveHops`, and copy it to FOLDER/bin"
      ),
    ])
  func missing(place: String, advice: String) throws {
    let alone = folder.file(place)
    let files = FileManager.default
    defer { for name in folder.names { try? files.removeItem(atPath: folder.file(name)) } }
    try files.createDirectory(atPath: alone, withIntermediateDirectories: true)
    try files.copyItem(atPath: CommandRun.command.path, toPath: "\(alone)/varve")
    let run = try CommandRun(
      ["run", "-q", "--hops", "--", "/bin/true"], folder: folder.path,
      program: "\(alone)/varve")
    #expect(run.status == 2)
    let expected = advice.replacingOccurrences(of: "FOLDER", with: folder.path)
    #expect(run.errors.contains(expected), "\(run.errors)")
    #expect(run.errors.hasPrefix("varve: --hops needs libVarveHops.so"), "\(run.errors)")
    #expect(folder.names.count == 1)
  }

  @Test(
    "K6: where the library that follows tasks is missing, the command says so"
  )
  func missingTasks() throws {
    let alone = folder.file("alone")
    let files = FileManager.default
    defer { for name in folder.names { try? files.removeItem(atPath: folder.file(name)) } }
    try files.createDirectory(atPath: alone, withIntermediateDirectories: true)
    try files.copyItem(atPath: CommandRun.command.path, toPath: "\(alone)/varve")
    for (words, isTold) in [
      ([], true), (["--no-tasks"], false), (["--light"], false), (["-q"], false),
    ] {
      let run = try CommandRun(
        ["run"] + words + ["--", "/bin/true"], folder: folder.path, program: "\(alone)/varve")
      #expect(run.status == 0)
      #expect(run.errors.contains("tasks are not recorded") == isTold, "\(run.errors)")
      #expect(run.errors.contains("libVarveTasks.so is missing; it belongs beside") == isTold)
    }
  }

  @Test("B4: a program without Dispatch, and one that is not there, are not disturbed")
  func strangers() throws {
    let shell = try CommandRun(
      ["run", "-q", "--hops", "--", "/bin/sh", "-c", "echo fine; exit 3"], folder: folder.path)
    #expect(shell.output == "fine\n")
    #expect(shell.errors == "")
    #expect(shell.status == 3)
  }
}
