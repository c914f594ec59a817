import Testing
import VarveAnalysis
import VarveFormat
import VarveProbe
import VarveTraceScript

@Suite("Backlogs of work")
struct BacklogTests {
  @Test("a backlog is at the operator that queues")
  func backlog() throws {
    var script = TraceScript()
    let queue = script.scheduler("queue")
    let worker = script.thread("worker", ring: 2)
    let frames = script.stream("frames", line: 1)
    let render = script.stream("render", "observe(on:)", from: [frames], line: 2)
    for hop in 1...40 {
      script.value(frames, "\(hop)", at: Double(hop))
      script.record(
        .hopScheduled, of: queue, at: Double(hop), subscription: UInt64(hop), back: 1)
    }
    for hop in 1...40 {
      let time = Double(hop) * 10
      script.record(.hopBegan, of: queue, at: time, ring: worker, subscription: UInt64(hop))
      script.value(render, "\(hop)", at: time, ring: worker, back: 1)
      script.record(.hopEnded, of: queue, at: time + 9.9, ring: worker, subscription: UInt64(hop))
    }
    let found = try script.found()
    #expect(found.map(\.kind) == [.backlog])
    #expect(found.first?.place == .stream(render))
    #expect(found.first?.count == 37)
  }

  @Test(
    "G1: a backlog of work whose results are mostly dropped is at the operator that does the work",
    arguments: [4, 30])
  func wasted(shown: Int) throws {
    var script = TraceScript()
    let ui = script.scheduler("ui")
    let ring = script.thread("interface", ring: 2)
    let zooms = script.stream("zooms", line: 1)
    let moved = script.stream("moved", "observe(on:)", from: [zooms], line: 2)
    let drawn = script.stream("drawn", "map(_:)", from: [moved], line: 3)
    let sheet = script.stream(
      "sheet", "throttle(_:on:)", from: [drawn], line: 4, traits: [.hops, .holds, .replaces])
    _ = script.subscribe(drawn, to: sheet, at: 0)
    for hop in 1...40 {
      script.value(zooms, "\(hop)", at: Double(hop))
      script.record(.hopScheduled, of: ui, at: Double(hop), subscription: UInt64(hop), back: 1)
    }
    for hop in 1...40 {
      let time = Double(hop) * 12
      script.record(.hopBegan, of: ui, at: time, ring: ring, subscription: UInt64(hop))
      script.value(moved, "\(hop)", at: time, ring: ring, back: 1)
      script.value(drawn, "\(hop)", at: time + 11, ring: ring, back: 1)
      if hop <= shown {
        script.value(sheet, "\(hop)", at: time + 11, ring: ring, back: 1)
      }
      script.record(.hopEnded, of: ui, at: time + 11.9, ring: ring, subscription: UInt64(hop))
    }
    let found = try script.found().filter { $0.kind == .backlog }
    #expect(found.map(\.place) == [.stream(shown == 4 ? drawn : moved)])
  }
}
