import Testing
import VarveAnalysis
import VarveExport
import VarveFormat
import VarveProbe
import VarveTraceScript

/// What makes a program slow that no scheduler knows of.
@Suite("Pauses in latency")
struct LatencyPauseTests {
  /// Tiles that are asked for one by one, or all at once, each of which takes so many milliseconds.
  private func slide(
    _ each: Double, _ traits: StreamTraits, isJSON: Bool = false
  ) throws -> String {
    var script = TraceScript()
    let wanted = script.stream("wanted", "producer", line: 1, traits: [])
    let tiles = script.stream("tiles", "flatMap", from: [wanted], line: 2, traits: traits)
    let pixels = script.stream("pixels", "producer", line: 3, traits: [])
    _ = script.subscribe(wanted, to: tiles, at: 0)
    for _ in 0..<4 { script.value(wanted, "tile", at: 1) }
    for turn in 0..<4 { _ = script.subscribe(pixels, to: tiles, at: 1 + Double(turn) * each) }
    let reader = try Rendered(script).reader
    let words = TraceWords(reader, pid: 4711, style: .plain)
    let pauses = try StreamPauses(in: reader, Selection()).all
    let answer = LatencyText(words, lookup: EventLookup(reader), pauses: pauses)
    return isJSON ? LatencyJSON(words, answer).text([]) : answer.text([])
  }

  @Test("G3: a flattening that lets values wait for long is marked, also without a scheduler")
  func turns() throws {
    let text = try slide(40, [.makesStreams, .holds])
    #expect(text.hasPrefix("▸ Shop.swift:2\n"), "\(text)")
    #expect(
      text.contains("up to 4 values, and the last of them, until #1.9, for 120 ms"), "\(text)")
    #expect(try !slide(10, [.makesStreams, .holds]).contains("▸"))
    #expect(try !slide(40, [.makesStreams, .runsSideBySide]).contains("▸"))
  }

  @Test("F4: the objects have the pauses and the marked place of the text")
  func objects() throws {
    let lines = try slide(40, [.makesStreams, .holds], isJSON: true).split(separator: "\n")
    let pause =
      "{\"subject\":\"pause\",\"stream\":2,\"name\":\"tiles\",\"place\":\"Shop.swift:2\","
      + "\"reason\":\"turn\",\"waited_ns\":120000000,\"count\":4,\"event\":\"1.9\"}"
    try #require(lines.count == 2, "\(lines)")
    #expect(lines[0] == pause)
    #expect(
      lines[1].hasPrefix("{\"subject\":\"marked\",\"marked\":\"Shop.swift:2\",\"evidence\":"))
    // What lets nothing wait for long is listed, and not marked.
    #expect(try !slide(10, [.makesStreams, .holds], isJSON: true).contains("\"marked\""))
  }
}
