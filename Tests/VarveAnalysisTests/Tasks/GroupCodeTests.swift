import Testing
import VarveAnalysis
import VarveTraceScript

/// Guesses about groups of tasks by the source of the code that makes them.
@Suite("Suspicions about groups by their source")
struct GroupCodeTests {
  private let folder = TemporaryFolder()

  /// The lines that are told of a group in line 2 which gets ten children while its task waits in line 3.
  private func serving(
    _ call: String = "await withTaskGroup(of: Int.self) { group in",
    wait: String = "for await one in all {", last: String = "print(1)", awaitsGroup: Bool = false
  ) throws -> [UInt32] {
    var script = try TaskScript(
      [
        "func serve() async {", call, wait, "group.addTask { await handle(one) }", "}", last, "} }",
      ],
      in: folder)
    script.stack(50, lines: [3, 2])
    script.create(1, at: 0)
    script.begin(1, at: 1)
    script.end(1, .continuation, at: 2, stack: 50)
    for child in 2...11 as ClosedRange<UInt64> {
      let time = Double(child)
      script.schedule(1, at: time)
      script.begin(1, at: time + 0.1)
      script.create(child, by: 1, template: 2, at: time + 0.2)
      script.end(1, awaitsGroup ? .group : .continuation, at: time + 0.3, stack: 50)
      script.begin(child, at: time + 0.4, ring: 2)
      script.end(child, .nothing, at: time + 0.5)
    }
    return try script.linesMarked(.leak)
  }

  @Test("G1: a group that keeps the results of its children, because nothing takes them, is told")
  func untaken() throws {
    #expect(try serving() == [2])
    #expect(try serving("try await withThrowingTaskGroup { [log] group in") == [2])
    #expect(try serving(wait: "while let one = await inbox.one() {") == [2])
    // What waits for all at last takes nothing until then, as the end of the group.
    #expect(try serving(last: "try await group.waitForAll()") == [2])
  }

  @Test("G1: a group is not told if something takes its results, or may do so")
  func taken() throws {
    #expect(try serving("await withDiscardingTaskGroup { group in") == [])
    #expect(try serving(wait: "do { await pause()") == [])
    #expect(try serving(last: "for await result in group { print(result) }") == [])
    #expect(try serving(last: "_ = await group.next()") == [])
    #expect(try serving(last: "await drain(&group)") == [])
    #expect(try serving(wait: "for await one in all { await group.waitForAll()") == [])
    #expect(try serving(awaitsGroup: true) == [])
  }

  /// The lines that are told of a task that makes groups in line 2, of children that end with errors or,
  /// where there is none, well.
  private func retried(_ rounds: [[String]], _ call: String = "do { try await send() } catch {")
    throws -> [UInt32]
  {
    var script = try TaskScript(
      [
        "func send() async throws {", "try await withThrowingTaskGroup(of: Void.self) { group in",
        "for one in all { group.addTask { try await post(one) } }", "try await group.waitForAll()",
        "} }", "func invite() async throws {", "for attempt in 1...3 {", call, "print(error)",
        "} } }",
      ], in: folder)
    script.stack(50, lines: [4, 2, 8])
    script.create(1, at: 0)
    script.begin(1, at: 1)
    var child: UInt64 = 2
    for (number, errors) in rounds.enumerated() {
      let time = Double(number) * 20 + 2
      for index in errors.indices {
        script.create(child + UInt64(index), by: 1, template: 2, at: time)
      }
      script.end(1, .group, at: time + 1, stack: 50)
      for error in errors {
        script.begin(child, at: time + 2, ring: 2)
        script.end(child, .nothing, at: time + 3)
        if !error.isEmpty { script.fail(child, error, at: time + 3) }
        child += 1
      }
      script.schedule(1, at: time + 10, ring: 2)
      script.begin(1, at: time + 11)
    }
    return try script.linesMarked(.restarted)
  }

  @Test("G1: a group that is made again because one of its children failed is told, at its call")
  func repeated() throws {
    #expect(try retried([["", "Busy", ""], ["", "", ""]]) == [8])
    #expect(try retried([["", "Busy"], ["", "Busy"], ["", ""]]) == [8])
  }

  @Test("G1: a group is not told if what is made again is only what failed, or comes anyway")
  func notRepeated() throws {
    #expect(try retried([["", "Busy", ""], [""]]) == [])
    #expect(try retried([["Busy", "CancellationError"], ["", ""]]) == [])
    #expect(try retried([["", ""], ["", "Busy"], ["", ""]]) == [])
    #expect(try retried([["", "Busy"]]) == [])
    // Each time it is about something else, or may be.
    #expect(
      try retried([["", "Busy"], ["", ""]], "do { try await send(attempt) } catch {") == [])
    #expect(
      try retried([["", "Busy"], ["", ""]], "print(attempt) }; do { try await send() } catch {")
        == [])
  }
}
