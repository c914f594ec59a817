import Testing
import VarveAnalysis
import VarveFormat
import VarveProbe
import VarveTraceScript

/// Guesses about calls that are awaited one after the other, and could run side by side.
@Suite("Guesses about successive waits")
struct SuccessiveWaitTests {
  private let folder = TemporaryFolder()

  /// A call that is awaited.
  private struct Wait {
    var line: UInt32
    var callee = "fetch()"
    var lasts = 150.0
    var awaited = TaskAwait.continuation
  }

  /// The lines that are told of a task that makes some calls in a function, and that somebody awaits.
  private func told(_ code: [String], _ waits: [Wait], isAwaited: Bool = true) throws -> [UInt32] {
    let path = folder.file("Page.swift")
    try (["func page() async throws -> Page {"] + code + ["}"]).joined(separator: "\n")
      .write(toFile: path, atomically: true, encoding: .utf8)
    var script = TaskScript()
    script.script.module(1, "/src/app", 0x8000..<0x9000)
    for (index, wait) in waits.enumerated() {
      let address = UInt64(0x8000 + index * 32)
      script.script.code(address, "Source.\(wait.callee)", line: 90, of: "/src/None.swift")
      script.script.code(address + 16, "page()", line: wait.line, of: path)
      let inner = wait.awaited == .task ? [] : [address]
      script.script.stack(UInt32(20 + index), inner + [address + 16])
    }
    script.create(1, at: 0)
    script.begin(1, at: 1)
    script.create(2, by: 1, at: 2)
    if isAwaited { script.end(1, .task, number: 2, at: 3) }
    script.begin(2, at: 4, ring: 2)
    var time = 5.0
    for (index, wait) in waits.enumerated() {
      script.end(2, wait.awaited, at: time, stack: UInt32(20 + index))
      time += wait.lasts
      script.schedule(2, at: time, ring: 3)
      script.begin(2, at: time, ring: 2)
    }
    script.end(2, .nothing, at: time + 1, stack: 0)
    if isAwaited {
      script.schedule(1, at: time + 2, ring: 2)
      script.begin(1, at: time + 3)
    }
    return try script.with { reader in
      TaskSuspicions(reader, Symbolizer(reader.definitions, looksUp: false)).slow()
        .compactMap { if case .line(let place) = $0.place { place.line } else { nil } }
    }
  }

  @Test(
    "G1: calls of one expression are told that are awaited one after the other",
    arguments: [
      "return try await (rain.fetch(), milk.fetch())",
      "let all = [try await rain.fetch(), try await milk.fetch()]",
      "show(await rain.fetch(), try await parse(milk.fetch()))",
      "return await rain.fetch() + milk.fetch()",
      "return try await Page(\nrain: rain.fetch(at: [1, 2]),\nmilk: milk.fetch())",
    ])
  func expressions(code: String) throws {
    #expect(try told([code], [Wait(line: 2), Wait(line: 2)]) == [2])
  }

  @Test("G1: calls that follow each other are told if none uses what another one gives")
  func statements() throws {
    let waits = [Wait(line: 2), Wait(line: 3, callee: "load()")]
    func told(_ first: String, _ second: String) throws -> [UInt32] {
      try self.told([first, second], waits)
    }
    #expect(try told("let a = try await fetch()", "let b = try await load()") == [2])
    #expect(try told("self.a = try await fetch()", "self.b = try await load()") == [2])
    #expect(try told("let a = try await fetch()", "let b = try await load(a)") == [])
    #expect(try told("let a = try await fetch()", "let b = try await load(\"\\(a)/b\")") == [])
    // What gives nothing is awaited for what it does, and a condition decides about what follows.
    #expect(try told("try await fetch()", "let b = try await load()") == [])
    #expect(try told("guard let a = await fetch() else { return }", "let b = await load()") == [])
  }

  @Test("G1: calls between which something is made of the first for the second are not told")
  func between() throws {
    func told(_ between: String) throws -> [UInt32] {
      try self.told(
        ["let a = await fetch()", between, "let b = await load(c)"],
        [Wait(line: 2), Wait(line: 4, callee: "load(_:)")])
    }
    #expect(try told("print(1)") == [2])
    #expect(try told("let c = a.id") == [])
    #expect(try told("c.add(a)") == [])
    #expect(try told("guard a.isGood else { return }") == [])
  }

  @Test(
    "G1: a task that is made when another one has been awaited is told, and not one made before")
  func tasks() throws {
    let waits = [Wait(line: 3, awaited: .task), Wait(line: 5, awaited: .task)]
    func told(_ code: [String]) throws -> [UInt32] { try self.told(code, waits) }
    #expect(
      try told([
        "async let a = fetch()", "let one = await a", "async let b = load()", "let two = await b",
      ]) == [3])
    #expect(
      try told([
        "async let a = fetch(); async let b = load()", "let one = await a", "", "let two = await b",
      ]) == [])
    #expect(
      try told([
        "let task = Task { await fetch() }", "let one = await task.value", "", "let b = await c",
      ])
        == [])
  }

  @Test("G1: calls of which one takes nearly all of the time are not told, nor nested ones")
  func others() throws {
    let code = ["let a = await fetch()", "let b = await load()"]
    let long = Wait(line: 3, callee: "load()", lasts: 600)
    #expect(try told(code, [Wait(line: 2), long]) == [])
    #expect(try told(["return await load(fetch())"], [Wait(line: 2), Wait(line: 2)]) == [])
    #expect(
      try told(
        ["return await fetch(1, 2).load()"], [Wait(line: 2), Wait(line: 2, callee: "load()")])
        == [])
  }

  @Test("G1: such calls are told of a task for which nobody waits, too")
  func unawaited() throws {
    let waits = [Wait(line: 2), Wait(line: 2)]
    #expect(try told(["return await (fetch(), fetch())"], waits, isAwaited: false) == [2])
    let short = waits.map { Wait(line: $0.line, lasts: 60) }
    #expect(try told(["return await (fetch(), fetch())"], short, isAwaited: false) == [])
  }
}
