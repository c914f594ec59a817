import Testing
import VarveFormat
import VarveProbe
import VarveTraceScript

@testable import VarveAnalysis

/// Operators that took different values for the same, or the same for different ones.
@Suite("Compared values")
struct ComparedValueTests {
  private let folder = TemporaryFolder()

  private func decisions(_ script: TraceScript, to event: EventName) throws -> [Decision] {
    let path = folder.file("decisions.varve")
    try script.write(to: path)
    let reader = try TraceReader(path: path)
    let lookup = EventLookup(reader)
    let facts = SilenceFacts(try TraceHistory(reader), reader.definitions, lookup: lookup)
    let graph = try #require(CausalGraph(of: event, in: lookup))
    return try Decisions(CausalPath(graph), graph, in: facts, reader, lookup: lookup).all
  }

  /// How many bytes are written, and what an operator makes of it.
  private func progress(
    _ values: Int, _ result: (Int) -> ScriptedPayload
  ) throws -> (first: Decision?, stream: UInt32) {
    var script = TraceScript()
    let written = script.stream("written", "producer", line: 1, traits: [])
    let percent = script.stream("percent", "map(_:)", from: [written], line: 2, traits: [])
    var last = EventName(ring: 1, sequence: 1)
    for value in 1...values {
      script.record(.value, of: written, .integer(Int64(value)), at: Double(value))
      last = script.record(.value, of: percent, result(value), at: Double(value), back: 1)
    }
    return (try decisions(script, to: last).first, percent)
  }

  @Test("G4: an operator that makes the same number of nearly all numbers is told")
  func levelled() throws {
    let (first, stream) = try progress(8) { .integer($0 < 8 ? 0 : 100) }
    #expect(first?.kind == .levelled(7, of: 8))
    #expect(first?.stream == stream)
    // Few values, different results, and truth values say nothing.
    for other in [
      try progress(5) { _ in .integer(0) }, try progress(8) { .integer(Int64($0 * 2)) },
      try progress(8) { _ in .boolean(true) },
    ] { #expect(other.first?.kind.isLevelled != true) }
  }

  /// Temperatures that are compared before, or after, they are rounded.
  private func spoken(comparesFirst: Bool, _ values: [Double]) throws -> [Decision] {
    var script = TraceScript()
    let measured = script.stream("measured", line: 1)
    let first = script.stream(
      "first", "stage", from: [measured], line: 2, absorbs: comparesFirst ? .repeated : nil)
    let rounded = script.stream(
      "rounded", "stage", from: [first], line: 3, absorbs: comparesFirst ? nil : .repeated)
    var last = EventName(ring: 1, sequence: 1)
    for (index, value) in values.enumerated() {
      let time = Double(index)
      script.record(.value, of: measured, .real(value), at: time)
      script.record(.value, of: first, .real(value), at: time, back: 1)
      last = script.record(.value, of: rounded, .integer(Int64(value)), at: time, back: 1)
    }
    return try decisions(script, to: last)
  }

  @Test("G4: what compares values before they are made the same is told")
  func comparedAbove() throws {
    let found = try spoken(comparesFirst: true, [26.1, 26.2])
    #expect(found.first?.kind == .distinctAbove("1.2"))
    #expect(found.first?.stream == 2)
    for found in [
      try spoken(comparesFirst: true, [26.1, 27.2]),
      try spoken(comparesFirst: false, [26.1, 26.2]),
    ] {
      #expect(!found.contains { $0.kind == .distinctAbove("1.2") })
    }
  }

  /// A call that reaches a merge by two ways, of which the second may have a condition.
  private func announced(hasFilter: Bool, isOneCall: Bool = true) throws -> [Decision] {
    var script = TraceScript()
    let calls = script.stream("calls", line: 1)
    let urgent = script.stream("urgent", "filter(_:)", from: [calls], line: 2, absorbs: .filtered)
    let others = script.stream(
      "others", "stage", from: [calls], line: 3, absorbs: hasFilter ? .filtered : nil)
    let all = script.stream("all", "merge", from: [urgent, others], line: 4, traits: .joins)
    script.value(calls, "fire", at: 1)
    script.value(urgent, "fire", at: 1, back: 1)
    script.value(all, "fire", at: 1, back: 1)
    if !isOneCall { script.value(calls, "fire", at: 2) }
    script.value(others, "fire", at: 2, back: isOneCall ? 3 : 1)
    let last = script.value(all, "fire", at: 2, back: 1)
    return try decisions(script, to: last)
  }

  @Test("G4: a condition that lets pass what came by the other way is told")
  func passedTwice() throws {
    let found = try announced(hasFilter: true)
    #expect(found.first?.kind == .passedTwice("1.3"))
    #expect(found.first?.stream == 3)
    for found in [
      try announced(hasFilter: false), try announced(hasFilter: true, isOneCall: false),
    ] {
      #expect(!found.contains { $0.kind == .passedTwice("1.3") })
    }
  }

  @Test("G4: an operator whose next input waits for the end of the one before it is told")
  func waitsForEnd() throws {
    for (hasEnded, hasBegun) in [(false, false), (true, false), (false, true)] {
      var script = TraceScript()
      let saved = script.stream("saved", "producer", line: 1, traits: [])
      let loaded = script.stream("loaded", "producer", line: 2, traits: [])
      let report = script.stream("report", "concat", from: [saved, loaded], line: 3, traits: [])
      _ = script.subscribe(report, at: 0)
      _ = script.subscribe(saved, to: report, at: 0)
      if hasBegun { _ = script.subscribe(loaded, to: report, at: 0) }
      script.value(saved, "85 cm", at: 1)
      let last = script.value(report, "85 cm", at: 1, back: 1)
      if hasEnded { script.record(.completed, of: saved, at: 2) }
      let found = try decisions(script, to: last)
      let isTold = found.contains { $0.kind == .waitsForEnd(next: loaded) && $0.stream == report }
      #expect(isTold == (!hasEnded && !hasBegun), "\(hasEnded), \(hasBegun)")
    }
  }
}

extension Decision.Kind {
  fileprivate var isLevelled: Bool {
    if case .levelled = self { true } else { false }
  }
}
