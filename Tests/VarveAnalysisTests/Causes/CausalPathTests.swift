import Testing
import VarveAnalysis
import VarveFormat
import VarveProbe
import VarveTraceScript

@Suite("Causal graphs and paths")
struct CausalPathTests {
  private let folder = TemporaryFolder()

  /// An event of the main thread.
  private func main(_ sequence: UInt64) -> EventName { EventName(ring: 1, sequence: sequence) }

  private func reader(_ script: TraceScript, blockEvents: Int = 3) throws -> TraceReader {
    let path = folder.file("story.varve")
    try script.write(to: path, blockEvents: blockEvents)
    return try TraceReader(path: path)
  }

  /// A value that comes over a scheduler from another thread, together with one put aside.
  private func hop() throws -> (
    TraceReader, value: EventName, began: EventName, scheduled: EventName, source: EventName
  ) {
    var script = TraceScript()
    let source = script.stream("source")
    let result = script.stream("result", from: [source])
    let queue = script.scheduler("queue")
    let worker = script.thread("worker", ring: 2)
    let sent = script.value(source, "a", at: 1)
    let scheduled = script.record(.hopScheduled, of: queue, at: 2, subscription: 9, back: 1)
    let began = script.record(
      .hopBegan, of: queue, at: 5, ring: worker, subscription: 9, causes: [scheduled])
    let value = script.record(
      .value, of: result, .string("a"), at: 6, ring: worker, back: 1, causes: [sent])
    return (try reader(script), value, began, scheduled, sent)
  }

  @Test("a value that was put aside for a hop leads over the hop, and names its value once")
  func throughHop() throws {
    let (reader, value, began, scheduled, source) = try hop()
    let lookup = EventLookup(reader)
    #expect(Set(lookup[value]?.causes ?? []) == [began, source])
    let graph = try #require(CausalGraph(of: value, in: lookup))
    #expect(graph.causes[value] == [began])
    #expect(graph.causes[began] == [scheduled])
    #expect(graph.causes[scheduled] == [source])
    let path = CausalPath(graph)
    #expect(path.steps.map(\.event.name) == [value, began, source])
    #expect(path.steps[1].scheduled?.name == scheduled)
    #expect(path.steps.allSatisfy { $0.depth == 0 && !$0.joins })
  }

  @Test("what joined in is told before the main line goes on, and shared beginnings once")
  func join() throws {
    var script = TraceScript()
    let source = script.stream("source")
    let left = script.stream("left", from: [source])
    let right = script.stream("right", from: [source])
    let both = script.stream("both", "combineLatest", from: [left, right])
    let first = script.value(source, "1", at: 1)
    let kept = script.value(left, "l", at: 2, back: 1)
    let trigger = script.value(right, "r", at: 3, back: 2)
    let result = script.record(
      .value, of: both, .string("lr"), at: 4, back: 1, causes: [kept])
    let reader = try reader(script)
    let graph = try #require(CausalGraph(of: result, in: EventLookup(reader)))
    let path = CausalPath(graph)
    let expected = [result, kept, first, trigger, first]
    #expect(path.steps.map(\.event.name) == expected)
    #expect(path.steps.map(\.depth) == [0, 1, 1, 0, 0])
    #expect(path.steps.map(\.joins) == [false, true, false, false, false])
    #expect(path.steps.map(\.wasShown) == [false, false, true, false, false])
  }

  @Test("a recursion of a thousand turns is told as its first and its last turn")
  func rounds() throws {
    var script = TraceScript()
    let source = script.stream("source")
    let loop = script.stream("loop")
    let echo = script.stream("echo", from: [loop])
    script.value(source, "go", at: 0)
    for turn in 0..<1_000 {
      script.value(loop, "\(turn)", at: 1 + Double(turn), back: 1)
      script.value(echo, "\(turn)", at: 1.5 + Double(turn), back: 1)
    }
    let reader = try reader(script, blockEvents: 64)
    let graph = try #require(CausalGraph(of: main(2_001), in: EventLookup(reader)))
    #expect(graph.events.count == 2_001)
    let path = CausalPath(graph)
    #expect(path.steps.map(\.event.name) == [2_001, 2_000, 3, 2, 1].map(main))
    let left = try #require(path.steps[1].repeats)
    #expect(left.rounds == 998 && left.steps == 2)
    #expect(left.first == main(4) && left.last == main(1_999))
  }

  @Test("what is too much is cut where it is farthest away, and says so")
  func cut() throws {
    var script = TraceScript()
    let stream = script.stream("s")
    for turn in 0..<100 {
      script.value(stream, "\(turn)", at: Double(turn), back: turn > 0 ? 1 : 0)
    }
    let reader = try reader(script)
    let graph = try #require(CausalGraph(of: main(100), in: EventLookup(reader), most: 10))
    #expect(graph.isCut)
    #expect(Set(graph.events.keys) == Set((91...100).map(main)))
  }

  @Test("a cause that the trace does not hold is named, and a circle is no way")
  func missing() throws {
    var script = TraceScript()
    let stream = script.stream("s")
    script.record(
      .value, of: stream, .integer(1), at: 1,
      causes: [EventName(ring: 77, sequence: 5)])
    // Names the one after it: no recorder writes that.
    script.record(
      .value, of: stream, .integer(2), at: 2, causes: [EventName(ring: 1, sequence: 3)])
    script.value(stream, "3", at: 3, back: 1)
    let reader = try reader(script)
    let lookup = EventLookup(reader)
    let lost = EventName(ring: 77, sequence: 5)
    #expect(lookup[main(1)]?.causes == [lost])
    #expect(CausalGraph(of: main(1), in: lookup)?.missing == [main(1): lost])
    let graph = try #require(CausalGraph(of: main(3), in: lookup))
    #expect(Set(graph.events.keys) == [main(2), main(3)])
    #expect(CausalGraph(of: main(4), in: lookup) == nil)
    #expect(CausalGraph(of: main(0), in: lookup) == nil)
  }
}
