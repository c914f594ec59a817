import Testing
import VarveAnalysis
import VarveFormat
import VarveProbe
import VarveTraceScript

@Suite("Runs given up for the next")
struct GivenUpRunsTests {
  /// Requests that a flattening answers with the newest one's stream only.
  private struct Requests {
    var traits: StreamTraits = .hot
    /// The milliseconds between two requests.
    var pause = 50.0
    var isGathered = false
    var areEqual = false
    /// Whether each has its answer before the next comes.
    var isQuick = false
    /// Whether every other one is answered by an end alone, as one that calls off the one before.
    var areCalledOff = false
    /// Whether each is sent by a piece of work of its own.
    var areTicks = false

    func script() -> TraceScript {
      var script = TraceScript()
      let source = script.stream("requests", traits: traits)
      let answers = script.stream("answers", "flatMap(.latest)", from: [source])
      let shown = script.stream(
        "shown", "scan", from: [answers], derived: true, traits: isGathered ? .gathers : [])
      let request = script.stream("request", "producer", traits: .hasEffects)
      let queue = script.scheduler("clock")
      _ = script.subscribe(shown, at: 0)
      _ = script.subscribe(answers, to: shown, at: 0)
      _ = script.subscribe(source, to: answers, at: 0)
      var running: UInt64?
      for number in 0..<4 {
        let time = 10 + Double(number) * pause
        let tick = UInt64(number) + 1
        if areTicks {
          script.record(.hopScheduled, of: queue, at: time, subscription: tick)
          script.record(.hopBegan, of: queue, at: time, subscription: tick, back: 1)
        }
        script.value(source, areEqual ? "again" : "\(number)", at: time, back: areTicks ? 1 : 0)
        if let edge = running {
          script.record(.interrupted, of: request, at: time)
          script.end(edge, of: request, .interrupted, at: time)
        }
        let edge = script.subscribe(request, to: answers, at: time)
        running = edge
        if areTicks { script.record(.hopEnded, of: queue, at: time, subscription: tick) }
        if areCalledOff, number % 2 == 1 {
          script.end(edge, of: request, .completed, at: time)
          running = nil
          continue
        }
        guard isQuick || number == 3 else { continue }
        script.value(request, "answer", at: time + 0.05)
        script.value(answers, "answer", at: time + 0.05, subscription: edge, back: 1)
        script.end(edge, of: request, .completed, at: time + 0.05)
        running = nil
      }
      return script
    }
  }

  @Test("G1: requests sent in one go, of which all but the last are given up, have partial answers")
  func burst() throws {
    let found = try Requests(pause: 0.1).script().findings()
    #expect(found.count == 1)
    #expect(found.first?.is(.partial, at: 2) == true)
    #expect(found.first?.evidence == ["1.4", "1.6"])
  }

  @Test("G1: where answers are gathered, one that was given up is missing")
  func gathered() throws {
    let found = try Requests(isGathered: true).script().findings()
    #expect(found.count == 1)
    #expect(found.first?.is(.partial, at: 2) == true)
  }

  @Test("G1: a run that is given up for one that ends without a word is called off")
  func calledOff() throws {
    #expect(try Requests(isGathered: true, areCalledOff: true).script().findings().isEmpty)
  }

  @Test("G1: search as you type gives up older requests, and that is meant")
  func typed() throws { #expect(try Requests().script().findings().isEmpty) }

  @Test("G1: of a property, or behind debounce, only the newest value counts")
  func state() throws {
    for traits: StreamTraits in [[.hot, .replays], [.hot, .hops, .holds, .replaces]] {
      #expect(try Requests(traits: traits, pause: 0.1).script().findings().isEmpty)
      #expect(try Requests(traits: traits, isGathered: true).script().findings().isEmpty)
    }
  }

  @Test("G1: a request that is repeated has its answer")
  func repeated() throws {
    #expect(try Requests(isGathered: true, areEqual: true).script().findings().isEmpty)
  }

  @Test("G1: what was answered was not given up")
  func answered() throws {
    #expect(try Requests(pause: 0.1, isGathered: true, isQuick: true).script().findings().isEmpty)
  }

  @Test("G1: a sensor's values come quickly, but not in one go")
  func ticks() throws {
    #expect(try Requests(pause: 1, areTicks: true).script().findings().isEmpty)
    #expect(try !Requests(pause: 1).script().findings().isEmpty)
  }
}
