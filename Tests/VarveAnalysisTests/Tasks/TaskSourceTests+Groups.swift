import Testing
import VarveAnalysis
import VarveFormat
import VarveProbe
import VarveTraceScript

/// Loops over the results of groups and the elements of streams, and tasks that are made in loops.
extension TaskSourceTests {
  /// A task that takes the results of three children in line 2, which end in an order.
  private func ordered(_ ends: [UInt64], _ body: [String], below: String = "return list") throws
    -> [UInt32]
  {
    var script = try script(
      ["func all() async {", "for await one in group {"] + body + ["}", below, "}"])
    script.create(1, at: 0)
    script.begin(1, at: 1)
    for child in [2, 3, 4] as [UInt64] { script.create(child, by: 1, template: 2, at: 2) }
    for child in ends { script.begin(child, at: 3, ring: UInt32(child)) }
    script.end(1, .group, at: 4, stack: 21)
    for (index, child) in ends.enumerated() {
      let time = Double(5 + 3 * index)
      script.end(child, .nothing, at: time, stack: 0)
      script.schedule(1, at: time + 1, ring: UInt32(child))
      script.begin(1, at: time + 2)
      if index < 2 { script.end(1, .group, at: time + 2.5, stack: 21) }
    }
    return try lines(script, .overtaken)
  }

  @Test("G1: results that are appended as they come are told, if they came in another order")
  func appended() throws {
    #expect(try ordered([3, 2, 4], ["list.append(one)"]) == [3])
    // The last child is late, and no wait follows.
    #expect(try ordered([3, 4, 2], ["if one > 0 {", "list += [one]", "}"]) == [4])
    #expect(try ordered([2, 3, 4], ["list.append(one)"]) == [])
    #expect(try ordered([3, 2, 4], ["list[one.id] = one"]) == [])
    #expect(try ordered([3, 2, 4], ["sum += one"]) == [])
    #expect(try ordered([3, 2, 4], ["list.append(one)"], below: "return list.sorted()") == [])
  }

  /// A task whose group has two children at first. Each letter is a result: `r` if a child is added then.
  private func refilled(_ rounds: String, _ skip: String = "continue") throws -> [UInt32] {
    var script = try script([
      "func all() async {", "for _ in 1...2 { start() }", "while let one = await group.next() {",
      "guard one.isGood else {", skip, "}", "start()", "}", "}",
    ])
    script.create(1, at: 0)
    script.begin(1, at: 1)
    var child: UInt64 = 2
    func add(_ script: inout TaskScript, at time: Double) {
      script.create(child, by: 1, template: 2, at: time)
      child += 1
    }
    for _ in 1...2 { add(&script, at: 2) }
    script.end(1, .group, at: 3, stack: 22)
    for (index, round) in rounds.enumerated() {
      let time = Double(5 + 5 * index)
      script.schedule(1, at: time)
      script.begin(1, at: time + 1)
      if round == "r" { add(&script, at: time + 2) }
      script.end(1, .group, at: time + 3, stack: 22)
    }
    return try lines(script, .partial)
  }

  @Test("G1: a loop that skips, for some results, what adds the next child is told")
  func skippedRefills() throws {
    #expect(try refilled("rrsrs") == [5])
    // Nothing was left to add.
    #expect(try refilled("rrrss") == [])
    #expect(try refilled("rrsrs", "return") == [])
  }

  /// Tasks that one task makes in line 2 and awaits in line 3: each before the next one, or all of them then.
  /// Each begins after a delay.
  private func serial(
    _ count: UInt64, together: Bool = false, pause: Double = 1, delay: Double = 0
  ) throws -> [FindingPlace?] {
    var script = try script(["for dish in dishes {", "Task { await work() }", "}"])
    script.script.taskTemplate(3, .task, stack: 21)
    script.create(1, at: 0)
    script.begin(1, at: 0)
    var time = 1.0
    let tasks = Array(2..<(2 + count))
    if together { for task in tasks { script.create(task, by: 1, template: 3, at: time) } }
    for task in tasks {
      if !together { script.create(task, by: 1, template: 3, at: time) }
      script.end(1, .task, number: task, at: time, stack: 22)
      script.begin(task, at: time + delay, ring: 2)
      script.end(task, .nothing, at: time + 40, stack: 0)
      script.schedule(1, at: time + 40, ring: 2)
      script.begin(1, at: time + 40.5)
      time += 40 + pause
    }
    return try script.with { reader in
      TaskSuspicions(reader, Symbolizer(reader.definitions, looksUp: false)).slow().map(\.place)
    }
  }

  @Test(
    "G1: tasks each of which is awaited before the next one is made are told, if that takes long")
  func serial() throws {
    #expect(try serial(4) == [.stack(22)])
    #expect(try serial(2) == [])
    #expect(try serial(4, together: true) == [])
    // Something else holds their executor.
    #expect(try serial(4, delay: 35) == [])
    // Something else sets them off.
    #expect(try serial(4, pause: 100) == [])
  }

  /// A task that takes elements of a stream in line 2, and ends, or waits; more elements come then.
  private func left(
    _ taken: Int, _ after: Int, exit: String = "return", isCancelled: Bool = false,
    ends: Bool = true, fails: Bool = false
  ) throws -> [UInt32] {
    var script = try script([
      "func take() async {", "for await one in all {", "if one.isOdd {", exit, "}", "}", "}",
    ])
    script.create(1, at: 0)
    script.begin(1, at: 1)
    let all = script.script.stream("all", "AsyncStream", traits: [.hot, .holds], stack: 7)
    script.create(2, by: 1, at: 2)
    script.begin(2, at: 3, ring: 2)
    script.end(2, .continuation, at: 4, stack: 21)
    for element in 0..<(taken + after) {
      let time = 5 + Double(element) * 10
      let value = script.script.value(all, "1", at: time)
      guard element < taken else { continue }
      script.schedule(2, at: time, by: value)
      if isCancelled, element == taken - 1 { script.cancel(2, at: time + 0.5) }
      script.begin(2, at: time + 1, ring: 2)
      let isLast = ends && element == taken - 1
      if isLast, fails {
        script.throwError("HttpFailure", in: 2, at: time + 1.5, ring: 2, stack: 23)
        script.fail(2, "HttpFailure", at: time + 1.5, ring: 2)
      }
      script.end(2, isLast ? .nothing : .continuation, at: time + 2, stack: isLast ? 0 : 21)
    }
    return try script.linesMarked(.partial, byErrors: fails)
  }

  @Test("G1: a loop over a stream that was left is told, if elements came after that")
  func leftLoops() throws {
    #expect(try left(3, 2) == [4])
    #expect(try left(3, 1) == [])
    // It took one, as who waits for a single event does.
    #expect(try left(1, 3) == [])
    #expect(try left(3, 2, exit: "return one") == [])
    #expect(try left(3, 2, isCancelled: true) == [])
    #expect(try left(3, 2, ends: false) == [])
    #expect(try left(3, 2, exit: "try await handle(one)", fails: true) == [4])
    #expect(try left(3, 1, exit: "try await handle(one)", fails: true) == [])
  }
}
