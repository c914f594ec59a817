import Testing
import VarveFormat
import VarveProbe
import VarveTraceScript

@testable import VarveAnalysis

/// A value that was sent to more and more observers which the same code attached.
@Suite("Observers that pile up")
struct PiledObserverTests {
  /// What is told of a value sent to a stream that code at stack 9 has begun to observe at the times, and
  /// ended as many of the observations.
  private func told(_ times: [Double], ended: Int = 0) throws -> FindingPlace? {
    let folder = TemporaryFolder()
    var script = TraceScript()
    let calls = script.stream("calls", line: 1)
    for (index, time) in times.enumerated() {
      let near = script.stream("near", "filter(_:)", from: [calls], line: 2)
      _ = script.subscribe(calls, to: near, at: time)
      let edge = script.subscribe(near, at: time, by: 9)
      if index < ended { script.end(edge, of: near, .disposed, at: time + 0.5) }
    }
    let sent = script.value(calls, "204", at: 90)
    script.record(.sent, of: calls, .cause(HopPayload(stack: 8, parent: 0)), at: 90, back: 1)
    let path = folder.file("piled.varve")
    try script.write(to: path)
    let reader = try TraceReader(path: path)
    let lookup = EventLookup(reader)
    let facts = SilenceFacts(try TraceHistory(reader), reader.definitions, lookup: lookup)
    let graph = try #require(CausalGraph(of: sent, in: lookup))
    let way = CausalPath(graph)
    let found = try Decisions(way, graph, in: facts, reader, lookup: lookup)
    guard case .finding(let finding) = TellingStep(found, [], way, []).choice else {
      return nil
    }
    return finding.place
  }

  @Test(
    "G4: of a value that was sent, the code is told whose observers it reaches more and more of")
  func piled() throws {
    #expect(try told([1, 20, 40, 60]) == .stack(9))
    // Those of a list are attached in one go, and those of a page that was left are gone.
    #expect(try told([1, 1, 1, 1]) == nil)
    #expect(try told([1, 20, 40, 60], ended: 3) == nil)
    #expect(try told([1, 20]) == nil)
  }
}
