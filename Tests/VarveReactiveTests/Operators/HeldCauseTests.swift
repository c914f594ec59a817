import Testing
import VarveProbe
import VarveReactive
import VarveTestRig

/// Values that an operator holds while one recording ends and another begins.
@Suite struct HeldCauseTests {
  typealias Pair = (Signal<Int, Never>, Signal<Int, Never>.Observer)

  /// An operator that lets go later of a value that it was sent first.
  struct Holding: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let apply:
      @Sendable (Signal<Int, Never>, Signal<Int, Never>, TestScheduler) -> Signal<Int, Never>
  }

  static let holding = [
    Holding(testDescription: "delay") { $0.merge(with: $1).delay(.seconds(1), on: $2) },
    Holding(testDescription: "debounce") { first, other, clock in
      first.debounce(.seconds(1), on: clock).merge(with: other.map { -$0 })
    },
    Holding(testDescription: "zip") { $0.zip(with: $1).map { $0 + $1 }.observe(on: $2) },
    Holding(testDescription: "combineLatest") {
      $0.combineLatest(with: $1).map { $0 + $1 }.observe(on: $2)
    },
    Holding(testDescription: "observe(on:)") { $0.merge(with: $1).observe(on: $2) },
    Holding(testDescription: "sample") { $0.sample(on: $1.map { _ in }).observe(on: $2) },
    Holding(testDescription: "combinePrevious") { first, other, _ in
      first.merge(with: other).combinePrevious().map { $0 + $1 }
    },
    Holding(testDescription: "reduce") { first, other, _ in
      first.merge(with: other.take(first: 1)).take(first: 2).reduce(0, +)
    },
  ]

  @Test("T3: what one recording wrote is no cause in the next", arguments: holding)
  func sessions(_ holding: Holding) async throws {
    let (first, firstInput) = Signal<Int, Never>.pipe(named: "held first")
    let (other, otherInput) = Signal<Int, Never>.pipe(named: "held second")
    let clock = TestScheduler()
    let seen = Box<[Int]>([])
    holding.apply(first, other, clock).observeValues { seen.append($0) }
    let second = Box<ProbeRig?>(nil)
    await ProbeRig.record { rig in
      firstInput.send(value: 1)
      rig.close()
      let next = ProbeRig.reopened()
      second.set(next)
      otherInput.send(value: 2)
      clock.advance(by: .seconds(5))
      next.close()
    }
    #expect(!seen.value.isEmpty)
    let rig = try #require(second.value)
    let references = Set(rig.records.map(\.reference))
    let own = rig.records.filter { record in
      rig.streams.contains { $0.id == record.stream && $0.name.contains("held") }
    }
    #expect(!own.isEmpty)
    for record in own {
      // Each cause is a record of this recording.
      #expect(references.isSuperset(of: record.causes), "\(record)")
    }
  }
}
