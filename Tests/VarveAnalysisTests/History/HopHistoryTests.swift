import Testing
import VarveAnalysis
import VarveFormat
import VarveProbe
import VarveTraceScript

@Suite("What schedulers did")
struct HopHistoryTests {
  private let folder = TemporaryFolder()

  private func history(_ script: TraceScript) throws -> TraceHistory {
    let path = folder.file("hops.varve")
    try script.write(to: path, blockEvents: 4)
    return try TraceHistory(try TraceReader(path: path))
  }

  /// One queue, four pieces of work: the first runs long, two wait for it, the last is cancelled and
  /// one never begins.
  private func script() -> TraceScript {
    var script = TraceScript()
    let queue = script.scheduler("queue")
    for hop in 1...4 {
      script.record(.hopScheduled, of: queue, at: Double(hop), subscription: UInt64(hop))
    }
    script.record(.hopCancelled, of: queue, at: 5, subscription: 4)
    script.record(.hopBegan, of: queue, at: 10, subscription: 1)
    script.record(.hopEnded, of: queue, at: 110, subscription: 1)
    script.record(.hopBegan, of: queue, at: 110.01, subscription: 2)
    script.record(.hopEnded, of: queue, at: 111.01, subscription: 2)
    script.record(.hopBegan, of: queue, at: 111.02, subscription: 3)
    script.record(.hopScheduled, of: queue, at: 112, subscription: 5)
    return script
  }

  @Test("waiting, running and what was behind other work are told apart")
  func account() throws {
    let queue = try #require(history(script()).hops.scheduler(1))
    #expect(queue.given == 5)
    #expect(queue.cancelled == 1)
    #expect(queue.deepest?.depth == 4)
    #expect(queue.wait.count == 3)
    #expect(queue.wait.longest == 108_020_000)
    #expect(queue.run.count == 2)
    #expect(queue.run.longest == 100_000_000)
    // The first waited while nothing ran; the others since the first began.
    #expect(queue.behind.longest == 101_020_000)
    #expect(queue.mostDelayed.map(\.nanoseconds) == [101_020_000, 100_010_000, 0])
    #expect(queue.slowest.map(\.nanoseconds) == [100_000_000, 1_000_000])
  }

  @Test("what never began and what never returned is kept")
  func leftovers() throws {
    let hops = try history(script()).hops
    #expect(hops.queued.map(\.hop) == [5])
    #expect(hops.running.map(\.hop) == [3])
  }

  /// Work that waits for its time when the program ends, `idle` milliseconds before it does.
  private func ending(idle: Double) -> TraceScript {
    var script = TraceScript()
    let queue = script.scheduler("queue")
    let source = script.stream("source", "pipe", line: 1, traits: .hot)
    let edge = script.subscribe(source, at: 0)
    script.value(source, "a", at: 1)
    script.record(.hopScheduled, of: queue, at: 2, subscription: 1)
    script.end(edge, of: source, .disposed, at: 3)
    script.record(.hopCancelled, of: queue, at: 3.1, subscription: 1)
    script.record(.hopScheduled, of: queue, at: 3.2, subscription: 2)
    script.record(.log, of: 0, at: 3.2 + idle)
    return script
  }

  @Test("G2: work that ends with the program was waiting, and what its end schedules never was")
  func takenDown() throws {
    let hops = try history(ending(idle: 1)).hops
    #expect(hops.queued.map(\.hop) == [1] && hops.queuedCount == 1)
    // A program that goes on cancels what it does not want any more.
    #expect(try history(ending(idle: 500)).hops.queued.map(\.hop) == [2])
  }

  @Test("quantiles are at most three percent too large, and never more than the longest")
  func quantiles() throws {
    var script = TraceScript()
    let queue = script.scheduler("queue")
    var time = 0.0
    for hop in 1...1_000 {
      script.record(.hopScheduled, of: queue, at: time, subscription: UInt64(hop))
      script.record(.hopBegan, of: queue, at: time + 0.01, subscription: UInt64(hop))
      script.record(.hopEnded, of: queue, at: time + 0.01 + Double(hop), subscription: UInt64(hop))
      time += 2_000
    }
    let run = try #require(history(script).hops.scheduler(1)).run
    for (part, exact) in [(0.5, 500.0), (0.9, 900), (0.99, 990), (1, 1_000)] {
      let found = Double(run.quantile(part)) / 1_000_000
      #expect(found >= exact && found <= exact * 1.032, "\(part): \(found)")
    }
    #expect(run.quantile(1) == run.longest)
  }
}
