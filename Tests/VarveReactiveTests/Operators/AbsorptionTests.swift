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

  @Test("T10: what is kept for later is told as such")
  func gathered() async throws {
    #expect(try await reasons([1, 2]) { $0.reduce(0, +) } == [.gathered, .gathered])
    #expect(try await reasons([1, 2]) { $0.collect(count: 2) } == [.gathered])
    #expect(try await reasons([1, 2]) { $0.take(last: 1) } == [.gathered, .gathered])
    #expect(try await reasons([1, 2]) { $0.combinePrevious() } == [.gathered])
  }
}
