import Testing
import VarveAnalysis
import VarveFormat
import VarveProbe
import VarveTraceScript

/// Values that stand for an answer until it comes.
@Suite("Placeholders")
struct PlaceholderTests {
  private let folder = TemporaryFolder()

  /// Two requests, each of which is answered, below a value that stands for the answers: sent before
  /// all of them, or, if not `isSentOnce`, before each. It may be what a property begins with.
  private func answered(isSentOnce: Bool, isLate: Bool, isState: Bool = false) throws -> [Decision]
  {
    var script = TraceScript()
    let requests = script.stream("requests", line: 1)
    let answers = script.stream("answers", "flatMap(.latest)", from: [requests], line: 2)
    let shown = script.stream("shown", "prefix(value:)", from: [answers], line: 3, traits: [])
    if isState {
      _ = script.stream("state", "producer", from: [shown], traits: [.standsIn, .replays])
    }
    let inner = script.stream("inner", "producer", line: 4, traits: [])
    let queue = script.scheduler("queue")
    let placeholder = script.stream("value", "producer", derived: true, line: 3, traits: [])
    _ = script.subscribe(placeholder, to: shown, at: 0)
    script.value(placeholder, "…", at: 0, subscription: 8)
    var last = script.value(shown, "…", at: 0, subscription: 7, back: 1)
    let first = last
    for run in 1...2 {
      let time = Double(run) * 10
      let request = script.value(requests, "\(run)", at: time)
      if isLate {
        let hop = UInt64(run)
        let scheduled = script.record(
          .hopScheduled, of: queue, at: time, subscription: hop, back: 1)
        script.record(.hopBegan, of: queue, at: time + 5, subscription: hop, causes: [scheduled])
      }
      let moment = isLate ? time + 5 : time
      if !isSentOnce {
        script.value(placeholder, "…", at: moment, subscription: 8)
        script.value(shown, "…", at: moment, subscription: 7, back: 1)
      }
      script.record(
        .value, of: inner, .string("answer"), at: moment, back: isSentOnce ? 1 : isLate ? 3 : 0,
        causes: isSentOnce || isLate ? [] : [request])
      script.value(answers, "answer", at: moment, back: 1)
      last = script.value(shown, "answer", at: moment, subscription: 9, back: 1)
    }
    #expect(first == "1.3")
    let path = folder.file("placeholder.varve")
    try script.write(to: path)
    let reader = try TraceReader(path: path)
    let lookup = EventLookup(reader)
    let facts = SilenceFacts(try TraceHistory(reader), reader.definitions, lookup: lookup)
    let graph = try #require(CausalGraph(of: last, in: lookup))
    return try Decisions(CausalPath(graph), graph, in: facts, reader, lookup: lookup).all
  }

  @Test("G4: a placeholder sent once, before the answers of all inner streams, is told")
  func sentOnce() throws {
    let first = try #require(try answered(isSentOnce: true, isLate: true).first)
    #expect(first.kind == .standsInOnce("1.3", of: 2) && first.stream == 3)
  }

  @Test("G4: what a property begins with is no placeholder")
  func state() throws {
    let found = try answered(isSentOnce: true, isLate: true, isState: true)
    #expect(found.first?.kind == .run(2, of: 2))
  }

  @Test(
    "G4: a placeholder before each answer, or before answers that come at once, is not told",
    arguments: [(false, true), (true, false), (false, false)])
  func harmless(isSentOnce: Bool, isLate: Bool) throws {
    let found = try answered(isSentOnce: isSentOnce, isLate: isLate)
    #expect(found.contains { $0.kind == .run(2, of: 2) })
    #expect(!found.contains { $0.kind == .standsInOnce("1.3", of: 2) })
  }
}
