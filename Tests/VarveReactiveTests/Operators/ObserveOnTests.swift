import Dispatch
import Testing
import VarveReactive
import VarveTestRig

@Suite("observe(on:)") struct ObserveOnTests {
  private func rig(_ kind: StreamKind) -> (TimedRig, (any Disposable)?) {
    let rig = TimedRig()
    let scheduler = rig.scheduler
    let disposable = rig.watch(
      kind, { $0.observe(on: scheduler) }, { $0.observe(on: scheduler) })
    return (rig, disposable)
  }

  @Test("H11: every event comes on the scheduler, in order", arguments: StreamKind.allCases)
  func order(kind: StreamKind) {
    let (rig, _) = rig(kind)
    rig.send(1, 2, at: 0)
    rig.input.sendCompleted()
    #expect(rig.log.value == [])
    rig.scheduler.advance()
    #expect(rig.log.value == ["0 VALUE 1", "0 VALUE 2", "0 COMPLETED"])
  }

  @Test(
    "E3: a failure does not overtake values that are queued", arguments: StreamKind.allCases)
  func failure(kind: StreamKind) {
    let (rig, _) = rig(kind)
    rig.send(1, 2, at: 0)
    rig.input.send(error: Problem())
    #expect(rig.log.value == [])
    rig.scheduler.advance()
    #expect(rig.log.value == ["0 VALUE 1", "0 VALUE 2", "0 FAILED problem"])
  }

  @Test("H11: interruption keeps its place, too", arguments: StreamKind.allCases)
  func interruption(kind: StreamKind) {
    let (rig, _) = rig(kind)
    rig.send(1, at: 0)
    rig.input.sendInterrupted()
    rig.scheduler.advance()
    #expect(rig.log.value == ["0 VALUE 1", "0 INTERRUPTED"])
  }

  @Test("each event is one action of the scheduler", arguments: StreamKind.allCases)
  func oneActionEach(kind: StreamKind) {
    let (rig, _) = rig(kind)
    let (scheduler, log) = (rig.scheduler, rig.log)
    rig.input.send(value: 1)
    scheduler.schedule { log.append("between") }
    rig.input.send(value: 2)
    scheduler.advance()
    #expect(rig.log.value == ["0 VALUE 1", "between", "0 VALUE 2"])
  }

  @Test("P4, H11: disposing of a start interrupts it once, there, and what is queued never comes")
  func disposal() {
    let (rig, disposable) = rig(.producer)
    rig.send(1, 2, at: 0)
    disposable?.dispose()
    #expect(rig.log.value == [])
    rig.input.send(value: 3)
    rig.input.sendCompleted()
    rig.scheduler.advance()
    #expect(rig.log.value == ["0 INTERRUPTED"])
    rig.scheduler.advance()
    #expect(rig.log.value == ["0 INTERRUPTED"])
  }

  @Test(
    "P5, H11: disposal stops the work at once; the interruption comes on the last scheduler",
    arguments: ScheduledForm.allCases)
  func interruptionInItsPlace(form: ScheduledForm) {
    let (scheduler, earlier) = (TestScheduler(), TestScheduler())
    let log = Box<[String]>([])
    let source = SignalProducer<Int, Never> { observer, lifetime in
      lifetime.observeEnded { log.append("work stopped") }
      observer.send(value: 1)
      lifetime.observeEnded { withExtendedLifetime(observer) {} }
    }
    let run = form.apply(source.observe(on: earlier), scheduler).map { $0 }.start {
      log.append($0.description)
    }
    run.dispose()
    #expect(run.isDisposed)
    #expect(log.value == ["work stopped"])
    earlier.advance()
    #expect(log.value == ["work stopped"])
    scheduler.advance()
    #expect(log.value == ["work stopped", "INTERRUPTED"])
  }

  @Test("P4: behind an operator that joins streams, a disposed start is interrupted at once")
  func interruptionOfJoined() {
    let scheduler = TestScheduler()
    let log = Box<[String]>([])
    let run = SignalProducer<Int, Never>.never.observe(on: scheduler).merge(with: .never).start {
      log.append($0.description)
    }
    run.dispose()
    #expect(log.value == ["INTERRUPTED"])
    scheduler.advance()
    #expect(log.value == ["INTERRUPTED"])
  }

  @Test("P10: once the interruption has come, nothing of the run is held")
  func releaseAfterInterruption() {
    final class Token: Sendable {}
    let scheduler = TestScheduler()
    weak let token = {
      let token = Token()
      let run = SignalProducer<Int, Never>.never.map { value in
        withExtendedLifetime(token) { value }
      }
      .observe(on: scheduler).start { _ in withExtendedLifetime(token) {} }
      run.dispose()
      return token
    }()
    scheduler.advance()
    #expect(token == nil)
  }

  @Test("P5: disposing lets go of the values that are queued")
  func release() {
    final class Token: Sendable {}
    let (signal, input) = Signal<Token, Never>.pipe()
    let scheduler = TestScheduler()
    let disposable = SignalProducer(signal).observe(on: scheduler).start()
    weak let token = {
      let token = Token()
      input.send(value: token)
      return token
    }()
    #expect(token != nil)
    disposable.dispose()
    #expect(token == nil)
    withExtendedLifetime(scheduler) {}
  }

  @Test("P5: releasing everything lets go of the values that are queued")
  func releaseOfScheduler() {
    final class Token: Sendable {}
    weak let token = {
      let (signal, input) = Signal<Token, Never>.pipe()
      let scheduler = TestScheduler()
      let token = Token()
      signal.observe(on: scheduler).observeValues { _ in }
      for _ in 0..<100 { input.send(value: token) }
      return token
    }()
    #expect(token == nil)
  }

  @Test("H8: on the immediate scheduler nothing is put off", arguments: StreamKind.allCases)
  func immediately(kind: StreamKind) {
    let rig = TimedRig()
    let scheduler = ImmediateScheduler()
    rig.watch(kind, { $0.observe(on: scheduler) }, { $0.observe(on: scheduler) })
    rig.input.send(value: 1)
    #expect(rig.log.value == ["0 VALUE 1"])
    rig.input.send(error: Problem())
    #expect(rig.log.value == ["0 VALUE 1", "0 FAILED problem"])
  }

  @Test("H11: many values cross to a queue in order, the end behind them")
  func crossing() {
    let (signal, input) = Signal<Int, Never>.pipe()
    let queue = QueueScheduler(name: "crossing")
    let received = Box((next: 0, isOrdered: true))
    let done = DispatchSemaphore(value: 0)
    signal.observe(on: queue).observe { event in
      switch event {
      case .value(let value):
        received.change {
          $0.isOrdered = $0.isOrdered && value == $0.next
          $0.next += 1
        }
      case .failed, .completed, .interrupted: done.signal()
      }
    }
    onThreads(1) { _ in
      for value in 0..<100_000 { input.send(value: value) }
      input.sendCompleted()
    }
    done.waitInTime()
    #expect(received.value.next == 100_000)
    #expect(received.value.isOrdered)
  }

  @Test("P4: whenever a start is disposed of, one interruption comes, and nothing after it")
  func disposalAtAnyMoment() {
    let queue = QueueScheduler(name: "disposal")
    for round in 0..<300 {
      let (signal, input) = Signal<Int, Never>.pipe()
      let events = Box<[String]>([])
      let disposable = SignalProducer(signal).observe(on: queue).start {
        events.append($0.isTerminating ? "\($0)" : "value")
      }
      onThreads(2) { index in
        if index == 0 {
          for value in 0..<200 { input.send(value: value) }
        } else {
          for _ in 0..<round { _ = events.value.count }
          disposable.dispose()
        }
      }
      // The first time what is under way, the second time the interruption that follows it.
      for _ in 0..<2 { queue.queue.sync {} }
      #expect(events.value.last == "INTERRUPTED")
      #expect(events.value.count { $0 != "value" } == 1)
    }
  }
}

/// The operators that deliver on a scheduler.
enum ScheduledForm: CaseIterable {
  case observe, delay, debounce, throttle, throttleWhile, collect, lazyMap

  func apply(
    _ producer: SignalProducer<Int, Never>, _ scheduler: TestScheduler
  ) -> SignalProducer<Int, Never> {
    switch self {
    case .observe: producer.observe(on: scheduler)
    case .delay: producer.delay(.seconds(1), on: scheduler)
    case .debounce:
      producer.debounce(.seconds(1), on: scheduler, discardWhenCompleted: false)
    case .throttle: producer.throttle(.seconds(1), on: scheduler)
    case .throttleWhile: producer.throttle(while: Property(value: true), on: scheduler)
    case .collect: producer.collect(every: .seconds(1), on: scheduler).map(\.count)
    case .lazyMap: producer.lazyMap(on: scheduler) { $0 }
    }
  }
}
