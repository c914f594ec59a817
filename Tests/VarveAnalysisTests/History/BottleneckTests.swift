import Testing
import VarveAnalysis
import VarveFormat
import VarveProbe
import VarveTraceScript

@Suite("Bottlenecks")
struct BottleneckTests {
  private let folder = TemporaryFolder()

  /// Work that an operator gives to `screen`, in a run of `from`, and that takes long there.
  private func cause(from: String, startsElsewhere: Bool = true) throws -> Bottleneck.Cause? {
    var script = TraceScript()
    let screen = script.scheduler("screen")
    let origin = from == "screen" ? screen : script.scheduler(from)
    let relief = script.stream("relief", "producer", line: 1)
    let moved = script.stream(
      "relief.start", "start(on:)", from: [relief], line: 2,
      traits: startsElsewhere ? .startsElsewhere : .hops)
    script.record(.hopScheduled, of: origin, at: 0, subscription: 1)
    let run = script.record(.hopBegan, of: origin, at: 1, ring: 2, subscription: 1)
    let observer = ScriptedPayload.subscription(SubscriptionPayload(stream: 0, stack: 0))
    script.record(.subscribed, of: moved, observer, at: 1, ring: 2, subscription: 7, causes: [run])
    let given = script.record(
      .hopScheduled, of: screen, at: 2, ring: 2, subscription: 2, causes: [run])
    script.record(.hopEnded, of: origin, at: 3, ring: 2, subscription: 1)
    script.record(.hopBegan, of: screen, at: 4, ring: 3, subscription: 2, causes: [given])
    script.record(.value, of: relief, .integer(1), at: 60, ring: 3, back: 1)
    script.record(.hopEnded, of: screen, at: 61, ring: 3, subscription: 2)
    let path = folder.file("bottleneck.varve")
    try script.write(to: path)
    let reader = try TraceReader(path: path)
    let history = try TraceHistory(reader)
    let lookup = EventLookup(reader)
    return Bottleneck(
      of: history.hops.schedulers, lookup: lookup, StreamPlaces(reader.definitions))?.cause
  }

  @Test("B5: long work that an operator moved from one scheduler to another is told with both")
  func moved() throws {
    guard case .moved(_, let stream, let origin) = try cause(from: "work") else {
      Issue.record("not told")
      return
    }
    #expect(stream == 2 && origin == 2)
  }

  @Test(
    "B5: long work that was given from its own scheduler, or by other code, was not moved there")
  func own() throws {
    for found in [try cause(from: "screen"), try cause(from: "work", startsElsewhere: false)] {
      guard case .step = found else {
        Issue.record("\(String(describing: found))")
        continue
      }
    }
  }
}
