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

  /// A consumer that waits for a second element, and another task that waits for it; the producer has
  /// yielded one, and ended. It may have been there before the consumer asked for it, and there may be streams
  /// beside it.
  private func unfinished(
    finishes: Bool = false, ends: Bool = true, ending: TraceEnding = .killed,
    isEarly: Bool = false, others: Int = 0
  ) throws -> [Finding] {
    var script = TaskScript()
    script.ending = ending
    script.script.lastLook = 5_000
    script.script.module(1, "/usr/lib/libswift_Concurrency.so", 0x5000..<0x6000)
    script.script.code(0x5100, "AsyncStream.Iterator.next()", line: 0)
    script.script.stack(9, [0x5100, 0x2000])
    script.script.stack(10, [0x3000])
    let pages = script.script.stream("pages", "AsyncStream", traits: [.hot, .holds], stack: 7)
    for _ in 0..<others {
      _ = script.script.stream("other", "AsyncStream", traits: [.hot, .holds], stack: 7)
    }
    for task in 1...3 as ClosedRange<UInt64> { script.create(task, at: 0) }
    script.begin(1, at: 1)
    script.end(1, .task, number: 2, at: 2, stack: 7)
    if !isEarly {
      script.begin(2, at: 3)
      script.end(2, .continuation, at: 4, stack: 9)
    }
    script.begin(3, at: 5)
    let value = script.script.value(pages, "1", at: 6, back: 1)
    script.script.record(
      .sent, of: pages, .cause(HopPayload(stack: 10, parent: 0)), at: 6, causes: [value])
    if !isEarly { script.schedule(2, at: 6, by: value) }
    if finishes { script.script.record(.completed, of: pages, at: 7) }
    script.end(3, ends ? .nothing : .executor, at: 8)
    script.begin(2, at: 9)
    script.end(2, .continuation, at: 10, stack: 9)
    return try script.findings()
  }

  @Test("G1: a stream that nobody finishes is told where its last element came from")
  func unfinishedStream() throws {
    let found = try unfinished()
    #expect(found.map(\.kind) == [.hang] && found.map(\.place) == [.stack(10)])
    // Who yielded it may still yield more; or the program was at its end.
    #expect(try unfinished(ends: false).isEmpty)
    #expect(try unfinished(finishes: true).isEmpty)
    #expect(try unfinished(ending: .clean).isEmpty)
    // Which stream it waits for is known if there is only one.
    #expect(try unfinished(isEarly: true).map(\.place) == [.stack(10)])
    #expect(try unfinished(isEarly: true, others: 1).isEmpty)
  }

  /// A task that got a result of its group, and waits for what is left of it.
  private func left(
    cancelled: Bool = false, drains: Bool = true, in module: String? = nil, line: UInt32 = 0
  ) throws -> [Finding] {
    var script = TaskScript()
    script.ending = .killed
    script.script.lastLook = 5_000
    script.script.stack(9, [0x4000])
    if let module {
      script.script.module(1, module, 0x1000..<0x3000)
      script.script.code(0x2000, "static Runner.run()", line: line)
    }
    script.create(1, at: 0)
    script.begin(1, at: 1)
    for child in [2, 3] as [UInt64] { script.create(child, by: 1, template: 2, at: 1) }
    script.end(1, .group, at: 2, stack: 8)
    script.begin(2, at: 3)
    script.end(2, .nothing, at: 4)
    script.schedule(1, at: 4)
    if cancelled { script.cancel(3, at: 4) }
    script.begin(3, at: 5)
    script.end(3, .executor, at: 5)
    script.begin(1, at: 6)
    script.end(1, .group, at: 7, stack: drains ? 9 : 8)
    return try script.findings()
  }

  @Test("G1: a group that is left with children at work is told where its result was taken")
  func leftGroup() throws {
    let found = try left()
    #expect(found.map(\.kind) == [.hang] && found.map(\.place) == [.stack(8)])
    #expect(try left(cancelled: true).isEmpty)
    // A loop over the results waits at one place.
    #expect(try left(drains: false).isEmpty)
  }

  @Test("G1: a group of a library without lines, such as one that runs tests, is not told")
  func groupOfLibrary() throws {
    #expect(try left(in: "/usr/lib/libTesting.so").isEmpty)
    #expect(try left(in: "/usr/lib/libTesting.so", line: 3).count == 1)
    let program = try left(in: "/usr/bin/shop")
    #expect(program.count == 1)
  }
}
