import Testing
import VarveReactive
import VarveTestRig

@Suite struct ProducerTests {
  @Test("P1: nothing happens until a producer is started, and each start does the work once more")
  func coldness() {
    let starts = Box(0)
    let producer = SignalProducer<Int, Never> { observer, _ in
      observer.send(
        value: starts.change {
          $0 += 1; return $0
        })
      observer.sendCompleted()
    }
    let derived = producer.map { $0 * 10 }.concat(producer)
    #expect(starts.value == 0)
    let log = Box<[Int]>([])
    derived.startWithValues { log.append($0) }
    producer.startWithValues { log.append($0) }
    #expect(log.value == [10, 2, 3])
    #expect(starts.value == 3)
  }

  @Test("P1: side effects happen once per start")
  func sideEffects() {
    let effects = Box<[Int]>([])
    let producer = SignalProducer<Int, Never>([1, 2]).on(value: { effects.append($0) })
      .map { $0 + 1 }
    #expect(effects.value == [])
    producer.startWithValues { (_: Int) in }
    producer.startWithValues { (_: Int) in }
    #expect(effects.value == [1, 2, 1, 2])
  }

  @Test("P1: a producer is a value, and a copy is the same recipe")
  func value() {
    let producer = SignalProducer<Int, Never>(value: 1)
    var copy = producer
    let same = copy
    copy = copy.map { $0 + 1 }
    #expect(producer.waitForFirst() == .success(1))
    #expect(copy.waitForFirst() == .success(2))
    #expect(same.waitForFirst() == .success(1))
  }

  @Test("P2: different starts may see different events, and share no state of an operator")
  func independentRuns() {
    let (output, input) = Signal<Int, Never>.pipe()
    let total = output.producer.scan(0, +).skipRepeats()
    let (first, second) = (Box<[Int]>([]), Box<[Int]>([]))
    total.startWithValues { first.append($0) }
    input.send(value: 1)
    total.startWithValues { second.append($0) }
    input.send(value: 2)
    #expect(first.value == [1, 3])
    #expect(second.value == [2])
  }

  @Test("P2: each run obeys the grammar of events")
  func grammarOfRuns() {
    let (output, input) = Signal<Int, Never>.pipe()
    let producer = output.producer.take(first: 2)
    let logs = [Box<[Event<Int, Never>]>([]), Box<[Event<Int, Never>]>([])]
    producer.start { logs[0].append($0) }
    input.send(value: 1)
    producer.start { logs[1].append($0) }
    for value in 2...4 { input.send(value: value) }
    #expect(logs[0].value == [.value(1), .value(2), .completed])
    #expect(logs[1].value == [.value(2), .value(3), .completed])
  }

  @Test("P4: disposing of a started producer gives one interruption, before the clean-up")
  func disposal() {
    let log = Box<[String]>([])
    let producer = SignalProducer<Int, Never> { observer, lifetime in
      lifetime.observeEnded { log.append("clean-up") }
      observer.send(value: 1)
      // What comes after the disposal must not get through.
      lifetime.observeEnded { observer.send(value: 2) }
      lifetime.observeEnded { observer.sendCompleted() }
    }
    let run = producer.map { $0 }.start { log.append($0.description) }
    run.dispose()
    run.dispose()
    #expect(log.value == ["VALUE 1", "INTERRUPTED", "clean-up"])
  }

  @Test("P4: so it is behind operators that join streams")
  func disposalOfJoined() {
    let log = Box<[String]>([])
    @Sendable func source(_ name: String) -> SignalProducer<Int, Never> {
      SignalProducer { observer, lifetime in
        lifetime += AnyDisposable { log.append("clean-up \(name)") }
        lifetime.observeEnded { _ = observer }
      }
    }
    let run = SignalProducer.merge(source("a"), source("b")).flatMap(.concat) { _ in source("c") }
      .start { log.append($0.description) }
    run.dispose()
    #expect(log.value == ["INTERRUPTED", "clean-up a", "clean-up b"])
  }

  @Test("P4: an observer may dispose of the run inside a delivery")
  func disposalInsideDelivery() {
    let log = Box<[String]>([])
    let run = SerialDisposable()
    let (output, input) = Signal<Int, Never>.pipe()
    let other = SignalProducer<Int, Never> { observer, lifetime in
      lifetime.observeEnded {
        log.append("clean-up"); _ = observer
      }
    }
    run.inner = SignalProducer.merge(output.producer, other).start { event in
      log.append(event.description)
      if event.value == 1 { run.dispose() }
    }
    input.send(value: 1)
    input.send(value: 2)
    #expect(log.value == ["VALUE 1", "INTERRUPTED", "clean-up"])
  }

  @Test("P5: disposing of one run leaves other runs of the producer alone")
  func otherRuns() {
    let (output, input) = Signal<Int, Never>.pipe()
    let producer = output.producer.map { $0 }
    let (gone, staying) = (Box<[Int]>([]), Box<[Int]>([]))
    let run = producer.startWithValues { gone.append($0) }
    producer.startWithValues { staying.append($0) }
    input.send(value: 1)
    run.dispose()
    input.send(value: 2)
    #expect(gone.value == [1])
    #expect(staying.value == [1, 2])
  }

  @Test("P5: a loop in a start handler learns of the disposal as soon as possible")
  func loopStops() {
    let sent = Box(0)
    let run = SerialDisposable()
    let producer = SignalProducer<Int, Never> { observer, lifetime in
      while !lifetime.hasEnded && sent.value < 1_000 {
        observer.send(
          value: sent.change {
            $0 += 1; return $0
          })
      }
    }
    producer.startWithSignal { signal, disposable in
      run.inner = disposable
      signal.observeValues { if $0 == 3 { run.dispose() } }
    }
    #expect(sent.value == 3)
  }

  @Test("P6: cancellation travels upstream through every kind of operator")
  func upstream() {
    func isCancelled(
      _ shape: (SignalProducer<Int, Never>) -> SignalProducer<Int, Never>
    ) -> Bool {
      let ended = Box(false)
      let (values, input) = Signal<Int, Never>.pipe()
      let source = SignalProducer<Int, Never> { observer, lifetime in
        lifetime.observeEnded { ended.set(true) }
        lifetime += values.observe(observer)
      }
      shape(source).startWithValues { (_: Int) in }
      input.send(value: 1)
      return ended.value
    }
    let never = SignalProducer<Int, Never>.never
    #expect(isCancelled { $0.take(first: 1) })
    #expect(isCancelled { $0.map { $0 }.filter { _ in true }.take(first: 1) })
    #expect(isCancelled { SignalProducer.merge($0, never).take(first: 1) })
    #expect(isCancelled { $0.flatMap(.latest) { SignalProducer(value: $0) }.take(first: 1) })
    #expect(
      isCancelled { source in
        SignalProducer<Int, Never>(value: 0).flatMap(.concat) { _ in source }.take(first: 1)
      })
    #expect(isCancelled { $0.take(until: SignalProducer<Void, Never>(value: ())) } == false)
    #expect(isCancelled { source in source.take(until: source.map { _ in }) })
    #expect(isCancelled { $0.take(while: { $0 < 1 }) })
    #expect(!isCancelled { $0.take(first: 2) })
  }

  @Test("P6: flatten(.latest) stops the inner stream that a newer one replaces")
  func latestStopsOlder() {
    let ended = Box<[Int]>([])
    @Sendable func inner(_ number: Int) -> SignalProducer<Int, Never> {
      SignalProducer { observer, lifetime in
        lifetime.observeEnded {
          ended.append(number); _ = observer
        }
      }
    }
    let (outer, input) = Signal<Int, Never>.pipe()
    outer.flatMap(.latest, inner).observeValues { (_: Int) in }
    input.send(value: 1)
    input.send(value: 2)
    #expect(ended.value == [1])
  }

  @Test("P8: startWithSignal hands over the signal before work begins")
  func handedOverFirst() {
    let log = Box<[String]>([])
    let producer = SignalProducer<Int, Never> { observer, _ in
      log.append("work")
      observer.send(value: 1)
      observer.sendCompleted()
    }
    let answer = producer.startWithSignal { signal, _ in
      log.append("setup")
      signal.observe { log.append("first \($0)") }
      signal.observe { log.append("second \($0)") }
      return 42
    }
    #expect(answer == 42)
    #expect(
      log.value == [
        "setup", "work", "first VALUE 1", "second VALUE 1", "first COMPLETED", "second COMPLETED",
      ])
  }

  @Test("P8: disposing inside the setup prevents the work")
  func preventedWork() {
    let log = Box<[String]>([])
    let producer = SignalProducer<Int, Never> { _, _ in log.append("work") }
    producer.startWithSignal { signal, run in
      signal.observe { log.append($0.description) }
      run.dispose()
    }
    #expect(log.value == ["INTERRUPTED"])
  }

  @Test("P8: work whose signal nobody holds or observes any more is stopped")
  func abandonedSignal() {
    let ended = Box(false)
    let inputs = Box<Signal<Int, Never>.Observer?>(nil)
    let producer = SignalProducer<Int, Never> { observer, lifetime in
      inputs.set(observer)
      lifetime.observeEnded { ended.set(true) }
    }
    let observation = producer.startWithSignal { signal, _ in
      signal.observeValues { (_: Int) in }
    }
    #expect(!ended.value)
    observation?.dispose()
    #expect(ended.value)
  }

  @Test("P13: a producer can be started straight into the input of a pipe")
  func intoPipe() {
    let starts = Box(0)
    let producer = SignalProducer<Int, Never> { observer, _ in
      starts.change { $0 += 1 }
      observer.send(value: 1)
      observer.sendCompleted()
    }
    let (output, input) = Signal<Int, Never>.pipe()
    let logs = [Box<[Event<Int, Never>]>([]), Box<[Event<Int, Never>]>([])]
    for log in logs { output.observe { log.append($0) } }
    producer.start(input)
    #expect(starts.value == 1)
    for log in logs { #expect(log.value == [.value(1), .completed]) }
  }
}
