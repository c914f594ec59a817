import Testing
import VarveAnalysis
import VarveFormat
import VarveProbe
import VarveTraceScript

/// Guesses about tasks that need both: what the trace tells, and the source of the code that waited.
@Suite("Suspicions about tasks by their source")
struct TaskSourceTests {
  private let folder = TemporaryFolder()

  func script(_ code: [String]) throws -> TaskScript { try TaskScript(code, in: folder) }

  func lines(_ script: TaskScript, _ kind: Finding.Kind) throws -> [UInt32] {
    try script.linesMarked(kind)
  }

  /// Two tasks that wait in the same line, at once or one after the other.
  private func pair(_ code: [String], waitingAt stack: UInt32, atOnce: Bool) throws -> TaskScript {
    var script = try script(code)
    for task in [1, 2] as [UInt64] {
      let start = Double(task) * (atOnce ? 1 : 10)
      script.create(task, at: start)
      script.begin(task, at: start + 0.1, ring: UInt32(task + 1))
      script.end(task, .continuation, at: start + 0.2, stack: stack)
      if atOnce { continue }
      script.schedule(task, at: start + 1)
      script.begin(task, at: start + 2, ring: UInt32(task + 1))
      script.end(task, .nothing, at: start + 3, stack: 0)
    }
    guard atOnce else { return script }
    for task in [1, 2] as [UInt64] {
      script.schedule(task, at: 10 + Double(task))
      script.begin(task, at: 20 + Double(task), ring: UInt32(task + 1))
      script.end(task, .nothing, at: 30 + Double(task), stack: 0)
    }
    return script
  }

  @Test("G1: what is written of a value from before a wait is told if other tasks ran meanwhile")
  func stale() throws {
    let code = [
      "func credit() async {", "let before = miles", "let more = await ask()",
      "miles = before + more", "}",
    ]
    #expect(try lines(pair(code, waitingAt: 22, atOnce: true), .race) == [4])
    #expect(try lines(pair(code, waitingAt: 22, atOnce: false), .race) == [])
    #expect(try lines(pair(code, waitingAt: 21, atOnce: true), .race) == [])
  }

  @Test("G1: a loop below a wait that did not end is told, unless the program came to it")
  func skipped() throws {
    let code = [
      "func follow() async {", "await first()", "for await level in levels { show(level) }", "}",
    ]
    var held = try script(code)
    held.create(1, at: 0)
    held.begin(1, at: 1)
    held.end(1, .continuation, at: 2, stack: 21)
    #expect(try lines(held, .silence) == [2])
    var other = held
    other.create(2, at: 3)
    other.begin(2, at: 4)
    other.end(2, .continuation, at: 5, stack: 22)
    #expect(try lines(other, .silence) == [])
    held.cancel(1, at: 3)
    held.schedule(1, at: 4)
    held.begin(1, at: 5)
    held.end(1, .nothing, at: 6, stack: 0)
    #expect(try lines(held, .silence) == [2])
    // The wait has ended.
    var over = try script(code)
    over.create(1, at: 0)
    over.begin(1, at: 1)
    over.end(1, .continuation, at: 2, stack: 21)
    over.schedule(1, at: 4)
    over.begin(1, at: 5)
    over.end(1, .nothing, at: 6, stack: 0)
    #expect(try lines(over, .silence) == [])
  }

  @Test("G1: a loop of the function that is called after a loop which did not end is told")
  func skippedCalls() throws {
    func held(
      _ next: String = "await self?.second()", first: String = "show(one)",
      second: String = "for await two in twos { show(two) }", isReached: Bool = false,
      call: String = "await self?.first()", stack: [UInt64] = [6, 2]
    ) throws -> [UInt32] {
      var script = try self.script([
        "task = Task {", call, next, "}", "func first() async {",
        "for await one in ones {", first, "} }", "func second() async {", second, "}",
        "func last() async { await close() }",
      ])
      script.stack(50, lines: stack)
      script.stack(51, lines: [10, 3])
      script.create(1, at: 0)
      script.begin(1, at: 1)
      script.end(1, .continuation, at: 2, stack: 50)
      script.cancel(1, at: 3)
      script.schedule(1, at: 4)
      script.begin(1, at: 5)
      if isReached {
        script.end(1, .continuation, at: 6, stack: 51)
        script.schedule(1, at: 7)
        script.begin(1, at: 8)
      }
      script.end(1, .nothing, at: 9, stack: 0)
      return try lines(script, .silence)
    }
    #expect(try held() == [2])
    #expect(try held("let all = await model.second()") == [2])
    #expect(try held(call: "for await one in ones { show(one) }", stack: [2]) == [2])
    #expect(try held(isReached: true) == [])
    // What follows goes through no sequence, or something may end the first loop.
    #expect(try held("await last()") == [])
    #expect(try held("Task { await second() }") == [])
    #expect(try held(second: "Task { for await two in twos { show(two) } }") == [])
    #expect(try held(first: "if one.isLast { return }") == [])
    #expect(try held(first: "if one.isLast { break }") == [])
  }

  @Test("G1: a task that failed, is kept, and asked for again and again is told")
  func keptFailures() throws {
    func script(reads: Int) throws -> TaskScript {
      var script = try self.script(["func load() {", "loads[user] = Task { try await get() }", "}"])
      script.script.taskTemplate(3, .task, stack: 21)
      script.create(1, template: 3, at: 0)
      script.begin(1, at: 1, ring: 2)
      script.end(1, .nothing, at: 2, stack: 0)
      script.fail(1, "Offline", at: 2)
      for read in 0..<reads { script.readFailure(of: 1, at: Double(3 + read)) }
      return script
    }
    #expect(try lines(script(reads: 2), .handled) == [2])
    #expect(try lines(script(reads: 1), .handled) == [])
  }

  @Test("G1: a task that sets back what holds its successor is told, if there is one by then")
  func cleared() throws {
    func script(isReplaced: Bool) throws -> TaskScript {
      var script = try self.script([
        "func play() {", "playing = Task {", "defer { playing = nil }", "await show()", "}", "}",
      ])
      script.script.taskTemplate(3, .task, stack: 21)
      script.create(1, template: 3, at: 0)
      script.begin(1, at: 1, ring: 2)
      if isReplaced { script.create(2, template: 3, at: 2) }
      script.end(1, .nothing, at: 3, stack: 0)
      if !isReplaced { script.create(2, template: 3, at: 4) }
      script.begin(2, at: 5, ring: 3)
      script.end(2, .nothing, at: 6, stack: 0)
      return script
    }
    #expect(try lines(script(isReplaced: true), .race) == [3])
    #expect(try lines(script(isReplaced: false), .race) == [])
    // The successor has ended before.
    var other = try self.script([
      "func play() {", "playing = Task {", "defer { playing = nil }", "await show()", "}", "}",
    ])
    other.script.taskTemplate(3, .task, stack: 21)
    other.create(1, template: 3, at: 0)
    other.begin(1, at: 1, ring: 2)
    other.create(2, template: 3, at: 2)
    other.begin(2, at: 3, ring: 3)
    other.end(2, .nothing, at: 4, stack: 0)
    other.end(1, .nothing, at: 5, stack: 0)
    #expect(try lines(other, .race) == [])
  }

  @Test("G1: a wait that comes again and again is marked in the loop that contains it")
  func loops() throws {
    func place(_ code: [String]) throws -> FindingPlace? {
      var script = try script(code)
      script.script.stack(40, [0x8000 + 16, 0x8000 + 3 * 16])
      script.create(1, at: 0)
      script.begin(1, at: 1)
      script.create(2, by: 1, at: 2)
      script.end(1, .task, number: 2, at: 3)
      script.begin(2, at: 4, ring: 2)
      for round in 0..<10 {
        let time = 5 + Double(round) * 50
        script.end(2, .continuation, at: time, stack: 40)
        script.schedule(2, at: time + 48)
        script.begin(2, at: time + 48.5, ring: 2)
      }
      script.end(2, .nothing, at: 510, stack: 0)
      script.schedule(1, at: 510.1, ring: 2)
      script.begin(1, at: 510.2)
      return try script.with { reader in
        TaskSuspicions(reader, Symbolizer(reader.definitions, looksUp: false)).slow().first?.place
      }
    }
    let looped = [
      "func hut() { await sleep() }", "func plan() { for hut in huts {", "await hut() } }",
    ]
    guard case .line(let line) = try place(looped) else {
      Issue.record("no line")
      return
    }
    #expect(line.line == 3)
    let straight = ["func hut() { await sleep() }", "func plan() {", "await hut() }"]
    #expect(try place(straight) == .waiter(40))
  }

  /// A task that holds its owner weakly, waits, and goes on, if it does, to a wait in line 5.
  private func owned(goesOn: Bool, isCancelled: Bool = false) throws -> [UInt32] {
    var script = try script([
      "func start() {", "Task { [weak self] in", "try? await sleep()",
      "guard let self else { return }", "await store()", "}", "}",
    ])
    script.script.taskTemplate(3, .task, stack: 21)
    script.create(1, at: 0)
    script.begin(1, at: 1)
    script.create(2, by: 1, template: 3, at: 2)
    script.begin(2, at: 3, ring: 2)
    for (index, stack) in (goesOn ? [22, 24] : [22] as [UInt32]).enumerated() {
      let time = 4 + Double(index) * 10
      script.end(2, .continuation, at: time, stack: stack)
      if isCancelled { script.cancel(2, at: time + 1) }
      script.schedule(2, at: time + 2)
      script.begin(2, at: time + 3, ring: 2)
    }
    script.end(2, .nothing, at: 30, stack: 0)
    return try lines(script, .partial)
  }

  @Test("G1: a task that ends where it asks for an owner which has gone is told, with its line")
  func goneOwner() throws {
    #expect(try owned(goesOn: false) == [2])
    #expect(try owned(goesOn: true) == [])
    #expect(try owned(goesOn: false, isCancelled: true) == [])
  }

  /// Where a task is marked that spins after it was cancelled while it waited in line 3, and whose next wait,
  /// in line 4, ends at once: it is suspended each time, or throws without being suspended.
  private func spinning(
    _ wait: String, isSuspended: Bool = true, others: UInt64 = 0, rounds: Int = 1_200
  ) throws -> FindingPlace? {
    var script = try script([
      "func link() async {", "while true {", "do { try await connect() } catch {", wait, "} } }",
    ])
    script.create(1, at: 0)
    for other in 0..<others { script.create(other + 2, at: 0) }
    script.begin(1, at: 1)
    script.end(1, .continuation, at: 2, stack: 22)
    script.cancel(1, at: 3)
    for run in 0..<rounds {
      let time = 4 + Double(run) / 10
      if isSuspended || run == 0 {
        script.schedule(1, at: time)
        script.begin(1, at: time + 0.01)
      }
      for stack in (isSuspended ? [22, 23] : [23]) as [UInt32] {
        script.throwError("CancellationError", in: 1, at: time + 0.02, stack: stack)
      }
      if isSuspended { script.end(1, .continuation, at: time + 0.03, stack: 22) }
    }
    return try script.findings().first { $0.kind == .stuck }?.place
  }

  @Test("G1: of a task that spins when cancelled, the line is told that hides it from its loop")
  func hidden() throws {
    guard case .line(let place)? = try spinning("try? await sleep()") else {
      Issue.record("no line")
      return
    }
    #expect(place.line == 4)
    #expect(try spinning("try await sleep()") == .stack(22))
    #expect(try spinning("try? await sleep()", isSuspended: false) == .line(place))
    #expect(try spinning("try await sleep()", isSuspended: false) == nil)
    #expect(try spinning("try? await sleep()", isSuspended: false, rounds: 250) == .line(place))
    #expect(try spinning("try? await sleep()", isSuspended: false, rounds: 240) == nil)
    // It may have been each of many tasks.
    #expect(try spinning("try? await sleep()", isSuspended: false, others: 100) == nil)
  }

  /// Three tasks of the same code, each of which goes on when the next one is made; or is cancelled then.
  private func beside(_ code: [String], cancels: Bool = false) throws -> [UInt32] {
    var script = try script(code)
    script.script.taskTemplate(3, .task, stack: 21)
    script.create(1, at: 0)
    script.begin(1, at: 1)
    for task in [2, 3, 4] as [UInt64] {
      let time = Double(task) * 2
      script.create(task, by: 1, template: 3, at: time)
      script.begin(task, at: time + 0.1, ring: 2)
      script.end(task, .continuation, at: time + 0.2, stack: 22)
      if cancels, task > 2 { script.cancel(task - 1, at: time + 0.3) }
    }
    for task in [2, 3, 4] as [UInt64] {
      let time = 10 + Double(task) * 2
      script.schedule(task, at: time, ring: 2)
      script.begin(task, at: time + 0.1, ring: 2)
      script.end(task, .nothing, at: time + 0.2, stack: 0)
    }
    return try lines(script, .restarted)
  }

  @Test("G1: tasks that go on beside the one that took their place in a variable are told")
  func besides() throws {
    let code = ["func moved() {", "order = Task {", "await sleep()", "}", "}"]
    #expect(try beside(code) == [2])
    #expect(try beside(code, cancels: true) == [])
    #expect(try beside(["func moved() {", "Task {", "await sleep()", "}", "}"]) == [])
  }

  /// Two tasks of different code, of which the first is cancelled in line 5 before the second is made.
  private func given(_ second: String, cancels: Bool = true) throws -> [FindingPlace?] {
    var script = try script([
      "func loadCover() {", "loading = Task { await cover() }", "}", "func loadLyrics() {",
      "loading?.cancel()", second, "}",
    ])
    script.script.taskTemplate(3, .task, stack: 21)
    script.script.taskTemplate(4, .task, stack: 25)
    script.create(1, at: 0)
    script.begin(1, at: 1)
    script.create(2, by: 1, template: 3, at: 2)
    if cancels { script.cancel(2, at: 3, stack: 24) }
    script.create(3, by: 1, template: 4, at: 4)
    return try script.with { reader in
      TaskSuspicions(reader, Symbolizer(reader.definitions, looksUp: false)).wrong()
        .filter { $0.kind == .partial && $0.weight == 62 }.map(\.place)
    }
  }

  @Test("G1: a variable that holds tasks of different code, one in place of the other, is told")
  func sharedVariable() throws {
    #expect(try given("loading = Task { await lyrics() }") == [.stack(24)])
    #expect(try given("reading = Task { await lyrics() }") == [])
    #expect(try given("loading = Task { await lyrics() }", cancels: false) == [])
  }

  /// A task that takes a result of a group of two in line 2, and then waits for the rest; or cancels it.
  private func grouped(_ taking: String, cancels: Bool = false) throws -> [UInt32] {
    var script = try script(["await withTaskGroup { group in", taking, "total += one", "}", "}"])
    script.create(1, at: 0)
    script.begin(1, at: 1)
    for child in [2, 3] as [UInt64] {
      script.create(child, by: 1, template: 2, at: 2)
      script.begin(child, at: 2, ring: UInt32(child))
    }
    script.end(1, .group, at: 3, stack: 21)
    script.end(2, .nothing, at: 4, stack: 0)
    script.schedule(1, at: 4.5, ring: 2)
    script.begin(1, at: 5)
    if cancels { script.cancel(3, at: 5.5) }
    script.end(1, .group, at: 6, stack: 20)
    script.end(3, .nothing, at: 7, stack: 0)
    script.schedule(1, at: 7.5, ring: 3)
    script.begin(1, at: 8)
    script.end(1, .nothing, at: 9, stack: 0)
    return try lines(script, .partial)
  }

  @Test("G1: a group of which one result is taken, and the others come for nobody, is told")
  func unreadResults() throws {
    #expect(try grouped("if let one = await group.next() {") == [2])
    #expect(try grouped("while let one = await group.next() {") == [])
    #expect(try grouped("if let one = await group.next() {", cancels: true) == [])
  }

  /// Two tasks of different code, of which the second is made when the first has ended, or before.
  private func doubled(_ second: String, endsFirst: Bool = false) throws -> [UInt32] {
    var script = try script([
      "func didLaunch() {", "work.append(Task { await list.restore() })", "}",
      "func becameActive() {",
      second, "}",
    ])
    script.script.taskTemplate(3, .task, stack: 21)
    script.script.taskTemplate(4, .task, stack: 24)
    script.create(1, at: 0)
    script.begin(1, at: 1)
    script.create(2, by: 1, template: 3, at: 2)
    script.begin(2, at: 3, ring: 2)
    script.end(2, endsFirst ? .nothing : .continuation, at: 4, stack: 0)
    script.create(3, by: 1, template: 4, at: 5)
    return try lines(script, .restarted)
  }

  @Test("G1: tasks that two pieces of code make to do the same at the same time are told")
  func doubledTasks() throws {
    #expect(try doubled("Task { await list.restore() }") == [5])
    #expect(try doubled("Task { await list.save() }") == [])
    #expect(try doubled("Task { await list.restore() }", endsFirst: true) == [])
  }
}
