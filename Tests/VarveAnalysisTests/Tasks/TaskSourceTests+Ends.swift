import Testing
import VarveAnalysis
import VarveFormat
import VarveProbe
import VarveTraceScript

/// What ends tasks, or should have ended them, or what ends before they do.
extension TaskSourceTests {
  /// Two tasks that are cancelled while they wait in line 3, and wait in another line later.
  private func dropped(_ wait: String, then next: UInt32 = 23, below: String = "await search()")
    throws
    -> [UInt32]
  {
    var script = try script(["func typed() {", "pending = Task {", wait, below, "} }"])
    for task in [1, 2] as [UInt64] {
      let time = Double(task) * 10
      script.create(task, at: time)
      script.begin(task, at: time + 1)
      script.end(task, .continuation, at: time + 2, stack: 22)
      script.cancel(task, at: time + 3)
      script.schedule(task, at: time + 4)
      script.begin(task, at: time + 5)
      if next != 0 {
        script.end(task, .continuation, at: time + 6, stack: next)
        script.schedule(task, at: time + 7)
        script.begin(task, at: time + 8)
      }
      script.end(task, .nothing, at: time + 9, stack: 0)
    }
    return try lines(script, .handled)
  }

  @Test(
    "G1: tasks that go on below a wait in which they were cancelled are told, with what hides it")
  func droppedCancellations() throws {
    #expect(try dropped("try? await sleep()") == [3])
    #expect(try dropped("do { try await sleep() } catch { }") == [3])
    #expect(try dropped("try? await sleep()", then: 0) == [])
    #expect(try dropped("try await sleep()") == [])
    #expect(try dropped("await sleep()") == [])
    #expect(try dropped("while !Task.isCancelled { try? await sleep() }") == [])
    #expect(try dropped("try? await sleep(); if Task.isCancelled { log() }") == [])
  }

  /// A task that is made in line 4, and waits or not.
  private func reset(
    _ first: String, _ second: String, waits: Bool = true, below: String = ""
  ) throws -> [UInt32] {
    var script = try script([
      "func send() {", first, second, "Task {", "await order()", "}", below, "}",
    ])
    script.script.taskTemplate(3, .task, stack: 23)
    script.create(1, at: 0)
    script.begin(1, at: 1)
    script.create(2, by: 1, template: 3, at: 2)
    script.begin(2, at: 3, ring: 2)
    if waits {
      script.end(2, .continuation, at: 4, stack: 24)
      script.schedule(2, at: 5)
      script.begin(2, at: 6, ring: 2)
    }
    script.end(2, .nothing, at: 7, stack: 0)
    return try lines(script, .race)
  }

  @Test("G1: what is set back when a function returns, before its task is done, is told")
  func earlyResets() throws {
    #expect(try reset("isBusy = true", "defer { isBusy = false }") == [3])
    #expect(try reset("defer { self.model.busy -= 1 }", "model.busy += 1") == [2])
    #expect(try reset("isBusy = true", "defer { isBusy = false }", waits: false) == [])
    #expect(
      try reset("isBusy = true", "defer { isBusy = false }", below: "await task.value") == [])
    // It waits for something else, and is done with it when it returns.
    #expect(try reset("isBusy = true", "defer { isBusy = false }; await load()") == [])
    #expect(try reset("var isBusy = true", "defer { isBusy = false }") == [])
    #expect(try reset("lock.lock()", "defer { lock.unlock() }") == [])
    #expect(try reset("run { defer { isBusy = false } }", "isBusy = true") == [])
  }

  /// A task made in line 3 that is cancelled in line 7, before it begins, or while it waits.
  private func owned(
    _ work: String, in function: String = "Page.deinit", waits: Bool = false, goesOn: Bool = false
  ) throws -> [UInt32] {
    var script = try script([
      "func close() {", "let text = text", "saving = Task { \(work) }", "}", "", "deinit {",
      "saving?.cancel()", "}",
    ])
    script.script.code(0x9900, function, line: 7, of: "/src/Code.swift")
    script.script.stack(50, [0x9900])
    script.script.taskTemplate(3, .task, stack: 22)
    script.create(1, at: 0)
    script.begin(1, at: 1)
    script.create(2, by: 1, template: 3, at: 2)
    if waits {
      script.begin(2, at: 3, ring: 2)
      script.end(2, .continuation, at: 4, stack: 22)
    }
    script.cancel(2, at: 5, stack: 50)
    script.schedule(2, at: 6)
    script.begin(2, at: 7, ring: 2)
    if goesOn {
      script.end(2, .continuation, at: 8, stack: 22)
      script.schedule(2, at: 9)
      script.begin(2, at: 10, ring: 2)
    }
    script.end(2, .nothing, at: 11, stack: 0)
    return try lines(script, .partial)
  }

  @Test("G1: a task that its owner's end cancels, which it does not need, is told")
  func endedOwners() throws {
    #expect(try owned("try await store.write(text)") == [7])
    #expect(try owned("try await store.write(text)", waits: true) == [7])
    #expect(try owned("try await store.write(text)", in: "Page.stop()") == [])
    #expect(try owned("[weak self] in await self?.show()") == [])
    #expect(try owned("for await one in all { show(one) }") == [])
    #expect(try owned("try await store.write(text)", waits: true, goesOn: true) == [])
  }

  /// Two tasks that take hold of their owner in line 3, or not, and loop in line 5.
  private func held(_ line: String) throws -> [UInt32] {
    var script = try script([
      "func start() {", "ticking = Task { [weak self] in", line, "while !Task.isCancelled {",
      "await sleep()", "}", "} }",
    ])
    script.script.taskTemplate(3, .task, stack: 21)
    script.create(1, at: 0)
    script.begin(1, at: 1)
    for task in [2, 3] as [UInt64] {
      script.create(task, by: 1, template: 3, at: Double(task) * 30)
      script.begin(task, at: Double(task) * 30 + 1, ring: UInt32(task))
    }
    for round in 0..<3 {
      for task in [2, 3] as [UInt64] {
        let time = 100 + Double(round) * 10 + Double(task)
        script.end(task, .continuation, at: time, stack: 24)
        script.schedule(task, at: time + 0.1, ring: UInt32(task))
        script.begin(task, at: time + 0.2, ring: UInt32(task))
      }
    }
    return try lines(script, .leak)
  }

  @Test("G1: tasks that loop side by side are marked where they take hold of what was to end them")
  func heldOwners() throws {
    #expect(try held("guard let self else { return }") == [3])
    #expect(try held("") == [])
  }

  /// A main thread that made a task of the main actor in line 2, and an earlier one, and runs none of them; or
  /// runs one of its own.
  private func blocked(
    _ below: String, ending: TraceEnding = .killed, until last: Double = 3_000,
    isInTask: Bool = false
  ) throws -> [Finding] {
    var script = try script(["func launch() {", "Task { await migrate() }", below, "}"])
    script.ending = ending
    script.script.lastLook = last
    script.script.taskTemplate(3, .task, stack: 21)
    let ring = script.script.thread("main", ring: 0)
    let executor = script.script.scheduler("main actor")
    if isInTask {
      script.create(1, at: 0, ring: ring)
      script.begin(1, at: 0, ring: ring)
    }
    for task in [2, 3] as [UInt64] {
      script.create(task, template: task == 3 ? 3 : 1, at: Double(task), ring: ring, on: executor)
    }
    return try script.findings().filter { $0.kind == .hang }
  }

  @Test("G1: a main thread that waits while tasks of the main actor do is told, with its wait")
  func blockedMainThread() throws {
    let found = try blocked("done.wait()")
    #expect(found.count == 1 && found.first?.question == .tasks)
    guard case .line(let place)? = found.first?.place else {
      Issue.record("no line")
      return
    }
    #expect(place.line == 3)
    #expect(try blocked("RunLoop.main.run()").map(\.place) == [.stack(21)])
    #expect(try blocked("run { done.wait() }").map(\.place) == [.stack(21)])
    #expect(try blocked("done.wait()", ending: .clean).isEmpty)
    #expect(try blocked("done.wait()", until: 300).isEmpty)
    #expect(try blocked("done.wait()", isInTask: true).isEmpty)
  }

  /// A task that was on the main actor, waits in line 3, and comes back on another executor; then it moves.
  private func stray(on executor: String, isOfMain: Bool = true, then next: UInt32 = 20) throws
    -> [UInt32]
  {
    var script = try script([
      "@MainActor func start() { label.text = none }", "func refresh() async {",
      "let all = await load()", "label.text = all", "}",
    ])
    let main = script.script.scheduler("main actor")
    let other = script.script.scheduler(executor)
    script.create(1, at: 0, on: isOfMain ? main : other)
    script.begin(1, at: 1)
    script.end(1, .executor, at: 2, stack: 20)
    script.schedule(1, at: 3, on: other)
    script.begin(1, at: 4, ring: 2)
    script.end(1, .continuation, at: 5, stack: 22)
    script.schedule(1, at: 6, on: other)
    script.begin(1, at: 7, ring: 2)
    script.end(1, .executor, at: 8, stack: next)
    return try lines(script, .thread)
  }

  @Test("G1: what is set after a wait, on the global executor, and is the main actor's, is told")
  func strayResumptions() throws {
    #expect(try stray(on: "global executor") == [4])
    #expect(try stray(on: "Store") == [])
    #expect(try stray(on: "global executor", isOfMain: false) == [])
    // It goes back to its actor first.
    #expect(try stray(on: "global executor", then: 22) == [])
  }
}
