import Testing
import VarveAnalysis
import VarveFormat
import VarveProbe
import VarveTraceScript

/// Stops at operators with several inputs.
extension StopTests {
  @Test("G3: an input that an operator lets go of for another one's value is told at the operator")
  func replacedInput() throws {
    var script = TraceScript()
    let source = script.stream("source", "pipe", line: 1, traits: .hot)
    let other = script.stream("other", "pipe", line: 2, traits: .hot)
    let mapped = script.stream("source.map", "map(_:)", from: [source], derived: true, line: 3)
    let replaced = script.stream(
      "source.take", "take(untilReplacement:)", from: [mapped, other], line: 4)
    script.stack(9, [0x1000])
    let first = script.subscribe(source, to: mapped, at: 0)
    let second = script.subscribe(mapped, to: replaced, at: 0)
    _ = script.subscribe(other, to: replaced, at: 0)
    _ = script.subscribe(replaced, at: 0)
    pass(&script, "a", through: [source, mapped, replaced], at: 1)
    let value = script.value(other, "b", at: 2)
    for (edge, stream) in [(second, mapped), (first, source)] {
      script.record(
        .ended, of: stream, .reason(EndReason.disposed.rawValue, stack: 9), at: 2,
        subscription: edge, causes: [value])
    }
    script.record(.value, of: replaced, .string("b"), at: 2, causes: [value])
    for time in [3.0, 4] { script.value(source, "c", at: time) }
    let stop = try #require(try stops(script, of: replaced).stops.first)
    #expect(stop.stream == replaced && stop.reason == .disposed && stop.trigger == other)
    #expect(stop.author == nil && stop.more == 2)
  }

  @Test("G3: a join that waits for a change of a property that has a value is told at its signal")
  func unchangedInput() throws {
    var script = TraceScript()
    let size = script.stream("size", "property", line: 1, traits: [.hot, .replays])
    let presses = script.stream("presses", "pipe", line: 2, traits: .hot)
    let sampled = script.stream(
      "size.sample", "sample(on:)", from: [size, presses], line: 3, traits: .needsAllInputs)
    script.stack(9, [0x1000])
    _ = script.subscribe(size, at: 0)
    let taken = SubscriptionPayload(stream: 0, stack: 9)
    script.record(.read, of: size, .subscription(taken), at: 0)
    _ = script.subscribe(size, to: sampled, at: 0)
    _ = script.subscribe(presses, to: sampled, at: 0)
    _ = script.subscribe(sampled, at: 0)
    absorb(&script, "1", from: presses, by: sampled, .notSampled, at: 1)
    script.value(size, "large", at: 5)
    pass(&script, "2", through: [presses, sampled], at: 6)
    let stop = try #require(try stops(script, of: sampled).stops.first)
    #expect(stop.stream == size && stop.reason == .unchanged && stop.waiting == sampled)
    #expect(stop.author == 9)
  }
}
