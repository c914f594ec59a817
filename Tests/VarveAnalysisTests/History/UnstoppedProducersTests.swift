import Foundation
import Testing
import VarveAnalysis
import VarveFormat
import VarveProbe
import VarveTraceScript

@Suite("Producers that do not stop")
struct UnstoppedProducersTests {
  /// A producer for each of four visits, that sends five values and is then stopped. A callback of its
  /// start handler sends, or the handler itself, on a stack below that of its start.
  private func unstopped(
    _ head: String = "observer, _ in", _ rest: String = "", stops: RecordKind = .interrupted,
    visits: Int = 4, values: Int = 5, fromHandler: Bool = false
  ) throws -> [UnstoppedProducers.Producer] {
    let folder = TemporaryFolder()
    let source = folder.file("Shop.swift")
    try """
    var field: SignalProducer<Int, Never> {
      SignalProducer { \(head)
        self.start { observer.send(value: $0) }
        \(rest)
      }
    }
    """.write(toFile: source, atomically: true, encoding: .utf8)
    var script = TraceScript()
    script.code(0x1000, "closure #1 in closure #1 in field.getter", line: 3, of: source)
    script.code(0x2000, "closure #1 in field.getter", line: 4, of: source)
    script.stack(1, fromHandler ? [0x1000, 0x2000] : [0x1000])
    for visit in 0..<visits {
      let field = script.stream(
        "producer@Shop.swift:2", "producer", derived: true, line: 2, traits: .hasEffects)
      let edge = script.subscribe(field, at: Double(visit * 10))
      for value in 1...values {
        let sent = script.value(field, "\(value)", at: Double(visit * 10 + value))
        script.record(
          .sent, of: field, .cause(HopPayload(stack: 1, parent: 0)),
          at: Double(visit * 10 + value), causes: [sent])
      }
      script.record(stops, of: field, at: Double(visit * 10 + 6))
      script.end(edge, of: field, .interrupted, at: Double(visit * 10 + 6))
    }
    let path = folder.file("unstopped.varve")
    try script.write(to: path)
    let reader = try TraceReader(path: path)
    return try UnstoppedProducers(
      reader, lookup: EventLookup(reader), symbols: Symbolizer(reader.definitions)
    ).all
  }

  @Test("G1: a start handler that does not ask when it is to stop is told, where something goes on")
  func ignored() throws {
    for head in ["observer, _ in", "observer, lifetime in", "[self] observer, _ in"] {
      let found = try unstopped(head)
      #expect(found.map(\.stopped) == [4])
      #expect(found.first?.place == Place(file: "Shop/Shop.swift", line: 3))
    }
  }

  @Test("G1: one that asks, ends by itself, stops seldom, or sends once or at once, is not told")
  func asked() throws {
    #expect(try unstopped("observer, lifetime in", "lifetime.observeEnded { }").isEmpty)
    #expect(try unstopped("observer, lifetime in", "lifetime += stop()").isEmpty)
    #expect(try unstopped(stops: .completed).isEmpty)
    #expect(try unstopped(visits: 2).isEmpty)
    #expect(try unstopped(values: 1).isEmpty)
    #expect(try unstopped(fromHandler: true).isEmpty)
  }
}
