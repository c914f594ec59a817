import Testing
import VarveProbe
import VarveReactive
import VarveTestRig

/// Why operators with one input swallow values, as a trace has it.
@Suite struct AbsorptionTests {
  /// The reasons that the operator gave for the values 1, 2, … of which it swallowed some.
  private func reasons<Output>(
    _ values: [Int], line: Int = #line, _ apply: (Signal<Int, Never>) -> Signal<Output, Never>
  ) async throws -> [AbsorptionReason?] {
    // A name of its own: tests that run beside this one are recorded too.
    let (source, input) = Signal<Int, Never>.pipe(named: "absorbed \(line)")
    let result = apply(source)
    let observation = result.observe { _ in }
    let name = result.description
    let rig = await ProbeRig.record { _ in
      for value in values { input.send(value: value) }
    }
    observation?.dispose()
    let stream = try #require(rig.stream(named: name))
    return rig.records(.absorbed, of: stream.id).map {
      AbsorptionReason(rawValue: UInt8(truncatingIfNeeded: $0.word))
    }
  }

  @Test("T10: filters say that they refused")
  func filtered() async throws {
    #expect(try await reasons([1, 2, 3]) { $0.filter { $0 != 2 } } == [.filtered])
    #expect(try await reasons([1, 2]) { $0.compactMap { $0 == 1 ? nil : $0 } } == [.filtered])
    #expect(try await reasons([1, 2]) { $0.ignore(1) } == [.filtered])
    #expect(try await reasons([1, 2]) { $0.ignoreValues() } == [.filtered, .filtered])
    #expect(try await reasons([1, 2]) { $0.map { $0 == 1 ? nil : $0 }.skipNil() } == [.filtered])
    #expect(try await reasons([1, 2]) { $0.contains(7) } == [.filtered, .filtered])
    #expect(
      try await reasons([0, 2]) { $0.map { Array(repeating: 1, count: $0) }.flatten() }
        == [.filtered])
  }

  @Test("T10: repetitions are told as such")
  func repeated() async throws {
    #expect(try await reasons([1, 1, 2]) { $0.skipRepeats() } == [.repeated])
    #expect(try await reasons([1, 2, 1]) { $0.uniqueValues() } == [.repeated])
  }

  @Test("T10: limits are told as such")
  func limits() async throws {
    #expect(try await reasons([1, 2]) { $0.skip(first: 1) } == [.pastLimit])
    #expect(try await reasons([1, 9]) { $0.skip(while: { $0 < 5 }) } == [.pastLimit])
  }

  @Test("T10: what is kept for later is swallowed only where the result does not name it")
  func gathered() async throws {
    #expect(try await reasons([1, 2]) { $0.reduce(0, +) } == [])
    #expect(try await reasons([1, 2]) { $0.collect(count: 2) } == [])
    #expect(try await reasons([1, 2]) { $0.combinePrevious() } == [])
    #expect(try await reasons([1, 2]) { $0.take(last: 1) } == [.superseded])
    #expect(
      try await reasons(Array(1...11)) { $0.reduce(0, +) } == [.gathered, .gathered, .gathered])
  }

  @Test("T10: values that nobody was attached to get are told as such")
  func nobodyAttached() async throws {
    let (source, input) = Signal<Int, Never>.pipe(named: "nobody attached")
    let (other, otherInput) = Signal<Int, Never>.pipe(named: "nobody attached to the last")
    let last = other.map { $0 * 10 }
    let rig = await ProbeRig.record { _ in
      input.send(value: 1)
      let observation = source.observeValues { _ in }
      input.send(value: 2)
      observation?.dispose()
      input.send(value: 3)
      otherInput.send(value: 4)
    }
    func refused(_ name: String) throws -> [UInt64?] {
      let stream = try #require(rig.stream(named: name))
      let absorbed = rig.records(.absorbed, of: stream.id)
      #expect(absorbed.allSatisfy { $0.word == UInt64(AbsorptionReason.nobodyAttached.rawValue) })
      return absorbed.map { rig.record($0.causes.first)?.word }
    }
    #expect(try refused(source.description) == [1, 3])
    // The stage has an observer, and the stream behind it has none.
    #expect(try refused(other.description) == [])
    #expect(try refused(last.description) == [40])
  }

  @Test("T10: values that were not sampled are told as such, the last one, too")
  func notSampled() async throws {
    /// Sends 1 and 2, then the sampler's value, then 3; returns what was not sampled.
    func left<Output>(
      line: Int = #line, _ apply: (Signal<Int, Never>, Signal<Void, Never>) -> Signal<Output, Never>
    ) async throws -> [UInt64?] {
      let (source, input) = Signal<Int, Never>.pipe(named: "sampled \(line)")
      let (other, otherInput) = Signal<Void, Never>.pipe(named: "sampler \(line)")
      let result = apply(source, other)
      let observation = result.observe { _ in }
      let rig = await ProbeRig.record { _ in
        input.send(value: 1)
        input.send(value: 2)
        otherInput.send(value: ())
        input.send(value: 3)
        input.sendCompleted()
        otherInput.sendCompleted()
      }
      observation?.dispose()
      let stream = try #require(rig.stream(named: result.description))
      let absorbed = rig.records(.absorbed, of: stream.id)
      #expect(absorbed.allSatisfy { $0.word == UInt64(AbsorptionReason.notSampled.rawValue) })
      // What happened when it was left out comes before it.
      return absorbed.map { rig.record($0.causes.last)?.word }
    }
    #expect(try await left { $0.sample(on: $1) } == [1, 3])
    #expect(try await left { $0.sample(with: $1) } == [1, 3])
    // Here it is the source that is left out, as long as there is nothing to pair it with.
    #expect(try await left { $0.withLatest(from: $1) } == [1, 2])
  }

  @Test("T10: of several observers each tells why it swallowed a value, whatever the others did")
  func branches() async throws {
    let (source, input) = Signal<Int, Never>.pipe(named: "branching")
    let odd = source.filter { $0 & 1 == 1 }.named("odd")
    let large = source.filter { $0 > 2 }.named("large")
    let changes = source.skipRepeats().named("changes")
    for branch in [odd, large, changes] { branch.observeValues { _ in } }
    func reasons(_ name: String, _ rig: ProbeRig) throws -> [String] {
      // `named` is a stream of its own, behind the filter.
      let stream = try #require(rig.stream(named: name))
      let filter = try #require(stream.parents.first)
      return rig.records(.absorbed, of: filter).map { record in
        let reason = AbsorptionReason(rawValue: UInt8(truncatingIfNeeded: record.word))
        let value = record.causes.first.flatMap { rig.record($0) }
        return "\(reason.map { "\($0)" } ?? "?") \(value?.word ?? 0)"
      }
    }
    let rig = await ProbeRig.record { _ in
      for value in [1, 2, 2, 3, 4] { input.send(value: value) }
    }
    #expect(try reasons("odd", rig) == ["filtered 2", "filtered 2", "filtered 4"])
    #expect(try reasons("large", rig) == ["filtered 1", "filtered 2", "filtered 2"])
    #expect(try reasons("changes", rig) == ["repeated 2"])
    let stream = try #require(rig.stream(named: "branching"))
    #expect(rig.records(.absorbed, of: stream.id).isEmpty)
  }

  @Test("T10: what is on its way to a scheduler at the end is told once")
  func underWay() async throws {
    let scheduler = TestScheduler()
    let (source, input) = Signal<Int, Never>.pipe(named: "under way at the end")
    let result = SignalProducer(source).observe(on: scheduler)
    let rig = await ProbeRig.record { _ in
      result.take(first: 1).start()
      for value in [1, 2, 3] { input.send(value: value) }
      scheduler.advance()
    }
    let stream = try #require(rig.stream(named: result.description))
    let absorbed = rig.records(.absorbed, of: stream.id)
    #expect(absorbed.map { rig.record($0.causes.last)?.word } == [2, 3])
  }

  @Test("T10: a second recording blames nothing for values of the first")
  func otherRecording() async throws {
    let (source, input) = Signal<Int, Never>.pipe(named: "held over")
    let never = Signal<Int, Never>.never
    let joined = source.combineLatest(with: never)
    let observation = joined.observe { _ in }
    var second: ProbeRig?
    await ProbeRig.record { rig in
      input.send(value: 1)
      rig.close()
      let other = ProbeRig.reopened()
      input.send(value: 2)
      input.send(value: 3)
      other.close()
      second = other
    }
    observation?.dispose()
    let rig = try #require(second)
    let stream = try #require(rig.stream(named: joined.description))
    #expect(
      rig.records(.absorbed, of: stream.id).map { rig.record($0.causes.last)?.word } == [2])
  }

  @Test("T10: what a property keeps is not lost for want of observers")
  func kept() async throws {
    let property = MutableProperty(0, named: "kept by a property")
    let isEven = property.map { $0.isMultiple(of: 2) }
    let rig = await ProbeRig.record { _ in
      for value in 1...3 { property.value = value }
    }
    #expect(!isEven.value)
    let ids = Set(rig.streams.filter { $0.name.contains("kept by a property") }.map(\.id))
    #expect(!ids.isEmpty)
    #expect(rig.records.filter { $0.kind == .absorbed && ids.contains($0.stream) }.isEmpty)
  }

  @Test("T10: a part of a concatenation that was never started is no value that was swallowed")
  func unstarted() async throws {
    let (source, input) = Signal<Int, Never>.pipe(named: "queries of concatenations")
    let results = source.flatMap(.latest) { _ in SignalProducer<Int, Never>.never.concat(value: 0) }
    let observation = results.observe { _ in }
    let rig = await ProbeRig.record { _ in
      input.send(value: 1)
      input.send(value: 2)
    }
    observation?.dispose()
    let stream = try #require(rig.stream(named: "queries of concatenations")).id
    let values = Set(rig.records(.value, of: stream).map(\.reference))
    #expect(
      rig.records.filter { record in
        record.kind == .absorbed && record.causes.contains(where: values.contains)
      }.isEmpty)
  }

  @Test("T10: branches that come and go while somebody records are told of, too")
  func comingBranches() async throws {
    let (source, input) = Signal<Int, Never>.pipe(named: "coming branches")
    let rig = await ProbeRig.record { rig in
      input.send(value: 0)
      let first = source.filter { $0 > 1 }.observeValues { _ in }
      input.send(value: 1)
      let second = source.filter { $0 > 2 }.observeValues { _ in }
      input.send(value: 2)
      first?.dispose()
      input.send(value: 1)
      second?.dispose()
      rig.close()
      input.send(value: 1)
    }
    let stream = try #require(rig.stream(named: "coming branches")).id
    #expect(rig.records(.value, of: stream).map(\.word) == [0, 1, 2, 1])
    let filters = Set(rig.streams.filter { $0.parents == [stream] }.map(\.id))
    #expect(filters.count == 2)
    let refused = rig.records.filter { $0.kind == .absorbed && filters.contains($0.stream) }
      .sorted { $0.ticks < $1.ticks }.map { rig.record($0.causes.first)?.word }
    #expect(refused == [1, 2, 1])
  }
}
