import Testing
import VarveFormat
import VarveProbe
import VarveTraceScript

@testable import VarveAnalysis

/// Runs of producers that never end, with the way out of their code on which they were forgotten.
@Suite("Runs that were forgotten")
struct ForgottenRunTests {
  /// The source of a producer, in whose fifth line a callback returns without a word to the observer.
  private let source: SourceFile
  private let folder = TemporaryFolder()

  init() throws {
    source = try SourceFile(
      """
      func copy(_ name: String) -> SignalProducer<Int, Never> {
        SignalProducer { observer, _ in
          read(name) { data in
            print(name)
            guard let data else { return }
            observer.send(value: data.count)
            observer.sendCompleted()
          }
        }
      }
      """)
  }

  /// A flattening in which others wait behind the producer's second run, which may have sent a value.
  private func script(sends: Bool = false) -> TraceScript {
    var script = TraceScript()
    let names = script.stream("names")
    let copied = script.stream(
      "copied", "flatMap(.concat)", from: [names], traits: [.makesStreams, .holds])
    let copy = script.stream(
      "copy", "producer", line: 2, traits: .hasEffects, file: source.path)
    _ = script.subscribe(copied, at: 0)
    _ = script.subscribe(names, to: copied, at: 0)
    for number in 0..<3 { script.value(names, "\(number)", at: 1) }
    let one = script.subscribe(copy, to: copied, at: 1)
    script.value(copy, "a", at: 10)
    script.value(copied, "a", at: 10)
    script.end(one, of: copy, .completed, at: 20)
    _ = script.subscribe(copy, to: copied, at: 20)
    if sends { script.value(copy, "b", at: 30) }
    script.value(script.stream("other"), "1", at: 2_000)
    return script
  }

  @Test("G1: a run that has sent nothing is found at the way out that forgets it")
  func stuck() throws {
    let found = try script().findings()
    #expect(found.map(\.kind) == [.stuck])
    #expect(found.first?.place == .line(Place(file: source.path, line: 5)))
  }

  @Test("G1: a run that has sent a value took another way")
  func live() throws {
    #expect(try script(sends: true).findings().map(\.place) == [.stream(2)])
  }

  @Test("G1: why-silent has the way out on which the newest run was forgotten")
  func stop() throws {
    for sends in [false, true] {
      let path = folder.file("\(sends).varve")
      try script(sends: sends).write(to: path)
      let reader = try TraceReader(path: path)
      let lookup = EventLookup(reader)
      var facts = SilenceFacts(
        try TraceHistory(reader, Selection(), scope: .streams), reader.definitions, lookup: lookup)
      facts.learnFeeds(upstreamOf: 2, lookup)
      let stops = try StreamStops(of: 2, in: facts, reader, Selection(), lookup: lookup).stops
      let stop = stops.first { $0.reason == .stuck }
      #expect(stop?.exit == (sends ? nil : Place(file: source.path, line: 5)))
    }
  }
}
