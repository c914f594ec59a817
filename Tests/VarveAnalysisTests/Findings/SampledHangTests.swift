import Testing
import VarveAnalysis
import VarveFormat
import VarveProbe
import VarveTraceScript

/// Work that waits for what lies queued behind it, and of which samples were taken.
@Suite("Hangs with samples")
struct SampledHangTests {
  /// Work of a queue that begins to observe a stream, which then waits, or computes.
  private func found(waits: Bool) throws -> [Finding] {
    var script = TraceScript()
    let network = script.scheduler("network")
    let worker = script.thread("worker", ring: 2)
    let samples = script.thread("samples", ring: 3)
    let answer = script.stream("answer", line: 3)
    script.record(.hopScheduled, of: network, at: 1, subscription: 1)
    script.record(.hopBegan, of: network, at: 2, ring: worker, subscription: 1, causes: ["1.1"])
    _ = script.subscribe(answer, at: 3, ring: worker, by: 9)
    script.record(
      .hopScheduled, of: network, .cause(HopPayload(stack: 4, parent: 1)), at: 4, ring: worker,
      subscription: 2)
    let sample = SamplePayload(stack: 11, waits: waits, holder: 0)
    script.record(
      .hopSampled, of: 0, .cause(HopPayload(word: sample.word)), at: 50, ring: samples,
      subscription: 1)
    return try script.found(ending: nil).filter { $0.kind == .hang }
  }

  @Test(
    "G1: where samples tell where work waits, that is the line, and not where it began to observe")
  func sampled() throws {
    #expect(try found(waits: true).map(\.place) == [.common([11])])
    #expect(try found(waits: false).map(\.place) == [.stack(9)])
  }
}
