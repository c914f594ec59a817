import Testing
import VarveAnalysis
import VarveTraceScript

/// Guesses about loops that nothing ends.
@Suite("Suspicions about endless waits")
struct EndlessWaitTests {
  private let folder = TemporaryFolder()

  /// The lines that are told of a task that waits in line 9.
  private func polling(
    _ done: [String] = ["case .done:", "print(2)", "break"], head: String = "while true {",
    last: String = "}", rounds: Int = 3
  ) throws -> [UInt32] {
    var script = try TaskScript(
      ["func file() async throws {", head, "switch try await ask() {", "case .waiting: print(1)"]
        + done + ["}", "try await sleep()", last, "}"],
      in: folder)
    script.create(1, at: 0)
    script.begin(1, at: 1)
    script.wait(1, rounds, at: 28, from: 2)
    return try script.linesMarked(.storm)
  }

  @Test("G1: a break that leaves the switch in a loop, and not the loop, is told")
  func breaks() throws {
    #expect(try polling() == [7])
    #expect(try polling(head: "while !Task.isCancelled {") == [7])
    #expect(try polling(["case .done:", "if isLast {", "break }"]) == [7])
    #expect(try polling(rounds: 2) == [])
  }

  @Test(
    "G1: a break of a switch is not told if something else ends the loop, or if it does nothing")
  func otherBreaks() throws {
    #expect(try polling(["case .done:", "print(2)", "return"]) == [])
    #expect(try polling(["case .done:", "break", ""]) == [])
    #expect(try polling(["case .done: break", "", ""]) == [])
    #expect(try polling(["case .failed: print(3); break", "case .done: print(2)", "break"]) == [])
    #expect(try polling(last: "if isDone { break } }") == [])
    #expect(try polling(head: "while !isDone {") == [])
  }

  /// The lines that are told of a task that waits in line 6, called from line 2, to the end.
  private func held(
    _ call: [String] = ["await follow()", "await load()", ""],
    wait: String = "for await one in all {", rounds: Int = 3, isCancelled: Bool = false
  ) throws -> [UInt32] {
    var script = try TaskScript(
      ["func appear() async {", call[0], call[1], call[2] + " }", "func follow() async {", wait]
        + ["show(one)", "} }"],
      in: folder)
    script.stack(50, lines: [6, 2])
    script.create(1, at: 0)
    script.begin(1, at: 1)
    script.wait(1, rounds, at: 50, from: 2)
    if isCancelled { script.cancel(1, at: 9) }
    return try script.linesMarked(.silence)
  }

  @Test("G1: a call that does not end, before others, is told")
  func unreached() throws {
    #expect(try held() == [2])
    #expect(try held(wait: "while true { await sleep()") == [2])
    #expect(try held(["do { try await follow() } catch {", "print(1) }", "await load()"]) == [2])
  }

  @Test(
    "G1: a call that does not end is not told if nothing follows it, or if it is to be cancelled")
  func reached() throws {
    #expect(try held(["await follow()", "print(1)", ""]) == [])
    #expect(try held(["await follow(); Task {", "await load()", "}"]) == [])
    #expect(try held(["do { try await follow() } catch {", "await load()", "}"]) == [])
    #expect(try held(["for _ in 1...2 { await follow()", "await load()", "}"]) == [])
    #expect(try held(isCancelled: true) == [])
    #expect(try held(rounds: 2) == [])
    #expect(try held(wait: "do { await sleep()") == [])
  }

  @Test(
    "G1: a loop that does not end, before something that is awaited in the same function, is told")
  func unreachedBelow() throws {
    func held(_ body: [String], below: String = "await load()", at line: UInt32 = 2) throws
      -> [UInt32]
    {
      var script = try TaskScript(["func appear() async {"] + body + [below, "}"], in: folder)
      script.create(1, at: 0)
      script.begin(1, at: 1)
      script.wait(1, 3, at: 19 + line, from: 2)
      return try script.linesMarked(.silence)
    }
    let loop = ["for await one in all {", "show(one) }"]
    #expect(try held(loop) == [2])
    #expect(try held(["while true {", "await sleep() }"], at: 3) == [2])
    #expect(try held(loop, below: "print(1)") == [])
    #expect(try held(loop, below: "Task { await load() }") == [])
    #expect(try held(["for await one in all {", "if one.isLast { break } }"]) == [])
    #expect(try held(["for _ in 1...2 { for await one in all {", "show(one) } }"]) == [])
  }
}
