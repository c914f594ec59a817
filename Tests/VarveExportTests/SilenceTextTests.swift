import Testing
import VarveAnalysis
import VarveExport
import VarveFormat
import VarveProbe
import VarveTraceScript

/// What `why-silent` answers, word by word.
@Suite("Text of silences")
struct SilenceTextTests {
  /// A source, an operator, and a named result.
  private func chain(
    _ operation: String, _ traits: StreamTraits
  ) -> (script: TraceScript, source: UInt32, stage: UInt32, result: UInt32) {
    var script = TraceScript()
    let source = script.stream("edits", line: 12)
    let stage = script.stream(
      "edits.\(operation)", operation, from: [source], derived: true, line: 20, traits: traits)
    let result = script.stream("saved", "named(_:)", from: [stage], line: 21, traits: .renames)
    _ = script.subscribe(source, to: stage, at: 0)
    _ = script.subscribe(stage, to: result, at: 0)
    _ = script.subscribe(result, at: 0)
    return (script, source, stage, result)
  }

  private func pass(_ script: inout TraceScript, _ text: String, _ streams: [UInt32], at: Double) {
    for (index, stream) in streams.enumerated() {
      script.value(stream, text, at: at, back: index == 0 ? 0 : 1)
    }
  }

  private func answer(_ script: TraceScript, _ stream: UInt32) throws -> String {
    let reader = try Rendered(script).reader
    let lookup = EventLookup(reader)
    var facts = SilenceFacts(
      try TraceHistory(reader), reader.definitions, lookup: lookup)
    facts.learnFeeds(upstreamOf: stream, lookup)
    let stops = try StreamStops(of: stream, in: facts, reader, lookup: lookup)
    let words = TraceWords(reader, pid: 4711, style: .plain)
    return SilenceText(words, lookup: lookup, command: TraceCommand(["shop.varve"]))
      .text(Silence(of: stream, in: facts), stops)
  }

  @Test("G3: an operator that ended: after how many values, when, and how many came after that")
  func ended() throws {
    var (script, source, stage, result) = chain("take(first: 1)", .endsEarly)
    pass(&script, "a", [source, stage, result], at: 1)
    script.record(.completed, of: stage, at: 2, back: 3)
    script.value(source, "b", at: 3)
    #expect(
      try answer(script, result) == """
        saved delivered 1 value, the last, "a", #1.6 at 1.000000 ms; 1 value came from edits since.

        ▸ Shop.swift:20  take(first: 1) ended after 1 value, #1.7 at 2.000000 ms; 1 value came after that

        next  varve why shop.varve '#1.7'

        """)
  }

  @Test("G3: a value that was dropped at the end, below nothing else")
  func dropped() throws {
    var (script, source, stage, result) = chain("debounce", [.hops, .holds, .replaces])
    pass(&script, "a", [source, stage, result], at: 1)
    let last = script.value(source, "and butter", at: 3)
    let end = script.record(.completed, of: source, at: 4)
    script.record(
      .absorbed, of: stage, .reason(AbsorptionReason.ended.rawValue), at: 4, causes: [end, last])
    script.record(.completed, of: stage, at: 4, back: 2)
    #expect(
      try answer(script, result).contains(
        """
        ▸ Shop.swift:20  debounce dropped "and butter" when it ended, #1.9 at 4.000000 ms
        """))
  }

  @Test("G3: values taken for repeated that differ: in what they differ")
  func confused() throws {
    var (script, source, stage, result) = chain("skipRepeats(_:)", .swallows)
    pass(&script, "Profile(name: Ines, photo: old.jpg)", [source, stage, result], at: 1)
    script.value(source, "Profile(name: Ines, photo: new.jpg)", at: 3)
    script.record(.absorbed, of: stage, .reason(2), at: 3, back: 1)
    #expect(
      try answer(script, result).contains(
        """
        ▸ Shop.swift:20  skipRepeats(_:) took 1 of 2 values for repeated, but #1.7 has photo: new.jpg, \
        and #1.5 before it had photo: old.jpg
        """))
  }

  @Test("G3: a stream that delivered nothing at all: the reason, the place, and the way there")
  func silent() throws {
    var (script, source, stage, result) = chain("filter(_:)", .swallows)
    script.value(source, "a", at: 3)
    script.record(.absorbed, of: stage, .reason(1), at: 3, back: 1)
    #expect(
      try answer(script, result) == """
        saved delivered nothing, because edits.filter(_:) (Shop.swift:20) swallowed 1 value: filtered out.

        ▸ Shop.swift:20  filter(_:) refused the only value: #1.4 "a"

          saved           got nothing  Shop.swift:21
            ….filter(_:)  swallowed 1 value: filtered out  Shop.swift:20

        next  varve why shop.varve '#1.5'

        """)
  }

  @Test("G3: a stream on whose way nothing was held back says what to look at")
  func nothing() throws {
    var (script, source, stage, result) = chain("map(_:)", [])
    pass(&script, "a", [source, stage, result], at: 1)
    let text = try answer(script, result)
    #expect(text.contains("; nothing came upstream since."))
    #expect(text.contains("Nothing was held back on the way"))
    #expect(!text.contains("▸"))
  }
}
