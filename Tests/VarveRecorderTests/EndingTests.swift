import Testing
import VarveFormat
import VarvePlatform

/// How a recording ends, and what is in the trace then.
@Suite struct EndingTests {
  private let folder = Folder()
  private var path: String { folder.file("run.varve") }
  private static let count: UInt64 = 30_000

  private func play(_ name: String, _ options: String = "policy=block", _ more: String...)
    -> Child.End
  {
    Child.run(name, [path, "\(Self.count)", options] + more)
  }

  @Test("T5: a normal exit leaves a complete trace and nothing beside it")
  func exits() throws {
    let end = play("exit")
    #expect(end.status == 0, "\(end.output)")
    #expect(folder.names == ["run.varve"])
    let trace = try RecordedTrace(path)
    #expect(trace.ending == .clean)
    #expect(trace.integers(of: 1).elementsEqual(1...Self.count))
    #expect(trace.header.process.program.hasSuffix("/RecorderChild"))
    #expect(trace.header.process.arguments.dropFirst().first == "exit")
  }

  @Test("T5: leaving without exit's handlers loses nothing")
  func leaves() throws {
    #expect(play("leave").status == 0)
    #expect(folder.names == ["run.varve", "run.varve-live"])
    let trace = try RecordedTrace(path)
    #expect(trace.ending == .killed)
    #expect(trace.integers(of: 1).elementsEqual(1...Self.count))
  }

  @Test(
    "T5: a fault loses nothing, and the handler tells signal, thread and place",
    arguments: [
      ("abort", [SIGABRT]), ("trap", [SIGILL, SIGTRAP]), ("segv", [SIGSEGV]),
      ("overflow", [SIGSEGV, SIGBUS]),
    ])
  func faults(how: String, signals: [Int32]) throws {
    let end = play("crash", "policy=block,crashes=yes", how)
    #expect(signals.contains(end.signal), "\(end)")
    let trace = try RecordedTrace(path)
    #expect(trace.integers(of: 1).elementsEqual(1...Self.count))
    guard case .crashed(let signal, let ring, let place) = trace.ending else {
      Issue.record("ended \(trace.ending)")
      return
    }
    #expect(signal == end.signal)
    #expect(ring == trace.ring(of: 1))
    #expect(place != nil)
  }

  @Test(
    "T9: what the system sends ends the program as it does without the handler",
    arguments: [("breakpoint", SIGTRAP), ("seccomp", SIGSYS)])
  func sentBySystem(how: String, signal: Int32) throws {
    #expect(play("crash", "policy=block", how).signal == signal)
    let end = play("crash", "policy=block,crashes=yes", how)
    #expect(end.signal == signal, "\(end)")
    guard case .crashed(signal, _, _) = try RecordedTrace(path).ending else {
      Issue.record("ended \(try RecordedTrace(path).ending)")
      return
    }
  }

  @Test("T5: `abort` is a crash also when a handler of the program's came back from its signal")
  func abortHeard() throws {
    let end = play("crash", "policy=block,crashes=yes", "heard")
    #expect(end.signal == SIGABRT && end.output == "below\n", "\(end)")
    guard case .crashed(SIGABRT, _, _) = try RecordedTrace(path).ending else {
      Issue.record("ended \(try RecordedTrace(path).ending)")
      return
    }
  }

  @Test("T9: a signal that the program left to the system is the system's, flags or no flags")
  func leftToSystem() throws {
    let end = play("crash", "policy=block,crashes=yes", "informed")
    #expect(end.signal == SIGABRT, "\(end)")
    guard case .crashed(SIGABRT, _, _) = try RecordedTrace(path).ending else {
      Issue.record("ended \(try RecordedTrace(path).ending)")
      return
    }
  }

  @Test("T9: one Ctrl-\\ at the terminal ends the program, and the trace says so")
  func quitKey() throws {
    let end = play("quit", "policy=block,crashes=yes")
    #expect(end.output.contains("ended by \(SIGQUIT)"), "\(end)")
    let trace = try RecordedTrace(path)
    #expect(trace.integers(of: 1).elementsEqual(1...Self.count))
    guard case .crashed(SIGQUIT, _, _) = trace.ending else {
      Issue.record("ended \(trace.ending)")
      return
    }
  }

  @Test("T5: a fault without the handler loses nothing")
  func faultUnhandled() throws {
    #expect(play("crash", "policy=block", "segv").signal == SIGSEGV)
    let trace = try RecordedTrace(path, mayEndInBlock: true)
    #expect(trace.ending == .killed)
    #expect(trace.integers(of: 1).elementsEqual(1...Self.count))
  }

  @Test("T9: a fault that the program's own handler mends stays mended, and is no crash")
  func faultMended() throws {
    let end = play("crash", "policy=block,crashes=yes", "handled")
    #expect(end.status == 0)
    #expect(end.output.contains("mended"))
    #expect(try RecordedTrace(path).ending == .clean)
  }

  @Test("T5: what was flushed is in the file itself")
  func flushes() throws {
    #expect(play("flush").signal == SIGKILL)
    unlink(path + "-live")
    let alone = try RecordedTrace(path, isAlone: true)
    #expect(alone.integers(of: 1).elementsEqual(1...Self.count))
  }

  @Test("T5: the wait status that somebody left in the sidecar tells how the program ended")
  func waitStatus() throws {
    let end = play("leave")
    #expect(end.status == 0)
    let pid = try RecordedTrace(path).header.process.pid
    #expect(try !Sidecar.store(waitStatus: SIGTERM, of: pid + 1, forTraceAt: path))
    #expect(try RecordedTrace(path).ending == .killed)
    #expect(try Sidecar.store(waitStatus: SIGTERM, of: pid, forTraceAt: path))
    #expect(
      try RecordedTrace(path).ending
        == .crashed(signal: SIGTERM, ring: nil, programCounter: nil))
    #expect(try Sidecar.store(waitStatus: 0, of: pid, forTraceAt: path))
    #expect(try RecordedTrace(path).ending == .clean)
  }

  @Test("F4: a trace that is being recorded can be read, and says so")
  func running() throws {
    let board = Board(path: folder.file("board"))
    let child = Child("paced", [path, "1", "policy=block", folder.file("board")])
    try child.wait(for: "1000 events") { board.acknowledged(by: 0) >= 1_000 }
    for _ in 0..<5 {
      let acknowledged = board.acknowledged(by: 0)
      let trace = try RecordedTrace(path)
      #expect(trace.ending == .running)
      let values = trace.integers(of: 1)
      #expect(values.elementsEqual(1...UInt64(values.count)))
      #expect(UInt64(values.count) >= acknowledged)
    }
    child.kill()
    #expect(child.wait().signal == SIGKILL)
  }
}
