import Testing
import VarveProbe
import VarveReactive
import VarveTestRig

/// What a trace is told of values that are put aside and delivered later.
@Suite("Timed operators in a trace", .serialized) struct TimedTraceTests {
  private typealias Operate = @Sendable (Signal<Int, Never>, TestScheduler) -> Signal<Int, Never>

  /// The records of a pipe and of what an operator makes of it, while `body` sends.
  private func trace(
    _ operate: Operate,
    _ body: (TestScheduler, Signal<Int, Never>.Observer) -> Void
  ) async throws -> Trace {
    var names = ("", "")
    let rig = await ProbeRig.record { _ in
      let scheduler = TestScheduler()
      let (signal, input) = Signal<Int, Never>.pipe(named: "source \(ObjectIdentifier(scheduler))")
      let result = operate(signal, scheduler)
      result.observeValues { _ in }
      names = (signal.description, result.description)
      body(scheduler, input)
    }
    let source = try #require(rig.stream(named: names.0)).id
    let result = try #require(rig.stream(named: names.1)).id
    return Trace(rig: rig, source: source, result: result)
  }

  private struct Trace {
    let rig: ProbeRig
    let source: UInt32
    let result: UInt32

    func record(_ kind: RecordKind, of stream: UInt32, _ index: Int = 0) throws -> RigRecord {
      let records = rig.records(kind, of: stream)
      try #require(records.count > index)
      return records[index]
    }
  }

  private static let delivering: [(String, Operate)] = [
    ("observe(on:)", { $0.observe(on: $1) }),
    ("delay", { $0.delay(.milliseconds(10), on: $1) }),
    ("debounce", { $0.debounce(.milliseconds(10), on: $1) }),
    ("debounce where", { $0.debounce(.milliseconds(10), on: $1) { $0 < 0 } }),
    ("throttle", { $0.throttle(.milliseconds(10), on: $1) }),
    (
      "throttle while",
      { $0.throttle(while: SignalProducer<Bool, Never>(value: false), on: $1) }
    ),
    ("lazyMap", { $0.lazyMap(on: $1) { $0 } }),
  ]

  @Test(
    "T3: a later delivery names its hop and the value that it delivers",
    arguments: delivering.indices)
  func causes(_ index: Int) async throws {
    let trace = try await trace(Self.delivering[index].1) { scheduler, input in
      for value in 0..<3 {
        input.send(value: value)
        scheduler.advance(by: .milliseconds(50))
      }
    }
    for turn in 0..<3 {
      let sent = try trace.record(.value, of: trace.source, turn)
      let delivered = try trace.record(.value, of: trace.result, turn)
      #expect(delivered.word == sent.word)
      #expect(delivered.causes.contains(sent.reference))
      let hop = try #require(trace.rig.record(delivered.causes.first))
      #expect(hop.kind == .hopBegan)
      let scheduling = try #require(trace.rig.record(hop.causes.first))
      #expect(scheduling.kind == .hopScheduled)
      #expect(scheduling.causes.first == sent.reference)
    }
  }

  @Test("T3: of values that are queued at once, each delivery names its own")
  func burst() async throws {
    let trace = try await trace({ $0.observe(on: $1) }) { scheduler, input in
      for value in 0..<100 { input.send(value: value) }
      scheduler.advance()
    }
    for turn in 0..<100 {
      let sent = try trace.record(.value, of: trace.source, turn)
      let delivered = try trace.record(.value, of: trace.result, turn)
      #expect(delivered.word == sent.word)
      let hop = try #require(trace.rig.record(delivered.causes.first))
      let scheduling = try #require(trace.rig.record(hop.causes.first))
      #expect(scheduling.causes.first == sent.reference)
    }
  }

  @Test("T3: collected values are all named as causes")
  func collected() async throws {
    let collect: Operate = { signal, scheduler in
      signal.collect(every: .milliseconds(10), on: scheduler).map(\.count)
    }
    let trace = try await trace(collect) { scheduler, input in
      for value in 0..<3 { input.send(value: value) }
      scheduler.advance(by: .milliseconds(10))
    }
    let mapped = try trace.record(.value, of: trace.result)
    let delivered = try #require(trace.rig.record(mapped.causes.first))
    let sent = try (0..<3).map { try trace.record(.value, of: trace.source, $0).reference }
    #expect(Set(sent).isSubset(of: delivered.causes))
  }

  private static let superseding: [(String, Operate)] = [
    ("debounce", { $0.debounce(.milliseconds(10), on: $1) }),
    ("throttle", { $0.throttle(.milliseconds(10), on: $1) }),
    (
      "throttle while",
      { $0.throttle(while: SignalProducer<Bool, Never>(value: true), on: $1) }
    ),
    ("lazyMap", { $0.lazyMap(on: $1) { $0 } }),
  ]

  @Test("T10: a value that a newer one replaced says so", arguments: superseding.indices)
  func superseded(_ index: Int) async throws {
    let trace = try await trace(Self.superseding[index].1) { _, input in
      input.send(value: 1)
      input.send(value: 2)
      input.send(value: 3)
    }
    // Beside these there may be a condition's value, and the one that the end dropped.
    let replaced = trace.rig.records(.absorbed, of: trace.result).filter {
      $0.word == UInt64(AbsorptionReason.superseded.rawValue)
    }
    #expect(replaced.count == 2)
    for (turn, absorbed) in replaced.enumerated() {
      let sent = try trace.record(.value, of: trace.source, turn)
      #expect(absorbed.causes.contains(sent.reference))
    }
  }

  private static let dropping: [(String, Operate)] = [
    superseding[0], superseding[1], superseding[2], superseding[3],
    ("delay", { $0.delay(.milliseconds(10), on: $1) }),
    ("collect", { $0.collect(every: .milliseconds(10), on: $1).map(\.count) }),
  ]

  @Test("T10: a value that the end of its stream dropped says so", arguments: dropping.indices)
  func dropped(_ index: Int) async throws {
    let trace = try await trace(Self.dropping[index].1) { scheduler, input in
      input.send(value: 1)
      input.sendInterrupted()
      scheduler.advance()
    }
    let sent = try trace.record(.value, of: trace.source)
    let absorbed = trace.rig.records.filter {
      $0.kind == .absorbed && $0.causes.contains(sent.reference)
    }
    #expect(absorbed.map(\.word) == [UInt64(AbsorptionReason.ended.rawValue)])
  }

  @Test("T3: the subscription and its end are told")
  func subscription() async throws {
    let trace = try await trace({ $0.observe(on: $1) }) { scheduler, input in
      input.send(value: 1)
      input.sendCompleted()
      scheduler.advance()
    }
    let subscribed = try trace.record(.subscribed, of: trace.source)
    #expect(subscribed.word == UInt64(trace.result))
    let ended = try trace.record(.ended, of: trace.source)
    #expect(ended.subscription == subscribed.subscription)
    #expect(try trace.record(.value, of: trace.result).subscription == subscribed.subscription)
  }
}
