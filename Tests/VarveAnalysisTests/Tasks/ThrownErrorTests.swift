import Testing
import VarveAnalysis
import VarveFormat
import VarveProbe
import VarveTraceScript

@Suite("Errors that code throws")
struct ThrownErrorTests {
  private let folder = TemporaryFolder()

  private func thrown(_ script: TaskScript) throws -> ThrownErrors {
    try script.with { ThrownErrors($0, EventLookup($0)) }
  }

  @Test("K1: errors are counted by their type and by the code that throws them")
  func sites() throws {
    var script = TaskScript()
    script.create(1, at: 0)
    script.begin(1, at: 1)
    for (error, stack) in [("Lost", 8), ("Lost", 7), ("Late", 8), ("Lost", 8)] as [(String, UInt32)]
    {
      script.throwError("\(error)", in: 1, at: 2, stack: stack)
    }
    script.throwError("Lost", in: 1, at: 3, stack: 0)
    let sites = try thrown(script).sites
    #expect(sites.map(\.error) == ["Lost", "Lost", "Late"])
    #expect(sites.map(\.stack) == [8, 7, 8])
    #expect(sites.map(\.count) == [2, 1, 1])
    #expect(sites.allSatisfy { $0.task == 1 && !$0.hasFailed })
  }

  @Test("K1: of a task that fails, the error that it threw last is the one")
  func failures() throws {
    var script = TaskScript()
    script.create(1, at: 0)
    script.begin(1, at: 1)
    script.throwError("Lost", in: 1, at: 2, stack: 7)
    script.throwError("Late", in: 1, at: 3, stack: 8)
    script.end(1, .nothing, at: 4, stack: 0)
    script.fail(1, "Late", at: 5, ring: 1)
    let found = try thrown(script)
    #expect(found.failures == [1: 8])
    #expect(found.sites.map(\.hasFailed) == [false, true])
  }

  /// A gate that is passed by waiting at line 3, doing something at line 4, and leaving at line 5; it was
  /// left by an error that was thrown at line 9. A task now waits for the gate, and another for that.
  private func gate(
    _ code: String, through function: String = "Gate.pass()", line: UInt32 = 4
  ) throws -> [Finding] {
    let path = folder.file("Gate.swift")
    try code.write(toFile: path, atomically: true, encoding: .utf8)
    var script = TaskScript()
    script.ending = .killed
    script.script.lastLook = 5_000
    script.script.module(1, "/usr/lib/libswift_Concurrency.so", 0x5000..<0x6000)
    script.script.module(2, "/usr/bin/shop", 0x1000..<0x3000)
    script.script.code(0x5100, "withCheckedContinuation(isolation:function:_:)", line: 0)
    script.script.code(0x2100, "Gate.pass()", line: 3, of: path)
    script.script.code(0x2200, function, line: line, of: path)
    script.script.code(0x2300, "work()", line: 9, of: path)
    script.script.stack(9, [0x5100, 0x2100])
    script.script.stack(10, [0x2300, 0x2200])
    script.create(1, at: 0)
    script.create(2, at: 0)
    script.begin(1, at: 1)
    for time in [2, 3] as [Double] { script.throwError("Lost", in: 1, at: time, stack: 10) }
    script.end(1, .task, number: 2, at: 4, stack: 7)
    script.begin(2, at: 5)
    script.end(2, .continuation, at: 6, stack: 9)
    return try script.findings()
  }

  private static let code = """
    struct Gate {
      func pass() async throws {
        await enter()
        try await work()
        leave()
      }
    }
    func work() throws {
      throw Lost()
    }
    """

  @Test(
    "G1: an error that left a function before it gave back what others wait for is marked there")
  func skipped() throws {
    let found = try gate(Self.code)
    #expect(found.map(\.kind) == [.hang])
    guard case .line(let place) = found.first?.place else {
      Issue.record("another place is marked: \(String(describing: found.first?.place))")
      return
    }
    #expect(place.line == 4 && found.first?.evidence.first == "1.6")
    #expect(found.first?.sentence?.parts.contains(.count(2, one: "error", many: "errors")) == true)
  }

  @Test(
    "G1: an error that was caught there, or left another function, or before what is deferred, is not"
  )
  func given() throws {
    let caught = Self.code.replacing("    try await", with: "    try? await")
    let deferred = Self.code.replacing("await enter()", with: "await enter(); defer { leave() }")
    for found in try [
      gate(caught), gate(deferred), gate(Self.code, through: "Shop.open()"),
      gate(Self.code, line: 2),
    ] {
      #expect(found.map(\.place) == [.stack(9)])
    }
  }

  /// A task in a loop: it works, by a function that throws in the second round, and sleeps.
  private func syncing(_ rounds: Int, worksAfter: Bool = false, error: String = "Lost") throws
    -> [Finding]
  {
    let path = folder.file("Sync.swift")
    let code = """
      func sync() async throws {
        isBusy = true
        try await upload()
        isBusy = false
      }
      func loop() async {
        while true {
          try? await sync()
          await pause()
        }
      }
      """
    try code.write(toFile: path, atomically: true, encoding: .utf8)
    var script = TaskScript()
    script.script.code(0x2100, "sync()", line: 3, of: path)
    script.script.code(0x2200, "loop()", line: 8, of: path)
    script.script.code(0x2300, "loop()", line: 9, of: path)
    script.script.stack(10, [0x2100, 0x2200])
    script.script.stack(11, [0x2300])
    script.create(1, at: 0)
    script.begin(1, at: 1)
    for round in 1...rounds {
      let time = Double(round * 10)
      if round <= 2 || worksAfter {
        script.end(1, .continuation, at: time, stack: 10)
        script.schedule(1, at: time + 1)
        script.begin(1, at: time + 2)
      }
      if round == 2 { script.throwError(error, in: 1, at: time + 3, stack: 10) }
      // On its way out the task moves to the executor of its caller.
      if round == 2 {
        script.end(1, .executor, at: time + 4, stack: 10)
        script.schedule(1, at: time + 4)
        script.begin(1, at: time + 4)
      }
      script.end(1, .continuation, at: time + 5, stack: 11)
      script.schedule(1, at: time + 6)
      script.begin(1, at: time + 7)
    }
    return try script.with { reader in
      let symbols = Symbolizer(reader.definitions, looksUp: false)
      let thrown = ThrownErrors(reader, EventLookup(reader))
      let caught = CaughtErrors(thrown, reader.definitions, symbols)
      return TaskSuspicions(reader, symbols, caught: caught).wrong()
    }
  }

  private func line(_ finding: Finding?) -> UInt32? {
    guard case .line(let place) = finding?.place else { return nil }
    return place.line
  }

  @Test("G1: a function that an error left, and that its task never enters again, is marked first")
  func lostWays() throws {
    let found = try syncing(7)
    #expect(found.map(\.kind) == [.unreset, .handled])
    #expect(found.map(line) == [3, 8])
    #expect(try syncing(7, worksAfter: true).map(\.kind) == [.handled])
    // Too few rounds later to know.
    #expect(try syncing(3).map(\.kind) == [.handled])
  }

  @Test(
    "G1: a cancellation that a function reported, and of which its caller made nothing, is told")
  func cancellations() throws {
    let found = try syncing(7, error: "CancellationError")
    #expect(found.map(line) == [8])
  }
}
