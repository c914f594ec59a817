import Testing
import VarveAnalysis
import VarveFormat
import VarveProbe
import VarveTraceScript

/// Steps at which an operator did what it is made for, and not what the program meant.
@Suite("Misused operators")
struct MisusedOperatorTests {
  private let folder = TemporaryFolder()

  private func decisions(_ script: TraceScript, to event: EventName) throws -> Decisions {
    let path = folder.file("decisions.varve")
    try script.write(to: path)
    let reader = try TraceReader(path: path)
    let lookup = EventLookup(reader)
    let facts = SilenceFacts(try TraceHistory(reader), reader.definitions, lookup: lookup)
    let graph = try #require(CausalGraph(of: event, in: lookup))
    return try Decisions(
      CausalPath(graph), graph, in: facts, reader, lookup: lookup,
      symbols: Symbolizer(reader.definitions))
  }

  @Test("G4: a sum of sums is told where it is; of single values, or over a hop, it is not")
  func gatheredTwice() throws {
    for (isGathered, hops) in [(true, false), (false, false), (true, true)] {
      var script = TraceScript()
      let weights = script.stream("weights", "pipe", line: 1, traits: .hot)
      let list = script.stream(
        "list", "scan(into:_:)", from: [weights], line: 2, traits: isGathered ? .gathers : [])
      let load = script.stream("load", "scan(_:_:)", from: [list], line: 3, traits: .gathers)
      let queue = script.scheduler("queue")
      script.value(weights, "420", at: 1)
      let sum = script.value(list, "[420]", at: 1, back: 1)
      if hops {
        let given = script.record(.hopScheduled, of: queue, at: 1, subscription: 1, back: 1)
        script.record(.hopBegan, of: queue, at: 2, subscription: 1, causes: [given])
      }
      let value = script.value(load, "420", at: 2, back: 1)
      let found = try decisions(script, to: value).all
      #expect(
        found.contains { $0.kind == .gatheredTwice(sum) && $0.stream == load }
          == (isGathered && !hops), "\(isGathered), \(hops)")
    }
  }

  @Test("G4: runs that one line begins side by side are told there; those of two lines are not")
  func sideBySide() throws {
    for isOneLine in [true, false] {
      var script = TraceScript()
      script.code(0x1000, "Bed.rename(to:)", line: 27)
      script.code(0x1010, "Bed.reset()", line: 31)
      script.code(0x2000, "main", line: 40)
      script.code(0x2010, "main", line: 41)
      script.stack(7, [0x1000, 0x2000])
      script.stack(8, [isOneLine ? 0x1000 : 0x1010, 0x2010])
      let label = script.stream("label", "property", line: 1)
      let queue = script.scheduler("cloud")
      let runs = [90, 15].map {
        script.stream("delay(\($0)ms)", "delay(_:on:)", traits: [.hops, .holds])
      }
      var given: [EventName] = []
      for (index, run) in runs.enumerated() {
        _ = script.subscribe(run, to: label, at: Double(index), by: UInt32(7 + index))
        given.append(
          script.record(
            .hopScheduled, of: queue, at: Double(index), subscription: UInt64(index + 50)))
      }
      var last: EventName?
      var newer: EventName?
      for index in [1, 0] {
        let time = Double(10 - index)
        script.record(
          .hopBegan, of: queue, at: time, subscription: UInt64(index + 50), causes: [given[index]])
        script.value(runs[index], "\(index)", at: time, back: 1)
        newer = last
        last = script.value(label, "\(index)", at: time, back: 1)
      }
      let found = try decisions(script, to: try #require(last)).all
      let other = try #require(newer)
      #expect((found.first?.kind == .sideBySide(other)) == isOneLine, "\(found)")
      #expect(found.contains { $0.kind == .overtaken(by: other) })
    }
  }

  @Test("G4: who begins work elsewhere is told what came on another thread, if a hop lies above")
  func startedElsewhere() throws {
    for hops in [true, false] {
      var script = TraceScript()
      let readings = script.stream("readings", "interval", line: 1, traits: [.hops])
      let started = script.stream(
        "readings.start(on:)", "start(on:)", from: [readings], line: 2, traits: .startsElsewhere)
      let bus = script.scheduler("bus")
      if hops {
        let given = script.record(.hopScheduled, of: bus, at: 1, subscription: 1)
        script.record(.hopBegan, of: bus, at: 2, subscription: 1, causes: [given])
      }
      script.value(readings, "61", at: 2, back: hops ? 1 : 0)
      let value = script.value(started, "61", at: 2, back: 1)
      let telling = TellingStep(lastHopIn: try decisions(script, to: value))
      guard case .decision(let decision) = telling.choice else {
        Issue.record("there is nothing to tell")
        return
      }
      if case .startedElsewhere = decision.kind {
        #expect(hops && decision.stream == started)
      } else {
        #expect(!hops && decision.kind == .sent)
      }
    }
  }
}
