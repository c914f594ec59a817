import Testing
import VarveAnalysis
import VarveProbe
import VarveTraceScript

/// Where the time of the longest wait of one task for another went.
@Suite("Guesses about tasks that are late")
struct CriticalWaitsTests {
  private func slow(_ script: TaskScript) throws -> [Finding] {
    try script.with { TaskSuspicions($0).slow() }
  }

  /// Task 1 waits for task 2, which waits in turn.
  private func waiting(_ body: (inout TaskScript) -> Double) -> TaskScript {
    var script = TaskScript()
    script.script.stack(9, [0x3000])
    script.create(1, at: 0)
    script.begin(1, at: 1)
    script.create(2, by: 1, at: 2)
    script.end(1, .task, number: 2, at: 3)
    script.begin(2, at: 4, ring: 2)
    let end = body(&script)
    script.end(2, .nothing, at: end, stack: 0)
    script.schedule(1, at: end + 0.1, ring: 2)
    script.begin(1, at: end + 0.2)
    return script
  }

  @Test("G1: of a task that waits at one place again and again, this is the place")
  func rounds() throws {
    let found = try slow(
      waiting { script in
        for round in 0..<10 {
          let time = 5 + Double(round) * 50
          script.end(2, .continuation, at: time, stack: 9)
          script.schedule(2, at: time + 48)
          script.begin(2, at: time + 48.5, ring: 2)
        }
        return 510
      })
    #expect(found.map(\.place) == [.waiter(9)])
    #expect(found.first?.sentence?.parts.contains(.count(10, one: "time", many: "times")) == true)
  }

  @Test("G1: of a task that waits once for yet another one, the place is where that waits")
  func way() throws {
    let found = try slow(
      waiting { script in
        script.create(3, by: 2, at: 5, ring: 2)
        script.end(2, .task, number: 3, at: 6, stack: 7)
        script.begin(3, at: 7, ring: 3)
        script.end(3, .unknown, at: 8, stack: 9)
        script.schedule(3, at: 300, ring: 3)
        script.begin(3, at: 301, ring: 3)
        script.end(3, .nothing, at: 302, stack: 0)
        script.schedule(2, at: 303, ring: 3)
        script.begin(2, at: 304, ring: 2)
        return 305
      })
    #expect(found.map(\.place) == [.waiter(9)])
  }

  @Test(
    "G1: who resumed what was waited for, and serves one after the other, does so where its ways part"
  )
  func serving() throws {
    func found(_ served: Int) throws -> [Finding] {
      let script = waiting { script in
        script.script.stack(10, [0x4000])
        script.create(3, at: 4.1, ring: 3)
        script.begin(3, at: 4.2, ring: 3)
        script.end(2, .continuation, at: 5, stack: 9)
        var time = 6.0
        for _ in 0..<served {
          for (stack, lasts) in [(10, 1.0), (7, 398 / Double(served))] as [(UInt32, Double)] {
            script.end(3, .continuation, at: time, stack: stack)
            time += lasts
            script.schedule(3, at: time, ring: 4)
            script.begin(3, at: time, ring: 3)
          }
        }
        script.schedule(2, at: time, ring: 3)
        script.begin(2, at: time + 1, ring: 2)
        return time + 2
      }
      return try slow(script)
    }
    #expect(try found(4).map(\.place) == [.parting(7, from: 10)])
    #expect(try found(1).map(\.place) == [.waiter(9)])
  }

  @Test("G1: a task that moves to another executor and back, very often, is slow where it moves")
  func moves() throws {
    func moving(_ times: Int) -> TaskScript {
      waiting { script in
        for round in 0..<times {
          let time = 5 + Double(round)
          script.end(2, .executor, at: time, stack: 9)
          script.schedule(2, at: time + 0.01)
          script.begin(2, at: time + 0.02, ring: 2)
        }
        return 6 + Double(times)
      }
    }
    #expect(try slow(moving(200)).map(\.place) == [.stack(9)])
    #expect(try slow(moving(90)).isEmpty)
  }

  @Test("G1: a task that runs for most of the time, or is not waited for for long, is no guess")
  func busy() throws {
    #expect(
      try slow(
        waiting { script in
          script.end(2, .continuation, at: 5, stack: 9)
          script.schedule(2, at: 60)
          script.begin(2, at: 61, ring: 2)
          return 400
        }
      ).isEmpty)
    #expect(
      try slow(
        waiting { script in
          script.end(2, .continuation, at: 5, stack: 9)
          script.schedule(2, at: 60)
          script.begin(2, at: 61, ring: 2)
          return 62
        }
      ).isEmpty)
  }
}
