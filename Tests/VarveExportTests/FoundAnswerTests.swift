import Testing
import VarveExport
import VarveFormat
import VarveProbe
import VarveTraceScript

@testable import VarveAnalysis

/// Answers to one question that mark what was found in the whole trace.
@Suite("Answers that mark what was found")
struct FoundAnswerTests {
  private let finding: Finding
  private let rendered: Rendered
  private let result: UInt32

  init() throws {
    var script = TraceScript()
    let source = script.stream("edits", line: 12)
    let stage = script.stream(
      "edits.take", "take(first: 1)", from: [source], derived: true, line: 20, traits: .endsEarly)
    result = script.stream("saved", "named(_:)", from: [stage], line: 21, traits: .renames)
    _ = script.subscribe(source, to: stage, at: 0)
    _ = script.subscribe(stage, to: result, at: 0)
    _ = script.subscribe(result, at: 0)
    script.value(source, "a", at: 1)
    script.value(stage, "a", at: 1, back: 1)
    let last = script.value(result, "a", at: 1, back: 1)
    script.record(.completed, of: stage, at: 2, back: 3)
    script.value(source, "b", at: 3)
    finding = Finding(
      .leak, weight: 80, place: .stream(source), "edits is to blame", stream: source,
      evidence: [last])
    rendered = try Rendered(script)
  }

  private var words: TraceWords { TraceWords(rendered.reader, pid: 4711, style: .plain) }

  private func silence(
    _ found: Finding?, _ write: (SilenceFacts, StreamStops, EventLookup) -> String
  ) throws -> String {
    let lookup = EventLookup(rendered.reader)
    var facts = SilenceFacts(
      try TraceHistory(rendered.reader), rendered.reader.definitions, lookup: lookup)
    facts.learnFeeds(upstreamOf: result, lookup)
    let stops = try StreamStops(of: result, in: facts, rendered.reader, lookup: lookup)
    return write(facts, stops, lookup)
  }

  @Test("G3: a finding stands before the places at which values stopped, and has the only mark")
  func silence() throws {
    let text = try silence(finding) { facts, stops, lookup in
      SilenceText(words, lookup: lookup, command: TraceCommand(["shop.varve"]))
        .text(Silence(of: result, in: facts), stops, finding)
    }
    #expect(text.contains("▸ Shop.swift:12  edits is to blame\n  Shop.swift:20  take ended"))
    #expect(text.split(separator: "▸").count == 2)
  }

  @Test("G3: NDJSON has the finding with its kind and sentence, marked, and no other mark")
  func json() throws {
    let text = try silence(finding) { facts, stops, lookup in
      SilenceJSON(words).text(Silence(of: result, in: facts), stops, finding, lookup: lookup)
    }
    let lines = text.split(separator: "\n").filter { $0.contains(#""marked":true"#) }
    #expect(lines.count == 1)
    #expect(lines.first?.contains(#""finding":"leak","text":"edits is to blame""#) == true)
  }

  @Test("G1: open observations and waiting work mark what was found of them")
  func tables() {
    let lookup = EventLookup(rendered.reader)
    let open = OpenText(words, lookup: lookup, end: 0).text([], found: finding)
    #expect(open.hasPrefix("▸ Shop.swift:12\n  edits is to blame\n"))
    let latency = LatencyText(words, lookup: lookup, finding: finding).text([])
    #expect(latency.hasPrefix("▸ Shop.swift:12\n  edits is to blame\n"))
  }
}
