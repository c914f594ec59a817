import Testing
import VarveFormat
import VarvePlatform

/// Containers that share a volume.
@Suite(
  .serialized,
  .enabled(if: Namespace.canBeMade, "not run: no pid namespace can be made here"))
struct NamespaceTests {
  private let folder = Folder()
  private var path: String { folder.file("run.varve") }

  /// One that records on one thread, at a human pace, and is process 1.
  private func recording(to path: String) throws -> Child {
    let name = folder.names.contains("board") ? "board-2" : "board"
    let board = Board(path: folder.file(name))
    let child = Namespace.child("paced", [path, "1", "policy=block", folder.file(name)])
    try child.wait(for: "the first events") { board.acknowledged(by: 0) > 100 }
    return child
  }

  @Test("T12: a live recording is running, seen from outside of its pid namespace, until it ends")
  func lookedAtFromOutside() throws {
    let child = try recording(to: path)
    let reader = try TraceReader(path: path)
    #expect(reader.ending == .running)
    #expect(throws: TraceFileError.self) {
      try TraceRepair.write(reader, to: path, replacing: true)
    }
    let writer = try #require(try Sidecar.writer(ofTraceAt: path))
    #expect(writer.isRunning && writer.isElsewhere)
    #expect(writer.description == "process 1 of another pid namespace")
    child.kill()
    child.wait()
    try untilKilled(path)
    #expect(try Sidecar.writer(ofTraceAt: path)?.isRunning == false)
  }

  /// Its parent is killed, and the kernel kills it then.
  private func untilKilled(_ path: String) throws {
    for _ in 0..<6_000 {
      if try TraceReader(path: path).ending == .killed { return }
      usleep(10_000)
    }
    #expect(try TraceReader(path: path).ending == .killed)
  }

  @Test("T12: a live recording is running, seen from inside of another pid namespace")
  func lookedAtFromInside() throws {
    let board = Board(path: folder.file("board"))
    let child = Child("paced", [path, "1", "policy=block", folder.file("board")])
    try child.wait(for: "the first events") { board.acknowledged(by: 0) > 100 }
    let look = Namespace.child("look", [path]).wait()
    #expect(look.output.hasPrefix("running\n") && look.output.contains("still being recorded"))
    child.kill()
    child.wait()
    #expect(Namespace.child("look", [path]).wait().output == "killed\nrepaired\n")
  }

  @Test("T12: two processes of one number record beside each other to a path with %p")
  func sameNumber() throws {
    let first = try recording(to: folder.file("of-%p.varve"))
    let second = Namespace.child("exit", [folder.file("of-%p.varve"), "3000", "policy=block"])
    let end = second.wait()
    #expect(end.status == 0)
    #expect(end.output.contains("recording to \(folder.file("of-1-other-1.varve"))"))
    first.kill()
    first.wait()
    #expect(
      folder.names == ["board", "of-1-other-1.varve", "of-1.varve", "of-1.varve-live"])
    try untilKilled(folder.file("of-1.varve"))
    let values = try RecordedTrace(folder.file("of-1.varve")).integers(of: 1)
    #expect(values.count > 100 && values.elementsEqual(1...UInt64(values.count)))
    let others = try RecordedTrace(folder.file("of-1-other-1.varve"))
    #expect(others.integers(of: 1).elementsEqual(1...3_000))
  }

  @Test("T12: a path without %p is refused while a process of the same number records there")
  func sameNumberAndPath() throws {
    let first = try recording(to: path)
    let end = Namespace.child("exit", [path, "3000", "policy=block"]).wait()
    #expect(end.code == 3)
    #expect(end.output.contains("process 1 of another pid namespace is recording to \(path)"))
    // What `varve run` would say of its own program, which had the same number.
    #expect(try !Sidecar.store(waitStatus: SIGKILL, of: 1, forTraceAt: path))
    #expect(try TraceReader(path: path).ending == .running)
    first.kill()
    first.wait()
    try untilKilled(path)
    let values = try RecordedTrace(path).integers(of: 1)
    #expect(values.count > 100 && values.elementsEqual(1...UInt64(values.count)))
  }

  @Test("T12: what a container that died has recorded is kept when it is started again")
  func startedAgain() throws {
    for turn in 0..<3 {
      let child = Namespace.child("leave", [folder.file("of-%p.varve"), "1000", "policy=block"])
      let end = child.wait()
      #expect(end.status == 0, "\(end)")
      #expect(folder.names.count == 2 * (turn + 1))
    }
    for name in ["of-1.varve", "of-1-other-1.varve", "of-1-other-2.varve"] {
      let trace = try RecordedTrace(folder.file(name))
      #expect(trace.ending == .killed)
      #expect(trace.integers(of: 1).elementsEqual(1...1_000), "\(name)")
    }
  }

  @Test("T12: a process that records beside another's trace does so again when it starts again")
  func restarted() throws {
    let template = folder.file("of-%p.varve")
    #expect(Namespace.child("leave", [template, "500", "policy=block"]).wait().status == 0)
    let end = Namespace.child("restarts", [template, "1000", "policy=block", ""]).wait()
    #expect(end.status == 0, "\(end)")
    #expect(folder.names == ["of-1-other-1.varve", "of-1.varve", "of-1.varve-live"])
    let first = try RecordedTrace(folder.file("of-1.varve"))
    #expect(first.integers(of: 1).elementsEqual(1...500))
    let second = try RecordedTrace(folder.file("of-1-other-1.varve"))
    #expect(second.integers(of: 1).elementsEqual(1...1_000))
  }

  @Test("T12: a trace that another has put where a process recorded is kept when that starts again")
  func replacedMeanwhile() throws {
    let stranger = folder.file("stranger.varve")
    #expect(Child.run("exit", [stranger, "500", "policy=block"]).status == 0)
    let arguments = [folder.file("of-%p.varve"), "1000", "policy=block", stranger]
    let end = Namespace.child("restarts", arguments).wait()
    #expect(end.status == 0, "\(end)")
    #expect(folder.names == ["of-1-other-1.varve", "of-1.varve"])
    let kept = try RecordedTrace(folder.file("of-1.varve"))
    #expect(kept.integers(of: 1).elementsEqual(1...500))
  }

  @Test("T12: of processes of one number that begin at one moment, each has a trace of its own")
  func atOneMoment() throws {
    for round in 0..<5 {
      let template = folder.file("\(round)-of-%p.varve")
      let children = (0..<6).map { _ in
        Namespace.child("exit", [template, "2000", "policy=block"])
      }
      for child in children { #expect(child.wait().status == 0) }
      let traces = folder.names.filter { $0.hasPrefix("\(round)-of-") }
      #expect(traces.count == 6, "\(traces)")
      for name in traces {
        let trace = try RecordedTrace(folder.file(name))
        #expect(trace.ending == .clean)
        #expect(trace.integers(of: 1).elementsEqual(1...2_000), "\(name)")
      }
    }
  }

  @Test("T12: a process that reads its own trace goes on to be seen as running")
  func readsItself() throws {
    let child = Namespace.child("reads itself", [path, "1000", "policy=block"])
    let board = folder
    try child.wait(for: "its trace") {
      guard board.names.contains("run.varve") else { return false }
      return (try? RecordedTrace(board.file("run.varve")).count == 1_000) == true
    }
    for _ in 0..<50 {
      usleep(2_000)
      #expect(try TraceReader(path: path).ending == .running)
    }
    child.kill()
    #expect(child.wait().output == "running\nrunning\nrunning\n")
  }

  @Test("T12: the child of a fork does not hold what tells that its parent records")
  func orphans() throws {
    let end = Child.run("orphan", [path, "1000", "policy=block", folder.file("over")])
    #expect(end.signal == SIGKILL)
    #expect(try TraceReader(path: path).ending == .killed)
    #expect(Namespace.child("look", [path]).wait().output == "killed\nrepaired\n")
    Folder.write([], to: folder.file("over"))
    #expect(try RecordedTrace(path).integers(of: 1).elementsEqual(1...1_000))
  }
}
