import Testing
import VarveAnalysis
import VarveFormat
import VarveProbe
import VarveTraceScript

/// Traces that say what no program does, with right checksums.
@Suite("Traces that lie")
struct HostileTraceTests {
  private let folder = TemporaryFolder()

  private func trace(_ definitions: [TraceDefinition], losses: [TraceLoss] = []) throws
    -> TraceReader
  {
    let path = folder.file("hostile.varve")
    let process = ProcessDescription(program: "p", arguments: [], pid: 1, host: "h", started: 1)
    let header = TraceHeader(
      id: TraceID(low: 1, high: 2), process: process, clock: .monotonic,
      anchor: ClockAnchor(ticks: 0, monotonic: 0))
    let writer = try TraceWriter(creating: path, header: header)
    try writer.append(definitions: definitions)
    try writer.append(losses: losses)
    try writer.finish(ending: .clean)
    return try TraceReader(path: path)
  }

  @Test("F2: streams that lead to themselves do not keep anybody busy for ever")
  func circle() throws {
    let circle = [(1, 2), (2, 3), (3, 1)].map { id, parent in
      TraceDefinition.stream(
        StreamDefinition(
          id: UInt32(id), name: "p", derivation: "p", operation: "producer",
          parents: [UInt32(parent)], place: nil, valueType: "Int", born: 0))
    }
    let reader = try trace(circle)
    let facts = SilenceFacts(
      try TraceLedger(reader), reader.definitions, lookup: EventLookup(reader))
    #expect(!Silence(of: 1, in: facts).steps.isEmpty)
  }

  @Test("F2: an observation that ends in the name of another stream stops nobody")
  func strangersEnd() throws {
    var script = TraceScript()
    let (busy, silent) = (script.stream("busy"), script.stream("silent"))
    script.value(busy, "one", at: 1)
    let edge = script.subscribe(busy, to: silent, at: 2)
    script.end(edge, of: silent, .completed, at: 3)
    let path = folder.file("ends.varve")
    try script.write(to: path)
    let edges = try TraceLedger(try TraceReader(path: path)).edges
    #expect(edges.open.isEmpty && edges.delivered(from: busy, to: silent, of: 1) == 0)
  }

  @Test("F2: more losses than can be counted stop nobody")
  func losses() throws {
    let reader = try trace(
      [],
      losses: [
        TraceLoss(ring: 1, count: .max, ticks: 1...2),
        TraceLoss(ring: 1, count: .max, ticks: 3...4),
      ])
    let findings = Findings(try TraceLedger(reader), reader, lookup: EventLookup(reader))
    #expect(findings.all.map(\.kind) == [.loss])
  }
}
