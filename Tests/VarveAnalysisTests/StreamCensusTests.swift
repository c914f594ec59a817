import Testing
import VarveAnalysis
import VarveFormat
import VarveProbe
import VarveTraceScript

@Suite("What streams did")
struct StreamCensusTests {
  private func census(_ selection: Selection = Selection()) throws -> StreamCensus {
    let folder = TemporaryFolder()
    try SearchTrace().script.write(to: folder.file("search.varve"), blockEvents: 5)
    return try StreamCensus(selection, in: TraceReader(path: folder.file("search.varve")))
  }

  @Test("events are counted by kind, subscriptions by whether they have ended")
  func counts() throws {
    let streams = try census().streams
    #expect(streams.map(\.definition.name).contains("keystrokes.debounce(300 ms)"))
    let search = try #require(streams.first { $0.definition.name == "search" })
    #expect(search.values == 2)
    #expect(search.failed == 1)
    #expect(search.completed == 2)
    #expect(search.interrupted == 1)
    #expect(search.subscriptions == 4)
    #expect(search.open == 0)
    #expect(search.lastTick == TraceScript.ticks(8_400.1))
    let keystrokes = try #require(streams.first { $0.definition.name == "keystrokes" })
    #expect(keystrokes.values == 9)
    #expect(keystrokes.open == 1)
    #expect(keystrokes.firstTick == TraceScript.ticks(100))
  }

  @Test("what feeds what beyond the definitions is found")
  func feeds() throws {
    let search = SearchTrace()
    let folder = TemporaryFolder()
    try search.script.write(to: folder.file("search.varve"), blockEvents: 5)
    let feeds = try StreamFeeds(innerIn: TraceReader(path: folder.file("search.varve"))).edges
    #expect(feeds == [StreamEdge(from: search.search, to: search.results)])
  }

  @Test("a selection counts what it selects, and names what delivered nothing of it")
  func selected() throws {
    var selection = Selection()
    selection.names = [try NamePattern("*s")]
    selection.since = .sinceStart(8_500_000_000)
    let streams = try census(selection).streams
    #expect(streams.map(\.definition.name) == ["keystrokes", "queries", "progress", "results"])
    #expect(streams.map(\.completed) == [1, 1, 0, 1])
    #expect(streams.map(\.values) == [0, 0, 0, 0])
  }

  @Test("a stream that the trace does not define is counted under its number")
  func undefined() throws {
    var script = TraceScript()
    script.record(.value, of: 77, .unit, at: 1)
    let folder = TemporaryFolder()
    try script.write(to: folder.file("strange.varve"))
    let census = try StreamCensus(
      Selection(), in: TraceReader(path: folder.file("strange.varve")))
    #expect(census.streams.map(\.definition.name) == ["stream 77"])
    #expect(census.streams.map(\.values) == [1])
  }

  @Test("F2: of streams that the trace does not define, so many are told one by one")
  func manyUndefined() throws {
    var script = TraceScript()
    for stream in 1...UInt32(70_000) {
      script.record(.value, of: stream, .unit, at: Double(stream))
    }
    script.record(.value, of: 1, .unit, at: 80_000)
    let folder = TemporaryFolder()
    try script.write(to: folder.file("strange.varve"))
    let census = try StreamCensus(
      Selection(), in: TraceReader(path: folder.file("strange.varve")))
    #expect(census.streams.count == 65_536)
    #expect(census.streams.first?.values == 2)
    #expect(census.leftOut == 70_000 - 65_536)
  }
}
