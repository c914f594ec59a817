import Testing
import VarveAnalysis
import VarveProbe
import VarveTraceScript

/// Tasks that fail, or that go on after they were cancelled.
@Suite("Findings about failing and cancelled tasks")
struct TaskRuleTests {
  /// A task that fails, and perhaps another one that waits for it.
  private func failing(
    _ error: String = "Unlucky", template: UInt32 = 3, isAwaited: Bool = false,
    isCancelled: Bool = false, isReadLater: Bool = false
  ) -> TaskScript {
    var script = TaskScript()
    script.script.taskTemplate(3, stack: 7)
    script.create(1, at: 0)
    script.begin(1, at: 1)
    script.create(2, by: 1, template: template, at: 2)
    script.end(1, isAwaited ? .task : .continuation, number: isAwaited ? 2 : 0, at: 3)
    script.begin(2, at: 4, ring: 2)
    if isCancelled { script.cancel(2, at: 5) }
    script.end(2, .nothing, at: 6)
    script.fail(2, error, at: 7)
    if isReadLater { script.readFailure(of: 2, at: 8) }
    return script
  }

  @Test("G1: the error of a task that nobody awaits is found where the task was made")
  func unread() throws {
    let found = try failing().findings()
    #expect(found.map(\.kind) == [.failure])
    #expect(found.first?.place == .stack(7) && found.first?.evidence == ["2.3"])
    #expect(found.first?.sentence?.parts.contains(.text("Unlucky")) == true)
  }

  @Test("G1: an error that somebody gets, expects, or has asked for by cancelling is not lost")
  func read() throws {
    #expect(try failing(isAwaited: true).findings().isEmpty)
    #expect(try failing(isReadLater: true).findings().isEmpty)
    #expect(try failing(isCancelled: true).findings().isEmpty)
    #expect(try failing("CancellationError").findings().isEmpty)
    // A group gets the errors of its children.
    #expect(try failing(template: 2).findings().isEmpty)
  }

  @Test(
    "G1: of tasks made at one place, some of which are awaited, an error may be left on purpose")
  func someRead() throws {
    var script = failing(isReadLater: true)
    script.create(3, by: 1, template: 3, at: 10)
    script.begin(3, at: 11)
    script.end(3, .nothing, at: 12)
    script.fail(3, "Unlucky", at: 13, ring: 1)
    #expect(try script.findings().isEmpty)
  }

  @Test("G1: where nobody awaits a task that fails in a loop, what the loop went on with is marked")
  func unreadLoop() throws {
    for (rounds, place) in [(5, FindingPlace.goingOn(8)), (1, .stack(7))] {
      var script = TaskScript()
      script.script.taskTemplate(3, stack: 7)
      script.create(1, at: 0)
      script.begin(1, at: 1)
      script.create(2, by: 1, template: 3, at: 2)
      script.end(1, .continuation, at: 3)
      for round in 0..<rounds {
        script.begin(2, at: 4 + 3 * Double(round), ring: 2)
        script.end(2, .continuation, at: 5 + 3 * Double(round))
        script.schedule(2, at: 6 + 3 * Double(round))
      }
      script.begin(2, at: 50, ring: 2)
      script.end(2, .nothing, at: 51)
      script.fail(2, "Garbled", at: 52)
      #expect(try script.findings().map(\.place) == [place])
    }
  }

  @Test(
    "G1: work that comes too fast is marked where its tasks are made, unless a group makes a list")
  func crowd() throws {
    for (template, kinds) in [(3, [Finding.Kind.backlog]), (2, [])] as [(UInt32, [Finding.Kind])] {
      var script = TaskScript()
      script.script.taskTemplate(3, stack: 7)
      let store = script.script.scheduler("Store")
      script.create(1, at: 0)
      script.begin(1, at: 0.1)
      for number in 0..<60 as Range<UInt64> {
        let time = 1 + Double(number) * (template == 2 ? 0.01 : 4)
        script.create(100 + number, by: 1, template: template, at: time, on: store)
      }
      for number in 0..<60 as Range<UInt64> {
        let time = 250 + Double(number) * 12
        script.begin(100 + number, at: time, ring: 2)
        script.end(100 + number, .nothing, at: time + 11.9)
      }
      let found = try script.findings().filter { $0.kind == .backlog && $0.weight == 75 }
      #expect(found.map(\.kind) == kinds)
      #expect(found.first?.place == (kinds.isEmpty ? nil : .stack(7)))
    }
  }

  /// A task that goes on `runs` times after it was cancelled, and ends.
  private func ending(
    runs: Int, every pause: Double, wakesAfter wake: Double = 1,
    throwing errors: ClosedRange<Int>? = nil, waitingAt stack: (Int) -> UInt32 = { _ in 8 }
  ) -> TaskScript {
    var script = TaskScript()
    script.script.stack(9, [0x3000])
    script.create(1, at: 0)
    script.begin(1, at: 1)
    script.end(1, .continuation, at: 2)
    script.cancel(1, at: 3)
    for run in 0..<runs {
      let time = 3 + wake + Double(run) * pause
      script.schedule(1, at: time)
      script.begin(1, at: time + 0.1)
      if errors?.contains(run) == true {
        script.throwError("CancellationError", in: 1, at: time + 0.1, stack: 0)
      }
      let awaited = run == runs - 1 ? TaskAwait.nothing : .continuation
      script.end(1, awaited, at: time + 0.2, stack: stack(run))
    }
    return script
  }

  @Test("G1: a task that goes on for many runs after it was cancelled is found though it ends")
  func endsLate() throws {
    let found = try ending(runs: 60, every: 6).findings()
    #expect(found.map(\.kind) == [.stuck])
    #expect(found.first?.place == .waiter(8))
    #expect(try ending(runs: 30, every: 20).findings().isEmpty)
    #expect(try ending(runs: 60, every: 1).findings().isEmpty)
  }

  @Test("G1: a cancelled task that waits for a second where it did before is found with fewer runs")
  func goesOnAsBefore() throws {
    let found = try ending(runs: 12, every: 120).findings()
    #expect(found.map(\.kind) == [.stuck] && found.first?.place == .waiter(8))
    #expect(try ending(runs: 12, every: 80).findings().isEmpty)
    // One that puts things in order waits elsewhere.
    #expect(try ending(runs: 12, every: 120) { $0 < 6 ? 9 : 8 }.findings().isEmpty)
    #expect(try ending(runs: 12, every: 120) { _ in 9 }.findings().isEmpty)
  }

  @Test(
    "G1: a cancelled task whose wait ends or throws, and that then waits elsewhere, has heard of it"
  )
  func hasHeard() throws {
    func found(wakesAfter wake: Double = 2, throwing errors: ClosedRange<Int>? = nil) throws -> Bool
    {
      let script = ending(runs: 60, every: 20, wakesAfter: wake, throwing: errors) { _ in 9 }
      return try !script.findings().isEmpty
    }
    #expect(try found())
    #expect(try !found(throwing: 0...1))
    #expect(try !found(wakesAfter: 0.5))
    // One that drops each of the errors has not.
    #expect(try found(throwing: 0...58))
    #expect(try !ending(runs: 60, every: 20, wakesAfter: 0.5).findings().isEmpty)
  }

  @Test("G1: a task that computes for a second after it was cancelled is found, ended or not")
  func computesOn() throws {
    func script(until end: Double?, at time: Double = 1_300) -> TaskScript {
      var script = TaskScript()
      script.create(1, at: 0)
      script.begin(1, at: 1)
      script.create(2, by: 1, template: 1, at: 2)
      script.end(1, .task, number: 2, at: 3)
      script.begin(2, at: 4, ring: 2)
      script.cancel(2, at: 100)
      if let end { script.end(2, .nothing, at: end) }
      script.create(3, at: time, ring: 3)
      return script
    }
    let found = try script(until: 1_200).findings()
    #expect(found.map(\.kind) == [.stuck] && found.first?.nanoseconds == 1_100_000_000)
    #expect(found.first?.evidence == ["1.7", "2.1"])
    #expect(try script(until: 1_050).findings().isEmpty)
    #expect(try script(until: nil).findings().map(\.kind) == [.stuck])
    #expect(try script(until: nil, at: 1_050).findings().isEmpty)
  }

  @Test(
    "K1: of several samples of one piece of work, each stack is kept once, and the last says if it waits"
  )
  func samples() throws {
    var script = TaskScript()
    script.create(1, at: 0)
    script.begin(1, at: 1)
    for (time, stack, waits) in [(40, 7, 0), (80, 8, 0), (160, 7, 1)] as [(Double, UInt32, UInt64)]
    {
      script.script.record(
        .hopSampled, of: 0, .cause(HopPayload(stack: stack, parent: waits)), at: time, ring: 9,
        subscription: 1)
    }
    try script.with { reader in
      let sampled = try #require(WorkSamples(reader)[1])
      #expect(sampled.stacks == [7, 8] && sampled.waits && sampled.event == "9.1")
      let tasks = try TraceTasks(reader).tasks
      #expect(tasks.first?.isBlocked == true)
      #expect(tasks.first?.frames == reader.definitions.stacks[7]?.frames)
    }
  }
}
