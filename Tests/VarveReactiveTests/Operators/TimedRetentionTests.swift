import Testing
import VarveReactive
import VarveTestRig

/// What operators that put values off hold while these wait.
@Suite struct TimedRetentionTests {
  /// An operator that puts values off.
  enum Postponing: String, CaseIterable, CustomTestStringConvertible {
    case delay, debounce, debounceSome, throttle, throttleWhile, collect, lazyMap, observe

    var testDescription: String { rawValue }

    func apply(
      to signal: Signal<Token, Never>, _ scheduler: TestScheduler
    ) -> Signal<Token, Never> {
      switch self {
      case .delay: signal.delay(.seconds(1), on: scheduler)
      case .debounce:
        signal.debounce(.seconds(1), on: scheduler, discardWhenCompleted: false)
      case .debounceSome:
        signal.debounce(.seconds(1), on: scheduler, discardWhenCompleted: false) { _ in true }
      case .throttle: signal.throttle(.seconds(1), on: scheduler)
      case .throttleWhile:
        signal.throttle(while: SignalProducer<Bool, Never>.never, on: scheduler)
      case .collect:
        signal.collect(every: .seconds(1), on: scheduler, discardWhenCompleted: false)
          .compactMap(\.last)
      case .lazyMap: signal.lazyMap(on: scheduler) { $0 }
      case .observe: signal.observe(on: scheduler)
      }
    }

    func apply(
      to producer: SignalProducer<Token, Never>, _ scheduler: TestScheduler
    ) -> SignalProducer<Token, Never> {
      switch self {
      case .delay: producer.delay(.seconds(1), on: scheduler)
      case .debounce:
        producer.debounce(.seconds(1), on: scheduler, discardWhenCompleted: false)
      case .debounceSome:
        producer.debounce(.seconds(1), on: scheduler, discardWhenCompleted: false) { _ in true }
      case .throttle: producer.throttle(.seconds(1), on: scheduler)
      case .throttleWhile:
        producer.throttle(while: SignalProducer<Bool, Never>.never, on: scheduler)
      case .collect:
        producer.collect(every: .seconds(1), on: scheduler, discardWhenCompleted: false)
          .compactMap(\.last)
      case .lazyMap: producer.lazyMap(on: scheduler) { $0 }
      case .observe: producer.observe(on: scheduler)
      }
    }

    /// Whether a value that waits when its stream completes is delivered.
    var deliversAfterCompletion: Bool { self != .throttle }
  }

  @Test(
    "P5: a clock that is let go with values under way takes everything along",
    arguments: Postponing.allCases, [true, false])
  func clockIsLetGo(_ operation: Postponing, _ completes: Bool) {
    let probes = { () -> [WeakProbe] in
      let (value, observer) = (Token(), Token())
      let scheduler = TestScheduler()
      let (signal, input) = Signal<Token, Never>.pipe()
      operation.apply(to: signal, scheduler).observe { _ in withExtendedLifetime(observer) {} }
      for _ in 0..<3 { input.send(value: value) }
      if completes { input.sendCompleted() }
      return [WeakProbe(value), WeakProbe(observer)]
    }()
    #expect(probes.map(\.isHeld) == [false, false])
  }

  @Test(
    "E4: what waits when its stream completes is delivered, and the completion, if the clock is kept",
    arguments: Postponing.allCases)
  func clockIsKept(_ operation: Postponing) {
    let scheduler = TestScheduler()
    let (values, ends) = (Box(0), Box<[String]>([]))
    let probe = { () -> WeakProbe in
      let value = Token()
      let (signal, input) = Signal<Token, Never>.pipe()
      operation.apply(to: signal, scheduler).observe { event in
        if event.isTerminating { ends.append("\(event)") } else { values.change { $0 += 1 } }
      }
      input.send(value: value)
      input.sendCompleted()
      return WeakProbe(value)
    }()
    scheduler.advance(by: .seconds(3))
    #expect(values.value == (operation.deliversAfterCompletion ? 1 : 0))
    #expect(ends.value == ["COMPLETED"])
    #expect(!probe.isHeld)
  }

  /// A producer that has something to do with a clock, made of one that sends by hand.
  struct Timed: Sendable, CustomTestStringConvertible {
    typealias Producer = SignalProducer<Token, Never>

    let testDescription: String
    /// Whether the run has more to wait for than the clock.
    let hasOtherInputs: Bool
    let apply: @Sendable (Producer, TestScheduler) -> Producer

    init(
      _ testDescription: String, hasOtherInputs: Bool = false,
      _ apply: @escaping @Sendable (Producer, TestScheduler) -> Producer
    ) {
      self.testDescription = testDescription
      self.hasOtherInputs = hasOtherInputs
      self.apply = apply
    }

    static let all: [Timed] =
      Postponing.allCases.map { operation in
        Timed("\(operation)") { operation.apply(to: $0, $1) }
      }
      + [
        Timed("between others") { source, clock in
          source.map { $0 }.delay(.seconds(1), on: clock).map { $0 }.filter { _ in true }
        },
        Timed("twice") { source, clock in
          source.observe(on: clock).map { $0 }.debounce(
            .seconds(1), on: clock, discardWhenCompleted: false)
        },
        Timed("inside flatMap", hasOtherInputs: true) { source, clock in
          source.flatMap(.merge) { [weak clock] value in
            let inner = SignalProducer<Token, Never>(value: value)
            return clock.map { inner.delay(.seconds(1), on: $0) } ?? inner
          }
        },
        Timed("in line behind another", hasOtherInputs: true) { source, clock in
          source.flatMap(.concat) { [weak clock] value in
            let inner = SignalProducer<Token, Never>(value: value)
            return clock.map { inner.delay(.seconds(1), on: $0) } ?? inner
          }
        },
        Timed("again and again", hasOtherInputs: true) { source, clock in
          source.delay(.seconds(1), on: clock).repeat(3)
        },
        Timed("once more later", hasOtherInputs: true) { source, clock in
          source.merge(
            with: SignalProducer<Token, Problem>(error: Problem())
              .retry(upTo: 5, interval: .seconds(1), on: clock)
              .flatMapError { _ in Producer.empty })
        },
        Timed("before flatten", hasOtherInputs: true) { source, clock in
          source.delay(.seconds(1), on: clock).flatMap(.concat) { value in
            SignalProducer<Token, Never>(value: value)
          }
        },
        Timed("with another", hasOtherInputs: true) { source, clock in
          source.delay(.seconds(1), on: clock).zip(
            with: source.throttle(.seconds(1), on: clock)
          ).map(\.0)
        },
        Timed("start(on:)", hasOtherInputs: true) { source, clock in
          source.merge(with: Producer.empty.start(on: clock).map { $0 })
        },
        Timed("timeout") { source, clock in
          source.promoteError(Problem.self).timeout(
            after: .seconds(9), raising: Problem(), on: clock
          ).map { $0 }.flatMapError { _ in Producer.empty }
        },
        Timed("timer") { source, clock in
          source.combineLatest(
            with: Producer.timer(of: Token(), on: clock).map { $0 }
          ).map(\.0)
        },
      ]
  }

  @Test(
    "P5: a clock that is let go takes along the start of a producer that waits for it",
    arguments: Timed.all, [true, false])
  func clockOfProducerIsLetGo(_ timed: Timed, _ completes: Bool) {
    let areHeld = { () -> [() -> Bool] in
      let (value, observer) = (Token(), Token())
      let scheduler = TestScheduler()
      let (signal, input) = Signal<Token, Never>.pipe()
      timed.apply(SignalProducer(signal), scheduler).start { _ in
        withExtendedLifetime(observer) {}
      }
      for _ in 0..<3 { input.send(value: value) }
      if completes { input.sendCompleted() }
      let probes = [WeakProbe(value), WeakProbe(observer)].map { probe in { probe.isHeld } }
      return [{ [weak scheduler] in scheduler != nil }] + probes
    }()
    let isHeld = areHeld.map { $0() }
    #expect(!isHeld[0])
    // An operator with several inputs may wait for others, and what it holds does with it.
    if !timed.hasOtherInputs { #expect(isHeld == [false, false, false]) }
  }

  @Test("P5: a clock that is let go takes along work that schedules itself again")
  func clockOfRecursionIsLetGo() throws {
    let isHeld = { () -> () -> Bool in
      let scheduler = TestScheduler()
      scheduler.scheduleRecursively { again in again() }
      return { [weak scheduler] in scheduler != nil }
    }()
    #expect(!isHeld())
  }

  @Test(
    "P5: a producer whose clock has gone can be started, and nothing comes of it",
    arguments: Timed.all, [true, false])
  func startedTooLate(_ timed: Timed, _ completes: Bool) {
    let probes = { () -> [WeakProbe] in
      let (value, observer) = (Token(), Token())
      let (signal, input) = Signal<Token, Never>.pipe()
      let producer = { timed.apply(SignalProducer(signal), TestScheduler()) }()
      producer.start { _ in withExtendedLifetime(observer) {} }
      for _ in 0..<3 { input.send(value: value) }
      if completes { input.sendCompleted() }
      return [WeakProbe(value)] + (timed.hasOtherInputs ? [] : [WeakProbe(observer)])
    }()
    #expect(probes.allSatisfy { !$0.isHeld })
  }
}

extension SignalProducer where Value: Sendable, Failure == Never {
  /// Sends a value every second.
  fileprivate static func timer(of value: Value, on clock: TestScheduler) -> SignalProducer {
    SignalProducer<SchedulerInstant, Never>.timer(interval: .seconds(1), on: clock).map { _ in
      value
    }
  }
}
