import Testing
import VarveAnalysis
import VarveFormat
import VarveProbe
import VarveTraceScript

/// Where tasks waited, and for how long.
@Suite("Times of waits")
struct AwaitTimesTests {
  /// A task that waits three times at one place and once at another, and has not ended.
  private var search: TaskScript {
    var script = TaskScript()
    script.create(1, at: 0)
    var time = 1.0
    for (wait, stack) in [(10.0, UInt32(7)), (30, 7), (20, 7), (25, 8)] {
      script.begin(1, at: time)
      script.end(1, .continuation, at: time + 1, stack: stack)
      script.schedule(1, at: time + 1 + wait, ring: 2)
      time += 1 + wait
    }
    script.begin(1, at: time)
    script.end(1, .group, at: time + 1, stack: 7)
    return script
  }

  @Test("K2: waits that have ended are added up by where they were, the longest first")
  func added() throws {
    let places = try search.with { try AwaitTimes(in: $0, Selection()).places }
    #expect(places.map(\.stack) == [7, 8])
    #expect(places.map(\.times) == [3, 1])
    #expect(places.map(\.nanoseconds) == [60_000_000, 25_000_000])
    #expect(places.map(\.longest) == [30_000_000, 25_000_000])
    // The task went on with its third run, after the longest wait.
    #expect(places.first?.event == "1.7")
  }

  @Test("K2: a part of the time has its waits alone, and a program without tasks none")
  func parts() throws {
    var selection = Selection()
    selection.until = .event("1.5")
    let places = try search.with { try AwaitTimes(in: $0, selection).places }
    #expect(places.map(\.times) == [1])
    var script = TraceScript()
    script.value(script.stream("values"), "1", at: 1)
    let folder = TemporaryFolder()
    try script.write(to: folder.file("streams.varve"))
    let reader = try TraceReader(path: folder.file("streams.varve"))
    #expect(try AwaitTimes(in: reader, Selection()).places.isEmpty)
  }
}
