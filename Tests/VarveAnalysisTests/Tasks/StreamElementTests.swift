import Testing
import VarveAnalysis
import VarveFormat
import VarveProbe
import VarveTraceScript

/// Guesses about the elements of asynchronous streams.
@Suite("Suspicions about the elements of streams")
struct StreamElementTests {
  private func suspicions(_ script: TaskScript) throws -> [Finding] {
    try script.with { TaskSuspicions($0).wrong() }
  }

  private func script(_ traits: StreamTraits = [.hot, .holds]) -> (TaskScript, fixes: UInt32) {
    var script = TaskScript()
    script.create(1, at: 0)
    script.begin(1, at: 1)
    script.script.stack(10, [0x3000])
    let fixes = script.script.stream("fixes", "AsyncStream", traits: traits, stack: 7)
    return (script, fixes)
  }

  private func finish(_ stream: UInt32, _ script: inout TaskScript, at time: Double) {
    let end = script.script.record(.completed, of: stream, at: time)
    script.script.record(
      .sent, of: stream, .cause(HopPayload(stack: 10, parent: 0)), at: time, causes: [end])
  }

  private func refuse(_ stream: UInt32, _ script: inout TaskScript, at time: Double) {
    let value = script.script.value(stream, "1", at: time)
    script.script.record(
      .absorbed, of: stream, .reason(AbsorptionReason.ended.rawValue), at: time, causes: [value])
  }

  @Test("G1: elements that come after the end of a stream are told where it was finished")
  func early() throws {
    var (script, fixes) = script()
    finish(fixes, &script, at: 2)
    for time in [3, 4] as [Double] { refuse(fixes, &script, at: time) }
    let found = try suspicions(script)
    #expect(found.map(\.place) == [.stack(10)] && found.map(\.kind) == [.partial])
    // Its consumer's end ended it, before who feeds it finished it.
    var (cancelled, other) = self.script()
    refuse(other, &cancelled, at: 2)
    finish(other, &cancelled, at: 3)
    #expect(try suspicions(cancelled).isEmpty)
  }

  @Test(
    "G1: elements that had no room are told where the stream was made; a stream with parents is another"
  )
  func dropped() throws {
    var (script, fixes) = script([.hot, .holds, .swallows])
    for time in [2, 3] as [Double] {
      let value = script.script.value(fixes, "1", at: time)
      script.script.record(
        .absorbed, of: fixes, .reason(AbsorptionReason.superseded.rawValue), at: time,
        causes: [value])
    }
    let found = try suspicions(script)
    #expect(found.map(\.place) == [.stack(7)])
    #expect(
      found.first?.sentence?.parts.contains(.count(2, one: "element", many: "elements")) == true)
    var (plain, pipe) = self.script(.hot)
    refuse(pipe, &plain, at: 3)
    let kept = plain.script.value(pipe, "1", at: 4)
    plain.script.record(
      .absorbed, of: pipe, .reason(AbsorptionReason.superseded.rawValue), at: 4, causes: [kept])
    #expect(try suspicions(plain).isEmpty)
  }

  /// Tasks that wait for elements, each at a place of its own.
  private func consumers(
    _ stacks: [UInt32], servedBackwards: Bool = false
  ) throws -> [Finding] {
    var (script, fixes) = script()
    for (index, stack) in stacks.enumerated() {
      let (task, ring) = (UInt64(index + 2), UInt32(index + 2))
      script.create(task, by: 1, at: 2)
      script.begin(task, at: 3, ring: ring)
      script.end(task, .continuation, at: 4, stack: stack)
    }
    for (turn, index) in (servedBackwards ? stacks.indices.reversed() : Array(stacks.indices))
      .enumerated()
    {
      let value = script.script.value(fixes, "1", at: 5 + Double(turn))
      script.schedule(UInt64(index + 2), at: 5 + Double(turn), by: value)
    }
    return try suspicions(script).filter { $0.kind == .partial }
  }

  @Test("G1: a stream of which several tasks take elements is told where the second one waits")
  func consumers() throws {
    #expect(try consumers([8, 10]).map(\.place) == [.stack(10)])
    // The second one is that which was made later.
    #expect(try consumers([8, 10], servedBackwards: true).map(\.place) == [.stack(10)])
    #expect(try consumers([8]).isEmpty)
    // A new task for the same loop.
    #expect(try consumers([8, 8]).isEmpty)
  }

  @Test("G1: a task that yields to the stream whose elements it takes feeds itself")
  func selfFed() throws {
    func found(_ rounds: Int) throws -> [Finding] {
      var (script, fixes) = script()
      script.create(2, by: 1, at: 2)
      script.begin(2, at: 3, ring: 2)
      script.end(2, .continuation, at: 4, stack: 8)
      let first = script.script.value(fixes, "0", at: 5)
      script.schedule(2, at: 5, by: first)
      script.begin(2, at: 6, ring: 2)
      for round in 0..<rounds {
        let time = 7 + Double(round)
        let value = script.script.value(fixes, "1", at: time, ring: 2)
        script.script.record(
          .sent, of: fixes, .cause(HopPayload(stack: 10, parent: 0)), at: time, ring: 2,
          causes: [value])
      }
      return try suspicions(script).filter { $0.kind == .feedback }
    }
    #expect(try found(12).map(\.place) == [.parting(10, from: 8)])
    #expect(try found(5).isEmpty)
  }
}
