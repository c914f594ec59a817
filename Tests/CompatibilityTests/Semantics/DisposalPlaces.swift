import Foundation
import ReactiveSwiftCompatibility
import Testing

/// An operator that delivers on a scheduler.
struct Delivering: Sendable, CustomTestStringConvertible {
  typealias Producer = SignalProducer<Int, Never>

  let testDescription: String
  let apply: @Sendable (Producer, TestScheduler) -> Producer

  init(_ name: String, _ apply: @escaping @Sendable (Producer, TestScheduler) -> Producer) {
    testDescription = name
    self.apply = apply
  }

  static let all: [Delivering] = [
    Delivering("observe(on:)") { $0.observe(on: $1) },
    Delivering("delay") { $0.delay(1, on: $1) },
    Delivering("debounce") { $0.debounce(1, on: $1) },
    Delivering("throttle") { $0.throttle(1, on: $1) },
    Delivering("collect(every:)") {
      $0.collect(every: .seconds(1), on: $1, skipEmpty: true).map { $0.count }
    },
    Delivering("observe(on:), then map") { $0.observe(on: $1).map { $0 } },
  ]
}

/// On which scheduler a disposal interrupts.
@Suite struct DisposalPlaces {
  @Test(
    "P4: what startWithSignal hands over interrupts where the operator delivers",
    arguments: Delivering.all)
  func handedOver(_ delivering: Delivering) {
    let scheduler = TestScheduler()
    let isInterrupted = Atomic(false)
    let isCleanedUp = Atomic(false)
    let (values, input) = Signal<Int, Never>.pipe()
    let source = SignalProducer(values).on(disposed: { isCleanedUp.value = true })
    let run = delivering.apply(source, scheduler).startWithSignal { signal, run -> Disposable in
      signal.observeInterrupted { isInterrupted.value = true }
      return run
    }
    #expect(!isInterrupted.value)
    run.dispose()
    #expect(!isInterrupted.value)
    #expect(isCleanedUp.value)
    scheduler.run()
    #expect(isInterrupted.value)
    withExtendedLifetime(input) {}
  }

  @Test("P4: the disposable of start interrupts there, too", arguments: Delivering.all)
  func started(_ delivering: Delivering) {
    let scheduler = TestScheduler()
    let isInterrupted = Atomic(false)
    let (values, input) = Signal<Int, Never>.pipe()
    let run = delivering.apply(SignalProducer(values), scheduler)
      .startWithInterrupted { isInterrupted.value = true }
    run.dispose()
    #expect(!isInterrupted.value)
    scheduler.run()
    #expect(isInterrupted.value)
    withExtendedLifetime(input) {}
  }

  @Test("P4: of a run whose end is on its way, and of one whose input was dropped")
  func endOnItsWay() {
    let dropped = Signal<Int, Never>.pipe().output
    for source in [SignalProducer<Int, Never>.empty, SignalProducer(dropped)] {
      let scheduler = TestScheduler()
      let isInterrupted = Atomic(false)
      let run = source.observe(on: scheduler).startWithSignal { signal, run -> Disposable in
        signal.observeInterrupted { isInterrupted.value = true }
        return run
      }
      #expect(!isInterrupted.value)
      run.dispose()
      #expect(!isInterrupted.value)
      scheduler.run()
      #expect(isInterrupted.value)
    }
  }

  @Test("P8: disposing inside the set-up closure interrupts at once, and prevents the work")
  func setUp() {
    let scheduler = TestScheduler()
    let log = Atomic<[String]>([])
    let source = SignalProducer<Int, Never> { _, _ in log.modify { $0.append("started") } }
    source.observe(on: scheduler).startWithSignal { signal, run in
      signal.observeInterrupted { log.modify { $0.append("interrupted") } }
      run.dispose()
      log.modify { $0.append("disposed") }
    }
    #expect(log.value == ["interrupted", "disposed"])
  }

  @Test("P4: without a scheduler, it interrupts at once, before the clean-up")
  func unscheduled() {
    let log = Atomic<[String]>([])
    let source = SignalProducer<Int, Never> { _, lifetime in
      lifetime.observeEnded { log.modify { $0.append("cleaned up") } }
    }
    let run = source.map { $0 }.startWithSignal { signal, run -> Disposable in
      signal.observeInterrupted { log.modify { $0.append("interrupted") } }
      return run
    }
    #expect(log.value == [])
    run.dispose()
    #expect(log.value == ["interrupted", "cleaned up"])
  }
}
