import Testing

@testable import VarveAnalysis

/// Where tasks, continuations and loops stand in source.
@Suite("What becomes of tasks, by their source")
struct TaskVariablesTests {
  /// The line in which a task, made in line 2, sets back what it was set to.
  private func clearing(_ body: String) throws -> UInt32? {
    let file = try SourceFile("func play() {\n\(body)\n}\n")
    var variables = TaskVariables()
    return variables.clearing(by: file.frame(2))?.place.line
  }

  @Test("G1: a task that sets back the variable which holds it is told, if it does not ask")
  func cleared() throws {
    #expect(try clearing("playing = Task {\ndefer { playing = nil }\nawait show()\n}") == 3)
    #expect(
      try clearing("self.playing = Task { [weak self] in\nawait show()\nself?.playing = nil\n}")
        == 4)
    #expect(
      try clearing(
        "playing = Task {\nawait show()\nif Task.isCancelled { return }\nplaying = nil\n}") == nil)
    #expect(try clearing("playing = Task {\nawait show()\n}\nplaying = nil") == nil)
    #expect(try clearing("Task {\nplaying = nil\n}") == nil)
  }

  /// The line in which a task, made in line 2, is kept for ever.
  private func keeping(_ body: String, _ rest: String = "") throws -> UInt32? {
    let file = try SourceFile("func load() async {\n\(body)\n}\n\(rest)\n")
    var variables = TaskVariables()
    return variables.keeping(by: file.frame(2))?.place.line
  }

  @Test("G1: a task that is kept under a key, and never taken out, is told")
  func kept() throws {
    #expect(try keeping("let load = Task { try await get() }\nloads[user] = load") == 3)
    #expect(try keeping("loads[user] = Task { try await get() }") == 2)
    #expect(try keeping("let load = Task { try await get() }\nlast = load") == nil)
    #expect(
      try keeping("loads[user] = Task { try await get() }", "func f() { loads[user] = nil }") == nil
    )
    #expect(
      try keeping("loads[user] = Task { try await get() }", "func f() { loads.removeAll() }") == nil
    )
  }

  @Test("G3: what is handed to a call is told, if what was made with it is kept by nothing")
  func droppedPartners() throws {
    func partner(_ made: String, _ call: String) throws -> UInt32? {
      let file = try SourceFile("func watch() {\n\(made)\nsensor\n\(call)\n.start()\n}\n")
      var partners = DroppedPartners()
      return partners.partner(ofArgumentIn: file.frame(4))?.line
    }
    let call = ".take(during: shown)"
    #expect(try partner("let (shown, _) = Lifetime.make()", call) == 2)
    #expect(try partner("let (_, shown) = Lifetime.make()", ".merge(with: other, shown)") == 2)
    #expect(try partner("let (shown, token) = Lifetime.make()", call) == nil)
    #expect(try partner("let (other, _) = Lifetime.make()", call) == nil)
    #expect(try partner("let shown = lifetime", call) == nil)
  }

  /// The task-local value that a task, made in line 2, does not see.
  private func lost(_ making: String, _ rest: String) throws -> String? {
    let file = try SourceFile("func deposit() {\n\(making)\n}\n\(rest)\n")
    var variables = TaskVariables()
    return variables.taskLocal(lostBy: file.frame(2))
  }

  @Test("G1: what a task does is what its own closure says, not that of the next one")
  func work() throws {
    let file = try SourceFile(
      "let a = Task(name: \"a\") { try await Task.sleep(for: .seconds(1)) }\nrest()\n"
        + "let b = Task { a.cancel() }\n")
    var variables = TaskVariables()
    let first = variables.work(ofTaskMadeBy: file.frame(1)) ?? []
    let (rest, second) = (
      variables.work(ofTaskMadeBy: file.frame(2)), variables.work(ofTaskMadeBy: file.frame(3))
    )
    #expect(first.contains("sleep") && !first.contains("cancel"))
    #expect(second == ["a", ".", "cancel", "(", ")"])
    #expect(rest == nil)
  }

  @Test("G1: of several closures in one line, none is taken for the end of another")
  func lines() throws {
    let file = try SourceFile(
      "func ticks() {\nAsyncStream { c in Task { await Task.sleep() }; c.end = { stop() } }\n}\n")
    var variables = TaskVariables()
    #expect(variables.wait(below: file.frame(2)) == nil)
    #expect(variables.reset(leaving: file.frame(2)) == nil)
  }

  @Test("G1: a task-local value is told that a detached task does not see")
  func taskLocals() throws {
    let (local, binding) = ("@TaskLocal static var branch = 1", "Session.$branch.withValue(2) { }")
    #expect(try lost("Task.detached { await work() }", "\(local)\n\(binding)") == "branch")
    #expect(try lost("Task { await work() }", "\(local)\n\(binding)") == nil)
    #expect(try lost("Task.detached { await work() }", local) == nil)
    #expect(try lost("Task.detached { await work() }", binding) == nil)
  }

  /// The line of the way out, without `finish`, around line 4.
  private func exit(_ body: String, after: String = "") throws -> UInt32? {
    let file = try SourceFile(
      "AsyncStream { found in\nTask {\nwhile true {\n\(body)\n}\n\(after)}\n}\n")
    var ways = WaysOut()
    return ways.exit(without: "finish", around: file.frame(4))?.line
  }

  @Test("G1: the only way out on which code does not do what it ought to at its end is told")
  func waysOut() throws {
    let yield = "page.forEach { found.yield($0) }"
    #expect(try exit("\(yield)\nif page.isEmpty { return }") == 5)
    #expect(try exit("\(yield)\nguard let next else {\nreturn\n}", after: "found.finish()\n") == 6)
    #expect(try exit("\(yield)\nif page.isEmpty {\nfound.finish()\nreturn\n}") == nil)
    #expect(try exit("defer { found.finish() }\nif page.isEmpty { return }") == nil)
    #expect(try exit("\(yield)\nif isLast { return }\nif page.isEmpty { return }") == nil)
    #expect(try exit("\(yield)\nshow { return }") == nil)
  }

  /// The variable that is set to a task in line 3, and held another one before.
  private func overwriting(_ before: String, _ making: String) throws -> String? {
    let file = try SourceFile(
      "func moved() {\n\(before)\n\(making)\n}\nfunc closed() { order?.cancel() }\n")
    var variables = TaskVariables()
    return variables.overwriting(by: file.frame(3))
  }

  @Test(
    "G1: a variable set to a task is told, if nothing is done before about the one that it held")
  func overwritten() throws {
    #expect(try overwriting("self.percent = percent", "order = Task { await drive() }") == "order")
    #expect(try overwriting("order?.cancel()", "order = Task { await drive() }") == nil)
    #expect(
      try overwriting("guard order == nil else { return }", "order = Task { await drive() }") == nil
    )
    #expect(try overwriting("", "orders[id] = Task { await drive() }") == nil)
    #expect(try overwriting("", "Task { await drive() }") == nil)
  }

  /// What a task, made in line 2, holds weakly and asks for below its wait in line 3.
  private func owner(_ body: String) throws -> String? {
    let file = try SourceFile("func start() {\n\(body)\n}\n")
    var owners = WeakOwners()
    return owners.owner(askedForBy: file.frame(2), below: 3)
  }

  @Test("G1: what a task holds weakly, and cannot go on without after its wait, is told")
  func weakOwners() throws {
    let wait = "try? await Task.sleep(for: .seconds(1))"
    let rest = "guard let self else { return }\nawait self.store()"
    #expect(try owner("Task.detached { [weak self] in\n\(wait)\n\(rest)\n}") == "self")
    #expect(try owner("Task { [weak model] in\n\(wait)\nawait model?.store()\n}") == "model")
    // It asks before it waits, or holds it strongly, or has nothing more to wait for.
    #expect(
      try owner("Task { [weak self] in guard let self else { return }\n\(wait)\nawait store()\n}")
        == nil)
    #expect(try owner("Task { [self] in\n\(wait)\n\(rest)\n}") == nil)
    #expect(try owner("Task { [weak self] in\n\(wait)\nself?.show()\n}") == nil)
  }

  /// The line in which a task, made in line 2 and waiting in line 5, takes hold of what it holds weakly.
  private func hold(_ body: String) throws -> UInt32? {
    let file = try SourceFile("func listen() {\n\(body)\n}\n")
    var owners = WeakOwners()
    return owners.hold(takenBy: file.frame(2), above: 5)?.line
  }

  @Test("G1: a task that takes hold of what it was to hold weakly, before it waits, is told")
  func holds() throws {
    let loop = "for await one in all {\nshow(one)\n}"
    #expect(try hold("Task { [weak self] in\n\nguard let self else { return }\n\(loop)\n}") == 4)
    #expect(
      try hold("Task { [weak self] in\nguard let me = self else { return }\n\n\(loop)\n}") == 3)
    // It takes hold for each element anew, or below its wait, or was to hold it.
    #expect(
      try hold(
        "Task { [weak self] in\n\nfor await _ in all {\nguard let self else { return }\n}\n}")
        == nil)
    #expect(
      try hold("Task { [weak self] in\n\n\nawait sleep()\nguard let self else { return }\n}") == nil
    )
    #expect(try hold("Task { [self] in\nguard let x = self.x else { return }\n\n\(loop)\n}") == nil)
  }

  /// The line in which the continuation of a stream, made in line 2, is kept.
  private func store(_ body: String) throws -> UInt32? {
    let file = try SourceFile("func goals() {\n\(body)\n}\n")
    var kept = KeptContinuations()
    return kept.store(below: file.frame(2))?.place.line
  }

  @Test("G1: a continuation that is kept is told, if nothing asks when its consumer goes")
  func continuations() throws {
    let made = "let (stream, continuation) = AsyncStream.makeStream(of: Int.self)"
    #expect(try store("\(made)\nreaders.append(continuation)\nreturn stream") == 3)
    #expect(try store("AsyncStream { continuation in\nreaders[id] = continuation\n}") == 3)
    #expect(
      try store("\(made)\ncontinuation.onTermination = { _ in }\nreaders.append(continuation)")
        == nil)
    #expect(try store("\(made)\nreturn stream") == nil)
    // Whatever it is called.
    let named = "let (lines, tap) = AsyncStream.makeStream(of: Line.self)"
    #expect(try store("\(named)\ntaps[UUID()] = tap\nreturn lines") == 3)
    #expect(try store("AsyncStream { tap in\nself.taps.append(tap)\n}") == 3)
    #expect(try store("\(named)\nall.append(lines)\nreturn lines") == nil)
  }

  @Test("G1: the line of a buffering policy is that within the call, and none elsewhere")
  func policies() throws {
    let file = try SourceFile(
      "AsyncStream.makeStream(\n  of: Int.self,\n  bufferingPolicy: .bufferingNewest(1))\n")
    var policies = BufferingPolicies()
    #expect(policies.policy(of: file.frame(1))?.line == 3)
    #expect(try policies.policy(of: SourceFile("AsyncStream.makeStream()\n").frame(1)) == nil)
  }

  /// The first line of the loop below the wait in line 3.
  private func loop(_ body: String) throws -> UInt32? {
    let file = try SourceFile("func follow() async {\n\(body)\n}\n")
    var loops = LoopsBelow()
    return loops.loop(below: file.frame(3))?.lines.lowerBound
  }

  @Test("G1: the loop below a wait is told, if it is of the same function")
  func loopsBelow() throws {
    #expect(try loop("\nawait first()\nfor await level in levels { show(level) }") == 4)
    #expect(
      try loop(
        "\nfor await on in states { show(on) }\nfor try await level in levels {\nshow(level) }")
        == 4)
    #expect(
      try loop("\nfor await on in states {\nfor await level in levels { show(level) }\n}") == nil)
    #expect(
      try loop("\nawait first()\nTask {\nfor await level in levels { show(level) }\n}") == nil)
    #expect(try loop("\nawait first()\nfor level in levels { show(level) }") == nil)
    #expect(
      try loop(
        "\nawait first()\n}\nfunc other() async {\nfor await level in levels { show(level) }")
        == nil)
  }
}
