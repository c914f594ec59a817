import Testing

@testable import VarveAnalysis

/// Ways out of functions that leave a lock locked, and calls that wait for themselves, by the source.
@Suite("Locks in source")
struct LockUsesTests {
  /// The way out in a function whose second line locks.
  private func exit(_ rest: String) throws -> UInt32? {
    let file = try SourceFile("func run() -> Int {\nself.lock.lock()\n" + rest + "\n}\n")
    var uses = LockUses()
    return uses.exitWithLock(in: [file.frame(2)])?.line
  }

  @Test("G1: a way out that has not unlocked is told")
  func left() throws {
    #expect(try exit("guard isOpen else { return 0 }\nlock.unlock()\nreturn 1") == 3)
    #expect(
      try exit(
        "if isOpen {\nlock.unlock()\nreturn 1\n}\nif isOld {\nreturn 2\n}\nlock.unlock()\nreturn 3")
        == 8)
    #expect(try exit("count = try load()\nlock.unlock()\nreturn 1") == 3)
    // Another function of the file takes the same lock.
    #expect(
      try exit(
        "defer { lock.unlock() }\nreturn 1\n}\nfunc other() {\nlock.lock()\nif isOld { return }\nlock.unlock()"
      ) == 8)
  }

  @Test("G1: code that unlocks on each way, or defers that, tells nothing")
  func released() throws {
    #expect(
      try exit("guard isOpen else { lock.unlock(); return 0 }\nlock.unlock()\nreturn 1") == nil)
    #expect(try exit("defer { lock.unlock() }\nguard isOpen else { return 0 }\nreturn 1") == nil)
    #expect(try exit("count = try? load()\nlock.unlock()\nreturn try other()") == nil)
    #expect(try exit("count = 3; other.unlock(); lock.unlock()\nreturn 1") == nil)
  }

  /// The lock that a function holds in a line, and where it took it.
  private func held(_ lines: [String], at line: UInt32) throws -> String? {
    let code = ["func run() {"] + lines + ["}"]
    let file = try SourceFile(code.joined(separator: "\n"))
    var uses = LockUses()
    return uses.held(in: [file.frame(line)]).map { "\($0.name) \($0.taken.line)" }
  }

  @Test("G1: a lock that was taken above a call, and not given back there, is held")
  func held() throws {
    #expect(try held(["self.lock.lock()", "defer { lock.unlock() }", "send()"], at: 4) == "lock 2")
    #expect(
      try held(
        ["lock.lock()", "if isOld {", "lock.unlock()", "return", "}", "if isNew {", "send()", "}"],
        at: 8) == "lock 2")
    #expect(try held(["lock.lock()", "other.unlock()", "send()", "lock.unlock()"], at: 4) != nil)
    #expect(
      try held(["gate.withLock { state in", "if state {", "send()", "}", "}"], at: 4) == "gate 2")
    #expect(try held(["gate.withLock { send() }"], at: 2) == "gate 2")
    let file = try SourceFile("func tell() {\nsend()\n}\nfunc run() {\nlock.lock()\ntell()\n}")
    var uses = LockUses()
    let place = uses.held(in: [file.frame(2), file.frame(6)])?.place
    #expect(place?.line == 6)
  }

  @Test("G1: a lock that was given back, or is held where a closure was only made, is not held")
  func free() throws {
    #expect(try held(["lock.lock()", "lock.unlock()", "send()"], at: 4) == nil)
    #expect(try held(["if isOld {", "lock.lock()", "}", "send()"], at: 5) == nil)
    #expect(try held(["lock.lock()", "queue.async {", "send()", "}"], at: 4) == nil)
    #expect(try held(["gate.withLock { $0 += 1 }", "send()"], at: 3) == nil)
    #expect(
      try held(["gate.withLock { state in", "queue.async {", "send()", "}", "}"], at: 4) == nil)
  }

  @Test("G1: a lock that its own thread may take again is not held")
  func recursive() throws {
    let line = "let lock = NSRecursiveLock()"
    #expect(try held([line, "lock.lock()", "send()"], at: 4) == nil)
  }

  /// Whether an observer takes the lock `gate` that the code in the first function holds.
  private func takes(_ closure: String, _ below: String = "") throws -> Bool {
    let file = try SourceFile(
      "func run() {\ngate.lock()\nsend()\ngate.unlock()\n}\nsignal.observeValues { \(closure) }\n\(below)"
    )
    var uses = LockUses()
    let found = uses.held(in: [file.frame(3)])
    let held = try #require(found)
    return uses.takes(held, observerAt: file.frame(6))
  }

  @Test("G1: an observer takes a lock itself, or in a function or a property that it names")
  func taking() throws {
    #expect(try takes("gate.lock(); count += 1; gate.unlock()"))
    let function = "func sum() -> Int {\ngate.lock()\ndefer { gate.unlock() }\nreturn count\n}"
    #expect(try takes("_ in print(store.sum())", function))
    #expect(try takes("_ in print(store.sum)", "var sum: Int { gate.withLock { count } }"))
    #expect(try !takes("_ in print(store.count)", function))
    #expect(try !takes("_ in print(store.sum())", "func sum() -> Int {\nother.lock()\n}"))
    #expect(try !takes("_ in queue.async { print(store.sum()) }", function))
  }

  /// The calls in a function whose third line calls one that awaits the lock in its second line.
  private func repeated(_ first: String, _ inner: String = "await lock.acquire()") throws
    -> [UInt32]
  {
    let file = try SourceFile(
      "func outer() async {\n\(first)\nawait save()\nawait lock.release()\n}\nfunc save() async {\n\(inner)\n}\n"
    )
    var calls = RepeatedCalls()
    let frames = [file.frame(7, "save()"), file.frame(3, "outer()")]
    return calls.call(in: frames).map { [$0.inner.line, $0.outer.line] } ?? []
  }

  @Test("G1: a call that the function which waits for it has made before, word by word, is told")
  func repeatedCalls() throws {
    #expect(try repeated("await lock.acquire()") == [7, 2])
    #expect(try repeated("await lock.acquire(); await lock.release()") == [])
    #expect(try repeated("await other.acquire()") == [])
    #expect(try repeated("await lock.acquire()", "let all = await lock.acquire()") == [])
    #expect(try repeated("await lock.acquire(3)", "await lock.acquire(3)") == [])
  }

  /// The lines that tell of a task which waits in `acquire()` for a turn that `run` gives, as its ancestor
  /// has: the caller's line, and the one where that has its turn.
  private func turn(
    keeping kept: String = "waiting.append($0)", after last: String = "release()",
    at held: UInt32 = 3
  ) throws -> [UInt32] {
    let file = try SourceFile(
      "func run(_ work: () async -> Void) async {\nawait acquire()\nawait work()\n\(last)\n}\n"
        + "func acquire() async {\nawait withCheckedContinuation { \(kept) }\n}\n"
        + "func release() {\nwaiting.removeFirst().resume()\n}\n"
        + "func render() async {\nawait run { await draw() }\n}\n")
    var calls = RepeatedCalls()
    let waiting = [
      file.frame(7, "acquire()"), file.frame(2, "run(_:)"), file.frame(13, "render()"),
    ]
    let holder = [file.frame(held, "run(_:)"), file.frame(13, "convert()")]
    return calls.turn(for: waiting, of: holder).map { [$0.call.line, $0.held.line] } ?? []
  }

  @Test("G1: a call that waits for a turn which the caller's parent has is told")
  func turns() throws {
    #expect(try turn() == [13, 3])
    // It waits for its own turn, too; or nothing is kept for others, or given back.
    #expect(try turn(at: 2) == [])
    #expect(try turn(keeping: "source.ask($0)") == [])
    #expect(try turn(after: "print(1)") == [])
  }
}
