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

    /// Whether a value that waits when its stream completes is delivered.
    var deliversAfterCompletion: Bool { self != .throttle }
  }

  @Test(
    "P5: a clock that is let go with values under way takes everything along",
    arguments: Postponing.allCases, [true, false])
  func clockIsLetGo(_ operation: Postponing, _ completes: Bool) {
    let leashes = { () -> [Leash] in
      let (value, observer) = (Token(), Token())
      let scheduler = TestScheduler()
      let (signal, input) = Signal<Token, Never>.pipe()
      operation.apply(to: signal, scheduler).observe { _ in withExtendedLifetime(observer) {} }
      for _ in 0..<3 { input.send(value: value) }
      if completes { input.sendCompleted() }
      return [Leash(value), Leash(observer)]
    }()
    #expect(leashes.map(\.isHeld) == [false, false])
  }

  @Test(
    "E4: what waits when its stream completes is delivered, and the completion, if the clock is kept",
    arguments: Postponing.allCases)
  func clockIsKept(_ operation: Postponing) {
    let scheduler = TestScheduler()
    let (values, ends) = (Box(0), Box<[String]>([]))
    let leash = { () -> Leash in
      let value = Token()
      let (signal, input) = Signal<Token, Never>.pipe()
      operation.apply(to: signal, scheduler).observe { event in
        if event.isTerminating { ends.append("\(event)") } else { values.change { $0 += 1 } }
      }
      input.send(value: value)
      input.sendCompleted()
      return Leash(value)
    }()
    scheduler.advance(by: .seconds(3))
    #expect(values.value == (operation.deliversAfterCompletion ? 1 : 0))
    #expect(ends.value == ["COMPLETED"])
    #expect(!leash.isHeld)
  }
}
