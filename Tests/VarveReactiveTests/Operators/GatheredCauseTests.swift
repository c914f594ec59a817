import Testing
import VarveProbe
import VarveReactive
import VarveTestRig

/// Which values a result came from, as a trace has it.
@Suite struct GatheredCauseTests {
  /// The values of the source that the values of the result name as causes.
  private func causes<Output>(
    _ values: [Int], line: Int = #line, _ apply: (Signal<Int, Never>) -> Signal<Output, Never>
  ) async throws -> [[UInt64]] {
    // A name of its own: tests that run beside this one are recorded too.
    let (source, input) = Signal<Int, Never>.pipe(named: "gathered \(line)")
    let result = apply(source)
    result.observe { _ in }
    let (sourceName, name) = (source.description, result.description)
    let rig = await ProbeRig.record { _ in
      for value in values { input.send(value: value) }
      input.sendCompleted()
    }
    let sourceID = try #require(rig.stream(named: sourceName)).id
    let resultID = try #require(rig.stream(named: name)).id
    return rig.records(.value, of: resultID).map { record in
      record.causes.compactMap { rig.record($0) }
        .filter { $0.kind == .value && $0.stream == sourceID }
        .map(\.word)
    }
  }

  @Test("T3: a gathered value names all that it came from, the newest at least")
  func gathered() async throws {
    #expect(try await causes([1, 2, 3]) { $0.reduce(0, +) } == [[1, 2, 3]])
    #expect(try await causes([1, 2, 3]) { $0.collect() } == [[1, 2, 3]])
    #expect(
      try await causes([1, 2, 3, 4]) { $0.collect(count: 2) }.map { Set($0) } == [[1, 2], [3, 4]])
    #expect(
      try await causes([1, 2, 3]) { $0.combinePrevious() }.map { Set($0) } == [[1, 2], [2, 3]])
    let many = try await causes(Array(1...100)) { $0.reduce(0, +) }
    #expect(many == [Array(93...100)])
  }

  @Test("T3: a value that is sent later names the one that it was")
  func later() async throws {
    #expect(try await causes([1, 2, 3]) { $0.take(last: 2) } == [[2], [3]])
  }

  @Test("T3: causes that no record took are nobody's: a stream that is not recorded passes on none")
  func unrecorded() async throws {
    let (numbers, input) = Signal<Int, Never>.pipe(named: "numbers")
    let (other, otherInput) = Signal<Int, Never>.pipe(named: "unrelated")
    // Only named streams are recorded, and the sum is none.
    numbers.reduce(0, +).observeValues { _ in }
    numbers.combinePrevious().observeValues { _ in }
    other.observeValues { _ in }
    let rig = await ProbeRig.record(wish: []) { _ in
      for value in 1...3 { input.send(value: value) }
      otherInput.send(value: 1)
      input.sendCompleted()
      otherInput.send(value: 2)
    }
    let streams = try ["numbers", "unrelated"].map { try #require(rig.stream(named: $0)).id }
    for record in rig.records where streams.contains(record.stream) && record.kind != .ended {
      #expect(record.causes == [], "\(record)")
    }
    // Why the observations ended, and nothing else.
    let completion = try #require(rig.records(.completed, of: streams[0]).first)
    #expect(
      rig.records(.ended, of: streams[0]).map(\.causes)
        == [[completion.reference], [completion.reference]])
  }

  @Test("T3: a hop's end is caused by its beginning alone, though values were sent in it")
  func hop() async throws {
    let scheduler = TestScheduler()
    let (numbers, input) = Signal<Int, Never>.pipe(named: "delayed numbers")
    numbers.delay(.seconds(1), on: scheduler).observeValues { _ in }
    let rig = await ProbeRig.record(wish: []) { _ in
      input.send(value: 1)
      scheduler.advance(by: .seconds(1))
    }
    let value = try #require(rig.stream(named: "delayed numbers"))
    let delivered = try #require(rig.records(.value, of: value.id).first)
    let scheduled = rig.records.filter {
      $0.kind == .hopScheduled && $0.causes == [delivered.reference]
    }
    let hop = try #require(scheduled.first).subscription
    let began = try #require(rig.records.first { $0.kind == .hopBegan && $0.subscription == hop })
    let ended = try #require(rig.records.first { $0.kind == .hopEnded && $0.subscription == hop })
    #expect(ended.causes == [began.reference])
  }
}
