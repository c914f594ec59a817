import Testing
import VarveFormat
import VarvePlatform
import VarveProbe

/// Recording is switched on and off, from code and from the environment.
@Suite struct SwitchingTests {
  private let folder = Folder()
  private var path: String { folder.file("run.varve") }

  @Test("T2: the environment switches recording on before main, without a change to the program")
  func environment() throws {
    let end = Child.run("plain", ["", "5000", ""], environment: ["VARVE_TRACE": path])
    #expect(end.status == 0)
    #expect(end.output.isEmpty)
    let trace = try RecordedTrace(path)
    #expect(trace.ending == .clean)
    #expect(trace.integers(of: 1).elementsEqual(1...5_000))
  }

  @Test("T2: options come from the environment too, and %p stands for the process")
  func environmentOptions() throws {
    let child = Child(
      "plain", ["", "5000", ""],
      environment: [
        "VARVE_TRACE": folder.file("of-%p.varve"), "VARVE_OPTIONS": "policy=block,ring=64K",
      ])
    #expect(child.wait().status == 0)
    #expect(folder.names == ["of-\(child.process).varve"])
    let trace = try RecordedTrace(folder.file("of-\(child.process).varve"))
    #expect(trace.header.process.pid == UInt32(child.process))
  }

  @Test(
    "T2: what the environment asks for and cannot be is told in one line, and the program goes on",
    arguments: [
      ("run.varve", "policy=maybe", "policy"), ("run.varve", "values=typs", "values"),
      ("run.varve", "frames=3", "frames"), ("nowhere/run.varve", "", "nowhere"),
      ("notes.txt", "", "notes.txt"), ("", "", ""),
    ])
  func environmentMistakes(name: String, options: String, word: String) throws {
    Folder.write(Array("remember the milk\n".utf8), to: folder.file("notes.txt"))
    let end = Child.run(
      "plain", ["", "5000", ""],
      environment: [
        "VARVE_TRACE": name.isEmpty ? "" : folder.file(name), "VARVE_OPTIONS": options,
      ])
    #expect(end.status == 0)
    #expect(end.output.split(separator: "\n").count == (name.isEmpty ? 0 : 1), "\(end.output)")
    #expect(name.isEmpty || end.output.contains(word))
    #expect(folder.names == ["notes.txt"])
    #expect(Folder.contents(folder.file("notes.txt")) == Array("remember the milk\n".utf8))
  }

  @Test("T2: recording is switched off and on again while the program runs")
  func again() throws {
    let second = folder.file("second.varve")
    let end = Child.run("again", [path, "7000", "policy=block", second])
    #expect(end.status == 0, "\(end.output)")
    for file in [path, second] {
      let trace = try RecordedTrace(file)
      #expect(trace.ending == .clean)
      #expect(trace.integers(of: 1).elementsEqual(1...7_000))
    }
    #expect(folder.names == ["run.varve", "second.varve"])
  }

  @Test("T4: what one recording is delivering causes nothing in the next")
  func restartedInside() throws {
    let second = folder.file("second.varve")
    let end = Child.run("restartInside", [path, "40", "", second])
    #expect(end.status == 0, "\(end.output)")
    let reader = try TraceReader(path: second)
    var values = 0
    var columns = EventColumns()
    for block in reader.blocks.indices {
      try reader.decode(block, into: &columns, columns: .all)
      for index in 0..<columns.count where columns.kinds[index] == RecordKind.value.rawValue {
        values += 1
        #expect(columns.backs[index] == 0)
      }
    }
    #expect(values == 120)
  }

  @Test("a trace that is there is replaced; one that is being recorded is not")
  func replaces() throws {
    for count in [100, 200] {
      #expect(Child.run("exit", [path, "\(count)", ""]).status == 0)
      #expect(try RecordedTrace(path).count == count)
    }
    #expect(Child.run("leave", [path, "300", ""]).status == 0)
    #expect(Child.run("exit", [path, "400", ""]).status == 0)
    #expect(try RecordedTrace(path).count == 400)

    let board = Board(path: folder.file("board"))
    let child = Child("paced", [path, "1", "policy=block", folder.file("board")])
    try child.wait(for: "the first event") { board.acknowledged(by: 0) > 0 }
    let end = Child.run("exit", [path, "500", ""])
    #expect(end.code == 3)
    #expect(end.output.contains("process \(child.process)") && end.output.contains("%p"))
    child.kill()
    _ = child.wait()
    #expect(try RecordedTrace(path).ending == .killed)
  }

  @Test("T5: who is refused because another process records there has touched none of its files")
  func refusedTouchesNothing() throws {
    let board = Board(path: folder.file("board"))
    let child = Child("paced", [path, "1", "policy=block", folder.file("board")])
    try child.wait(for: "the first event") { board.acknowledged(by: 0) > 0 }
    // As it lies there while the file is written anew.
    Folder.write(Folder.contents(path), to: path + "-next")
    #expect(Child.run("exit", [path, "500", ""]).code == 3)
    #expect(folder.names == ["board", "run.varve", "run.varve-live", "run.varve-next"])
    child.kill()
    _ = child.wait()
  }

  @Test("T5: a program that runs another in its own place keeps the trace of both")
  func reexecuted() throws {
    let child = Child("reexec", ["", "6000", ""], environment: ["VARVE_TRACE": path])
    let end = child.wait()
    #expect(end.status == 0, "\(end)")
    #expect(end.output.contains("run-exec-1.varve"))
    #expect(folder.names == ["run-exec-1.varve", "run.varve", "run.varve-live"])
    let first = try RecordedTrace(path)
    #expect(first.ending == .killed)
    #expect(first.integers(of: 1).elementsEqual(1...6_000))
    let second = try RecordedTrace(folder.file("run-exec-1.varve"))
    #expect(second.ending == .clean)
    #expect(second.integers(of: 1).elementsEqual(1...3_000))
  }

  @Test("a clock that is turned by hand tells the time that it was turned to")
  func byHand() throws {
    #expect(Child.run("by-hand", [path, "100", ""]).status == 0)
    let trace = try RecordedTrace(path)
    #expect(trace.header.clock == .byHand)
    let ring = try #require(trace.ring(of: 1))
    #expect(trace.rings[ring]?.map(\.ticks) == (1...100).map { $0 * 1_000 })
  }

  @Test("marks are recorded with their labels, long ones cut between two characters")
  func marks() throws {
    #expect(Child.run("marks", [path, "3", ""]).status == 0)
    let events = try #require(try RecordedTrace(path).rings.values.first)
    #expect(
      events.map(\.text) == ["moment 1", "moment 2", "moment 3"]
        + [String(repeating: "é", count: 512)])
    #expect(events.last?.word == 4_000)
  }
}
