import Testing
import VarveFormat
import VarveProbe
import VarveTraceScript

@testable import VarveAnalysis

@Suite("Histories of less than everything")
struct HistoryScopeTests {
  private let folder = TemporaryFolder()

  /// A program whose three threads observe, deliver and work, over the borders of many blocks; what is
  /// open at the end is disposed of if it is taken down.
  private func program(_ seed: UInt64, isTakenDown: Bool) throws -> TraceReader {
    var random = SeededNumbers(seed: seed)
    var script = TraceScript()
    let streams = (0..<4).map { script.stream("stream \($0)") }
    let rings = [1, script.thread("worker", ring: 2), script.thread("other", ring: 3)]
    let queue = script.scheduler("queue")
    var open: [(edge: UInt64, stream: UInt32)] = []
    var time = 1.0
    for hop in 1...400 as ClosedRange<UInt64> {
      time += Double(Int.random(in: 0..<3, using: &random)) / 2
      let stream = streams.randomElement(using: &random)!
      let ring = rings.randomElement(using: &random)!
      switch Int.random(in: 0..<8, using: &random) {
      case 0:
        let to = Bool.random(using: &random) ? 0 : streams[stream == streams[0] ? 1 : 0]
        open.append((script.subscribe(stream, to: to, at: time, ring: ring), stream))
      case 1 where !open.isEmpty:
        let (edge, stream) = open.remove(at: Int.random(in: 0..<open.count, using: &random))
        let reason = [EndReason.disposed, .completed, .failed].randomElement(using: &random)!
        script.end(edge, of: stream, reason, at: time, ring: ring)
      case 2: script.record(.absorbed, of: stream, .reason(1), at: time, ring: ring)
      case 3: script.record(.completed, of: stream, at: time, ring: ring)
      case 4:
        script.record(.hopScheduled, of: queue, at: time, ring: ring, subscription: hop)
        var events = [RecordKind.hopBegan, .hopEnded]
        switch Int.random(in: 0..<12, using: &random) {
        case 0..<4: continue
        case 4: events = [.hopCancelled]
        case 5: events = [.hopBegan]
        // As if it was damaged.
        case 6: events = [.hopBegan, .hopBegan, .hopEnded]
        case 7: events = [.hopEnded, .hopBegan, .hopEnded, .hopScheduled, .hopBegan]
        default: break
        }
        for kind in events {
          time += Double(Int.random(in: 0..<2, using: &random))
          script.record(kind, of: queue, at: time, ring: ring, subscription: hop)
        }
      default: script.value(stream, "\(hop)", at: time, ring: ring)
      }
    }
    for (edge, stream) in open where isTakenDown {
      time += 0.1
      script.end(edge, of: stream, .disposed, at: time)
    }
    let path = folder.file("program \(seed) \(isTakenDown).varve")
    try script.write(to: path, blockEvents: 7)
    return try TraceReader(path: path)
  }

  @Test("tell the same of what they tell", arguments: [true, false])
  func same(isTakenDown: Bool) throws {
    var takenDown = 0
    for seed in 0..<8 as Range<UInt64> {
      let reader = try program(seed, isTakenDown: isTakenDown)
      var until = Selection()
      until.until = .sinceStart(100_000_000)
      for selection in [Selection(), until] {
        let whole = try TraceHistory(reader, selection)
        if whole.takingDown != nil { takenDown += 1 }
        let streams = try TraceHistory(reader, selection, scope: .streams)
        let observations = try TraceHistory(reader, selection, scope: .observations)
        let ending = try TraceHistory(reader, selection, scope: .ending)
        for history in [streams, observations, ending] {
          #expect(history.takingDown == whole.takingDown)
          let (known, expected) = (history.subscriptions, whole.subscriptions)
          #expect(known.takenDown.map(\.edge) == expected.takenDown.map(\.edge))
          #expect(Set(known.open.map(\.edge)) == Set(expected.open.map(\.edge)))
          #expect(known.feeds == expected.feeds)
          for edge in expected.feeds {
            #expect(known.pair(edge)?.count == expected.pair(edge)?.count)
            guard history.scope != .ending else { continue }
            #expect(known.pair(edge)?.lastEnd == expected.pair(edge)?.lastEnd)
          }
        }
        #expect(ending.hops.queued == whole.hops.queued)
        #expect(ending.hops.queuedCount == whole.hops.queuedCount)
        #expect(ending.hops.running == whole.hops.running)
        #expect(ending.hops.runningCount == whole.hops.runningCount)
        #expect(ending.firstRunning == whole.firstRunning)
        #expect(ending.lastEvents == whole.lastEvents)
        #expect(ending.lastTick == whole.lastTick)
        for edge in whole.subscriptions.feeds {
          #expect(streams.subscriptions.pair(edge) == whole.subscriptions.pair(edge))
        }
        #expect(streams.hops.queued == whole.hops.queued)
        #expect(streams.lastEvents == whole.lastEvents)
        #expect(streams.failures == whole.failures)
        #expect(streams.streams.map(\.stream) == whole.streams.map(\.stream))
        for account in whole.streams {
          let known = streams.stream(account.stream)
          #expect(known?.values == account.values && known?.lastValue == account.lastValue)
          #expect(known?.firstValue == account.firstValue && known?.absorbed == account.absorbed)
          #expect(known?.firstEnd?.moment == account.firstEnd?.moment)
        }
      }
    }
    #expect(!isTakenDown || takenDown >= 4)
  }

  @Test("the last events of a thread are its last sixteen, also of those that are chosen")
  func lastEvents() throws {
    for seed in 0..<10 as Range<UInt64> {
      let reader = try program(seed, isTakenDown: false)
      var values = Selection()
      values.kinds = KindSelection([.value])
      for selection in [Selection(), values] {
        var expected: [UInt32: [EventName]] = [:]
        var query = try EventQuery(selection, in: reader, columns: [])
        query.run { page in
          page.forEach { batch, index in
            expected[batch.columns.ring, default: []].append(batch.columns.name(index))
          }
          return true
        }
        #expect(
          try TraceHistory(reader, selection).lastEvents == expected.mapValues { $0.suffix(16) })
      }
    }
  }
}
