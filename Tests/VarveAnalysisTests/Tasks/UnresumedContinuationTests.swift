import Testing
import VarveAnalysis
import VarveFormat
import VarveProbe
import VarveTraceScript

@Suite("Findings about continuations that nobody resumes")
struct UnresumedContinuationTests {
  /// A task that waits for another, which waits for a continuation for the `rounds`th time, and has
  /// given work to a queue before.
  private func script(
    rounds: Int = 1, ending: TraceEnding = .killed, last: Double = 5_000, awaits: Bool = true,
    through function: String = "withCheckedContinuation(isolation:function:_:)"
  ) -> TaskScript {
    var script = TaskScript()
    script.ending = ending
    script.script.lastLook = last
    script.script.module(1, "/usr/lib/libswift_Concurrency.so", 0x5000..<0x6000)
    script.script.module(2, "/usr/bin/shop", 0x1000..<0x3000)
    script.script.code(0x5100, function, line: 0)
    script.script.stack(9, [0x5100, 0x2000])
    let queue = script.script.scheduler("legacy server")
    script.create(1, at: 0)
    script.create(2, at: 0)
    script.begin(1, at: 1)
    script.end(1, awaits ? .task : .nothing, number: 2, at: 2, stack: awaits ? 7 : 0)
    for round in 1...rounds {
      let time = Double(round) * 10
      if round > 1 { script.schedule(2, at: time) }
      script.begin(2, at: time)
      let work = ScriptedPayload.cause(HopPayload(stack: 8, parent: 0))
      let hop = UInt64(1_000 + round)
      script.script.record(.hopScheduled, of: queue, work, at: time + 1, subscription: hop)
      script.end(2, .continuation, at: time + 2, stack: 9)
      script.script.record(.hopBegan, of: queue, at: time + 3, subscription: hop)
      script.script.record(.hopEnded, of: queue, at: time + 4, subscription: hop)
    }
    return script
  }

  @Test(
    "G1: a continuation for which tasks wait in a program that hangs is found where it was made")
  func dropped() throws {
    let found = try script().findings()
    #expect(found.map(\.kind) == [.hang])
    #expect(found.first?.place == .stack(9) && found.first?.question == .tasks)
    let told = found.first?.sentence?.parts ?? []
    #expect(told.contains(.scheduler(2)))
    #expect(told.last == .text("has ended without resuming it"))
  }

  @Test("G1: a task that serves, sleeps, is waited for by nobody, or was alone cut short, is none")
  func healthy() throws {
    #expect(try script(rounds: 3).findings().isEmpty)
    #expect(try script(through: "static Task.sleep(nanoseconds:)").findings().isEmpty)
    #expect(try script(awaits: false).findings().isEmpty)
    #expect(try script(ending: .clean).findings().isEmpty)
    #expect(try script(last: 300).findings().isEmpty)
  }
}
