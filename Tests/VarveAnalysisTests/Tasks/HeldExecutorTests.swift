import Testing
import VarveAnalysis
import VarveFormat
import VarveProbe
import VarveTraceScript

@Suite("Findings about executors that tasks hold")
struct HeldExecutorTests {
  /// Tasks that run for `lasting` milliseconds, one after the other, and others of which each waits
  /// from so many milliseconds before the end of one.
  private func script(
    _ count: Int, lasting: Double, waiting: Double, on name: String = "main actor",
    threads: UInt32 = 1
  ) -> TaskScript {
    var script = TaskScript()
    let executor = script.script.scheduler(name)
    for ring in 1...(threads + 1) { _ = script.script.thread("worker \(ring)", ring: 1 + ring) }
    var time = 0.0
    for number in 0..<UInt64(count) {
      for thread in 0..<threads {
        let task = 100 + number * 10 + UInt64(thread)
        script.create(task, at: time, ring: 2 + thread)
        script.begin(task, at: time, ring: 2 + thread)
        script.end(task, .continuation, at: time)
        script.schedule(task, at: time + 1, ring: 2 + thread, on: executor, stack: 7)
        script.begin(task, at: time + 2, ring: 2 + thread)
      }
      let other = 500 + number
      let asked = time + 2 + lasting - waiting
      script.create(other, at: asked, on: executor)
      for thread in 0..<threads {
        script.end(100 + number * 10 + UInt64(thread), .nothing, at: time + 2 + lasting, stack: 0)
      }
      script.begin(other, at: time + 3 + lasting, ring: 2 + threads - 1)
      script.end(other, .nothing, at: time + 4 + lasting, stack: 0)
      time += lasting + 10
    }
    return script
  }

  @Test(
    "G1: synchronous work that holds the main actor, while others wait, is found where it began")
  func blocked() throws {
    for (count, lasting) in [(4, 60.0), (1, 600.0)] {
      let found = try script(count, lasting: lasting, waiting: lasting - 1).findings()
      #expect(found.map(\.kind) == [.backlog])
      #expect(found.first?.place == .goingOn(7) && found.first?.question == .latency)
    }
  }

  @Test("G1: long runs for which nobody waits, single ones, and short ones are no block")
  func free() throws {
    #expect(try script(4, lasting: 60, waiting: 5).findings().isEmpty)
    #expect(try script(2, lasting: 60, waiting: 59).findings().isEmpty)
    #expect(try script(8, lasting: 20, waiting: 19).findings().isEmpty)
  }

  @Test("G1: a task that could go on, and had to wait for its executor, is told who held it")
  func starved() throws {
    let found = try script(1, lasting: 400, waiting: 390, on: "Store").findings()
    #expect(found.map(\.kind) == [.backlog])
    #expect(found.first?.place == .stack(7))
    #expect(found.first?.evidence.count == 2)
  }

  @Test("G1: a task that waits for a busy machine, or not for long, is no finding")
  func unheld() throws {
    #expect(try script(1, lasting: 200, waiting: 190, on: "Store").findings().isEmpty)
    // Two of its runs were there at once, so that it has room while one of them runs.
    var script = script(1, lasting: 10, waiting: 9, on: "pool", threads: 2)
    let pool = script.executor + 1
    script.create(900, at: 100, ring: 2, on: pool)
    script.begin(900, at: 101, ring: 2)
    script.create(901, at: 102, on: pool)
    script.end(900, .nothing, at: 500, stack: 0)
    script.begin(901, at: 501, ring: 2)
    script.end(901, .nothing, at: 502, stack: 0)
    #expect(try script.findings().isEmpty)
  }

  /// A task that waits for an actor, which others that run on the executor of all may have entered.
  private func entered(
    by occupants: Int, until end: Double?, handover: Double = 0.1, on name: String = "Store"
  ) -> TaskScript {
    var script = TaskScript()
    let actor = script.script.scheduler(name, id: 1 << 31 | 7)
    _ = script.script.scheduler("global executor")
    for occupant in 0..<UInt64(occupants) {
      script.create(10 + occupant, template: 2, at: 0)
      script.begin(10 + occupant, at: 1, ring: UInt32(2 + occupant), priority: 17)
    }
    script.create(5, at: 9)
    script.begin(5, at: 10)
    script.end(5, .executor, at: 11)
    script.schedule(5, at: 11, on: actor)
    guard let end else {
      script.ending = .killed
      script.script.lastLook = 3_000
      return script
    }
    for occupant in 0..<UInt64(occupants) { script.end(10 + occupant, .nothing, at: end, stack: 0) }
    script.begin(5, at: end + handover)
    script.end(5, .nothing, at: end + handover + 1, stack: 0)
    return script
  }

  @Test("G1: who entered an actor without a wait, and holds it, is known by its end")
  func entered() throws {
    let found = try entered(by: 1, until: 600).findings()
    #expect(found.map(\.kind) == [.backlog])
    #expect(found.first?.evidence == ["1.8", "2.1"])
    let text = found.first?.sentence?.parts ?? []
    #expect(text.contains(.text("task 10 \"child\"")) && text.last == .text(", of low priority"))
    // Of two, it is not known which; a later wait ended for another reason.
    #expect(try entered(by: 2, until: 600).findings().isEmpty)
    #expect(try entered(by: 1, until: 600, handover: 20).findings().isEmpty)
    #expect(try entered(by: 1, until: 600, on: "main actor").findings().isEmpty)
    #expect(try entered(by: 1, until: nil).findings().map(\.kind) == [.hang])
    #expect(try entered(by: 2, until: nil).findings().isEmpty)
  }

  @Test(
    "G1: of two that may hold an actor, it is the one that was seen in the code of that very type")
  func seen() throws {
    for (function, isSeen) in [
      ("Store.save()", true), ("closure #1 in Shop.Store.save()", true), ("AppStore.save()", false),
      ("_Store.save()", false),
    ] {
      var script = entered(by: 2, until: nil)
      script.script.stack(30, [0x3000])
      script.script.code(0x3000, function, line: 5)
      // The hop of the second.
      script.script.record(
        .hopSampled, of: 0, .cause(HopPayload(stack: 30, parent: 0)), at: 500, ring: 9,
        subscription: 2)
      #expect(try script.findings().map(\.kind) == (isSeen ? [.hang] : []), "\(function)")
    }
  }

  /// A task that runs until the program is killed, after it made another one, which may wait.
  private func hanging(_ ending: TraceEnding, until last: Double, waits: Bool) -> TaskScript {
    var script = TaskScript()
    let executor = script.script.scheduler("main actor")
    script.ending = ending
    script.script.lastLook = last
    script.create(1, at: 0, on: executor)
    script.begin(1, at: 1)
    script.create(2, by: 1, template: 2, at: 2, on: waits ? executor : nil)
    if !waits {
      script.begin(2, at: 3)
      script.end(2, .nothing, at: 4, stack: 0)
    }
    return script
  }

  @Test("G1: tasks that hold an executor in a program that hangs are found, if others wait for it")
  func endless() throws {
    let found = try hanging(.killed, until: 3_000, waits: true).findings()
    #expect(found.map(\.kind) == [.hang])
    #expect(found.first?.place == nil && found.first?.question == .tasks)
    #expect(found.first?.sentence?.parts.contains(.place(.stack(7))) == true)
    #expect(try hanging(.killed, until: 3_000, waits: false).findings().isEmpty)
    #expect(try hanging(.killed, until: 300, waits: true).findings().isEmpty)
    #expect(try hanging(.clean, until: 3_000, waits: true).findings().isEmpty)
  }
}
