import ReactiveCocoa2Compatibility
import Testing
import VarveReactive
import VarveTestRig

@Suite struct ConnectionTests {
  /// A producer whose starts can be counted, and what controls the latest.
  private struct Source {
    let starts = Box(0)
    let ends = Box(0)
    let input = Box<Signal<Int, TestFailure>.Observer?>(nil)

    var producer: SignalProducer<Int, TestFailure> {
      SignalProducer { observer, lifetime in
        starts.change { $0 += 1 }
        input.set(observer)
        lifetime.observeEnded { ends.change { $0 += 1 } }
      }.named("source")
    }

    func send(_ value: Int) { input.value?.send(value: value) }
  }

  private func observe<Value, Failure>(
    _ producer: SignalProducer<Value, Failure>
  ) -> (log: Box<[String]>, run: any Disposable) {
    let log = Box<[String]>([])
    return (log, producer.start { event in log.append("\(event)") })
  }

  @Test("L4: a published producer runs once, when it is connected, however many observe")
  func publish() {
    let source = Source()
    let connection = source.producer.publish()
    let first = observe(connection.producer).log
    let second = observe(connection.producer).log
    #expect(source.starts.value == 0)
    connection.connect()
    source.send(1)
    let late = observe(connection.producer).log
    source.send(2)
    source.input.value?.sendCompleted()
    #expect(source.starts.value == 1)
    #expect(first.value == ["VALUE 1", "VALUE 2", "COMPLETED"])
    #expect(second.value == first.value)
    #expect(late.value == ["VALUE 2", "COMPLETED"])
    #expect(observe(connection.producer).log.value == ["COMPLETED"])
  }

  @Test("L4: connecting is idempotent, also from many threads")
  func idempotent() {
    let source = Source()
    let connection = source.producer.publish()
    let runs = Box<[ObjectIdentifier]>([])
    onThreads(4) { _ in
      let run = connection.connect()
      runs.append(ObjectIdentifier(run))
    }
    #expect(source.starts.value == 1)
    #expect(Set(runs.value).count == 1)
  }

  @Test("L4: disposing of what connect returned stops the run and interrupts the observers")
  func disconnecting() {
    let source = Source()
    let connection = source.producer.publish()
    let log = observe(connection.producer).log
    let run = connection.connect()
    source.send(1)
    run.dispose()
    #expect(source.ends.value == 1)
    source.send(2)
    #expect(log.value == ["VALUE 1", "INTERRUPTED"])
    connection.connect()
    #expect(source.starts.value == 1)
  }

  @Test("L4: an observer's own disposal leaves the run and the others alone")
  func oneLess() {
    let source = Source()
    let connection = source.producer.publish()
    let (first, run) = observe(connection.producer)
    let second = observe(connection.producer).log
    connection.connect()
    run.dispose()
    source.send(1)
    #expect(first.value == ["INTERRUPTED"])
    #expect(second.value == ["VALUE 1"])
    #expect(source.ends.value == 0)
  }

  @Test("L4: multicast runs into the subject that it is given")
  func multicast() {
    let source = Source()
    let subject = BehaviorSubject<Int, TestFailure>(0)
    let connection = source.producer.multicast(into: subject)
    connection.connect()
    source.send(1)
    let log = observe(connection.producer).log
    source.send(2)
    #expect(log.value == ["VALUE 1", "VALUE 2"])
    #expect(subject.value == 2)
  }

  @Test("L2: replay keeps all, replay(upTo:) some, replayLast the last value")
  func replays() {
    func late(_ make: (SignalProducer<Int, TestFailure>) -> Connection<Int, TestFailure>)
      -> [String]
    {
      let source = Source()
      let connection = make(source.producer)
      connection.connect()
      for value in 1...3 { source.send(value) }
      let log = observe(connection.producer).log
      source.send(4)
      source.input.value?.send(error: TestFailure())
      #expect(source.starts.value == 1)
      return log.value
    }
    let rest = ["VALUE 4", "FAILED TestFailure()"]
    #expect(late { $0.replay() } == ["VALUE 1", "VALUE 2", "VALUE 3"] + rest)
    #expect(late { $0.replay(upTo: 2) } == ["VALUE 2", "VALUE 3"] + rest)
    #expect(late { $0.replayLast() } == ["VALUE 3"] + rest)
    #expect(late { $0.publish() } == rest)
  }

  @Test("L4: autoconnect starts with the first observer and stops with the last")
  func autoconnect() {
    let source = Source()
    let shared = source.producer.publish().autoconnect()
    #expect(source.starts.value == 0)
    let (first, firstRun) = observe(shared)
    #expect(source.starts.value == 1)
    let (second, secondRun) = observe(shared)
    source.send(1)
    firstRun.dispose()
    #expect(source.ends.value == 0)
    source.send(2)
    secondRun.dispose()
    #expect(source.ends.value == 1)
    #expect(first.value == ["VALUE 1", "INTERRUPTED"])
    #expect(second.value == ["VALUE 1", "VALUE 2", "INTERRUPTED"])
  }

  @Test("L4: autoconnect never connects again")
  func neverAgain() {
    let source = Source()
    let shared = source.producer.replay().autoconnect()
    let (_, run) = observe(shared)
    source.send(1)
    run.dispose()
    let late = observe(shared).log
    #expect(late.value == ["VALUE 1", "INTERRUPTED"])
    #expect(source.starts.value == 1)
  }

  @Test("L4: an autoconnected run that ends by itself has one end, for late observers, too")
  func autoconnectedEnd() {
    let shared = SignalProducer<Int, Never>([1, 2]).replayLast().autoconnect()
    #expect(observe(shared).log.value == ["VALUE 1", "VALUE 2", "COMPLETED"])
    #expect(observe(shared).log.value == ["VALUE 2", "COMPLETED"])
  }

  @Test("L4: of many starts at once one connects, and the last to go stops the run")
  func racing() {
    for _ in 0..<50 {
      let source = Source()
      let shared = source.producer.publish().autoconnect()
      let keeper = observe(shared).run
      onThreads(4) { _ in self.observe(shared).run.dispose() }
      #expect(source.starts.value == 1)
      #expect(source.ends.value == 0)
      keeper.dispose()
      #expect(source.ends.value == 1)
    }
  }

  @Test("P1: publishing, and dropping what was published, does nothing")
  func nothing() {
    let source = Source()
    for connection in [source.producer.publish(), source.producer.replay()] {
      _ = connection.autoconnect()
    }
    #expect(source.starts.value == 0)
  }

  @Test("L4: those who share a run hear of its end, whoever connects and whoever disconnects first")
  func endOfARace() {
    for _ in 0..<500 {
      let source = Source()
      let connection = source.producer.publish()
      let log = observe(connection.producer).log
      onThreads(2) { _ in connection.connect().dispose() }
      #expect(log.value == ["INTERRUPTED"])
      #expect(source.ends.value == source.starts.value)
    }
  }

  @Test("L4: those who share a run hear of its end, whenever the last start of it is disposed of")
  func endOfASharedRace() {
    for _ in 0..<500 {
      let source = Source()
      let connection = source.producer.publish()
      let log = observe(connection.producer).log
      let shared = connection.autoconnect()
      onThreads(3) { index in
        if index == 0 { connection.connect() } else { shared.start().dispose() }
      }
      #expect(log.value == ["INTERRUPTED"])
      #expect(source.ends.value == source.starts.value)
    }
  }

  @Test("P10: what connect returned holds nothing of the run after its end")
  func released() {
    final class Token: Sendable {}
    weak var weakToken: Token?
    let run: any Disposable
    do {
      let token = Token()
      weakToken = token
      run = SignalProducer<Int, Never> { observer, _ in
        withExtendedLifetime(token) { observer.sendCompleted() }
      }.publish().connect()
    }
    #expect(run.isDisposed)
    #expect(weakToken == nil)
  }

  @Test("N5: a connection's names are ReactiveCocoa 2's, character for character")
  func names() {
    let source = Source().producer
    #expect(source.publish().bracketDescription == "[source] -multicast: [source] -publish")
    #expect(source.replay().bracketDescription == "[source] -multicast: [source] -replay")
    #expect(source.replayLast().bracketDescription == "[source] -multicast: [source] -replayLast")
    #expect(source.replayLazily().bracketDescription == "[source] -replayLazily")
    #expect(
      source.publish().autoconnect().bracketDescription
        == "[[source] -multicast: [source] -publish] -autoconnect")
    let subject = ReplaySubject<Int, TestFailure>(named: "subject")
    #expect(
      source.multicast(into: subject).bracketDescription == "[source] -multicast: subject")
    #expect(source.publish().description == "source.publish()")
    #expect(
      source.replay(upTo: 3).autoconnect().description == "source.replay(upTo: 3).autoconnect()")
    #expect(source.multicast(into: subject).description == "source.multicast(into: subject)")
  }

  @Test("L3: replayLazily starts once, at the first start, and shares the run and its end")
  func lazily() {
    let source = Source()
    let shared = source.producer.replayLazily(upTo: 1)
    #expect(source.starts.value == 0)
    let first = observe(shared).log
    source.send(1)
    source.send(2)
    let second = observe(shared).log
    source.input.value?.send(error: TestFailure())
    #expect(source.starts.value == 1)
    #expect(first.value == ["VALUE 1", "VALUE 2", "FAILED TestFailure()"])
    #expect(second.value == ["VALUE 2", "FAILED TestFailure()"])
    #expect(observe(shared).log.value == ["VALUE 2", "FAILED TestFailure()"])
  }

  @Test("L3: the work is disposed of when no copy of the producer and no running start is left")
  func lazilyReleased() {
    let source = Source()
    var shared: SignalProducer<Int, TestFailure>? = source.producer.replayLazily(upTo: 1)
    var copy = shared
    let run = shared.map { observe($0).run }
    shared = nil
    #expect(source.ends.value == 0)
    run?.dispose()
    // A copy is left.
    #expect(source.ends.value == 0)
    copy = nil
    #expect(source.ends.value == 1)
    withExtendedLifetime(copy) {}
  }

  @Test("L3: a running start keeps the work going without any copy")
  func lazilyRunning() {
    let source = Source()
    let (log, run) = observe(source.producer.replayLazily(upTo: 1))
    source.send(1)
    #expect(log.value == ["VALUE 1"])
    run.dispose()
    #expect(source.ends.value == 1)
  }

  @Test("L2: work that was started eagerly ran at once, and late observers get all of it")
  func eagerly() {
    let starts = Box(0)
    let scheduler = TestScheduler()
    let producer = SignalProducer<Int, Never>.startEagerly(on: scheduler) { observer, _ in
      starts.change { $0 += 1 }
      observer.send(value: 1)
      observer.sendCompleted()
    }
    scheduler.advance()
    #expect(starts.value == 1)
    #expect(observe(producer).log.value == ["VALUE 1", "COMPLETED"])
    #expect(observe(producer).log.value == ["VALUE 1", "COMPLETED"])
    #expect(starts.value == 1)
    #expect(
      producer.bracketDescription == "+startEagerlyWithScheduler: \(scheduler) block:")
  }

  @Test("L3: work that is to be started lazily runs once, at the first start")
  func startLazily() {
    let starts = Box(0)
    let scheduler = TestScheduler()
    let producer = SignalProducer<Int, Never>.startLazily(on: scheduler) { observer, _ in
      starts.change { $0 += 1 }
      observer.send(value: 1)
      observer.sendCompleted()
    }
    scheduler.advance()
    #expect(starts.value == 0)
    let first = observe(producer).log
    let second = observe(producer).log
    #expect(first.value == [])
    scheduler.advance()
    #expect(first.value == ["VALUE 1", "COMPLETED"])
    #expect(second.value == first.value)
    #expect(starts.value == 1)
    #expect(producer.bracketDescription == "+startLazilyWithScheduler: \(scheduler) block:")
  }
}
