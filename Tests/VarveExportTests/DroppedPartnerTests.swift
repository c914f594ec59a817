import Foundation
import Testing
import VarveAnalysis
import VarveFormat
import VarveProbe
import VarveTraceScript

@testable import VarveExport

/// Observations that end at once, because of what they were handed.
@Suite("Ends by what nothing keeps")
struct DroppedPartnerTests {
  private let folder = TemporaryFolder()

  /// What is said of a stream that an operator in line 3 ended before any value.
  private func told(_ made: String, _ traits: StreamTraits) throws -> String {
    let path = folder.file("Panel.swift")
    try "func watch() {\n\(made)\nsensor.take(during: shown)\n}\n"
      .write(toFile: path, atomically: true, encoding: .utf8)
    var script = TraceScript()
    script.module(1, "/src/app", 0x8000..<0x9000)
    script.code(0x8010, "watch()", line: 3, of: path)
    script.stack(5, [0x8010])
    let sensor = script.stream("sensor", line: 9)
    let shown = script.stream(
      "shown", "take(during:)", from: [sensor], traits: traits, stack: 5)
    _ = script.subscribe(shown, at: 1)
    script.record(.completed, of: shown, at: 1)
    for time in 2...4 { script.value(sensor, "\(time)", at: Double(time)) }
    let trace = folder.file("panel.varve")
    try script.write(to: trace)
    let reader = try TraceReader(path: trace)
    let lookup = EventLookup(reader)
    let facts = SilenceFacts(try TraceHistory(reader), reader.definitions, lookup: lookup)
    let stops = try StreamStops(of: shown, in: facts, reader, Selection(), lookup: lookup)
    let words = TraceWords(
      reader, pid: 1, style: .plain, symbols: Symbolizer(reader.definitions, looksUp: false))
    return SilenceText(words, lookup: lookup, command: TraceCommand([trace]))
      .text(Silence(of: shown, in: facts), stops)
  }

  @Test("G3: what ends an observation at once is marked where it was made with something not kept")
  func dropped() throws {
    let pair = "let (shown, _) = Lifetime.make()"
    #expect(try told(pair, .endsEarly).contains("▸ Panel.swift:2"))
    #expect(
      try told("let (shown, token) = Lifetime.make()", .endsEarly).contains("▸ Panel.swift:3"))
    #expect(try !told(pair, []).contains("Panel.swift:2"))
  }
}
