import Testing
import VarveReactive
import VarveTestRig

@Suite struct SubjectTests {
  /// What a start of a producer gets, one text an event.
  private func observe<Value, Failure>(
    _ producer: SignalProducer<Value, Failure>
  ) -> (log: Box<[String]>, run: any Disposable) {
    let log = Box<[String]>([])
    return (log, producer.start { event in log.append("\(event)") })
  }

  @Test("L1: a pipe is an output and an input that controls it")
  func pipe() {
    let (output, input) = Signal<Int, TestFailure>.pipe()
    let log = Box<[Event<Int, TestFailure>]>([])
    output.observe { log.append($0) }
    input.send(value: 1)
    input.send(.value(2))
    input.send(error: TestFailure())
    input.send(value: 3)
    #expect(log.value == [.value(1), .value(2), .failed(TestFailure())])
  }

  @Test("L1: a pipe's disposable is disposed of after its end")
  func pipeDisposable() {
    let disposable = AnyDisposable()
    let (output, input) = Signal<Int, Never>.pipe(disposable: disposable)
    let wasDisposed = Box<Bool?>(nil)
    output.observeCompleted { wasDisposed.set(disposable.isDisposed) }
    input.sendCompleted()
    #expect(wasDisposed.value == false)
    #expect(disposable.isDisposed)
  }

  @Test("L2: who comes late gets the last n, then what follows, and the real end")
  func bounded() {
    let subject = ReplaySubject<Int, TestFailure>(upTo: 2)
    let early = observe(subject.producer).log
    for value in 1...3 { subject.send(value: value) }
    let late = observe(subject.producer).log
    subject.send(value: 4)
    subject.send(error: TestFailure())
    subject.send(value: 5)
    let afterTheEnd = observe(subject.producer).log
    #expect(
      early.value == ["VALUE 1", "VALUE 2", "VALUE 3", "VALUE 4", "FAILED TestFailure()"])
    #expect(late.value == ["VALUE 2", "VALUE 3", "VALUE 4", "FAILED TestFailure()"])
    #expect(afterTheEnd.value == ["VALUE 3", "VALUE 4", "FAILED TestFailure()"])
  }

  @Test("L2: or all of them")
  func unbounded() {
    let subject = ReplaySubject<Int, Never>()
    for value in 0..<1_000 { subject.send(value: value) }
    subject.sendCompleted()
    let log = Box<[Int]>([])
    let hasCompleted = Flag()
    subject.producer.start { event in
      if let value = event.value { log.append(value) } else { hasCompleted.raise() }
    }
    #expect(log.value == Array(0..<1_000))
    #expect(hasCompleted.isRaised)
  }

  @Test("L2: a subject that keeps nothing still tells late observers the end")
  func nothingKept() {
    let subject = ReplaySubject<Int, Never>(upTo: 0)
    subject.send(value: 1)
    let log = observe(subject.producer).log
    subject.send(value: 2)
    subject.sendCompleted()
    #expect(log.value == ["VALUE 2", "COMPLETED"])
    #expect(observe(subject.producer).log.value == ["COMPLETED"])
  }

  @Test("L2: an observer that comes inside a delivery gets its value once, and those after it")
  func inside() {
    let subject = ReplaySubject<Int, Never>(upTo: 2)
    let log = Box<[Int]>([])
    subject.signal.take(first: 1).observeValues { _ in
      subject.producer.startWithValues { log.append($0) }
    }
    subject.send(value: 1)
    subject.send(value: 2)
    #expect(log.value == [1, 2])
  }

  @Test("L2: observers that come while another thread sends see neither a gap nor a double")
  func racing() {
    for _ in 0..<20 {
      let subject = ReplaySubject<Int, Never>()
      let logs = (0..<4).map { _ in Box<[Int]>([]) }
      onThreads(5) { index in
        if index == 4 {
          for value in 0..<500 { subject.send(value: value) }
        } else {
          for _ in 0..<(index * 50) { relax() }
          subject.producer.startWithValues { logs[index].append($0) }
        }
      }
      for log in logs { #expect(log.value == Array(0..<500)) }
    }
  }

  @Test("P2: starts of a shared run that is over do not wait for each other")
  func startsAfterTheEnd() {
    let shared = SignalProducer<Int, Never>(value: 1).replayLazily(upTo: 1)
    shared.start()
    let (isDone, gotThrough) = (Flag(), Box<Bool?>(nil))
    onThreads(1) { _ in
      shared.startWithValues { _ in
        inBackground { shared.startWithCompleted { isDone.raise() } }
        gotThrough.set(isDone.isRaisedInTime())
      }
    }
    #expect(gotThrough.value == true)
  }

  @Test("L2: a value that loses the race against the end is not kept for those who come late")
  func raceAgainstTheEnd() {
    for round in 0..<300 {
      let subject = ReplaySubject<Int, Never>(upTo: 1)
      subject.send(value: -1)
      let live = Box<[Int]>([])
      subject.producer.startWithValues { live.append($0) }
      onThreads(2) { index in
        if index == 0 { subject.send(value: round) } else { subject.sendCompleted() }
      }
      let late = Box<[Int]>([])
      subject.producer.startWithValues { late.append($0) }
      #expect(late.value.last == live.value.last)
    }
  }

  @Test("L2: a behaviour subject gives late observers its latest value, and can end")
  func behavior() {
    let subject = BehaviorSubject<Int, TestFailure>(0)
    let first = observe(subject.producer).log
    subject.send(value: 1)
    let second = observe(subject.producer).log
    #expect(subject.value == 1)
    subject.send(value: 2)
    subject.send(error: TestFailure())
    subject.send(value: 3)
    #expect(subject.value == 2)
    #expect(first.value == ["VALUE 0", "VALUE 1", "VALUE 2", "FAILED TestFailure()"])
    #expect(second.value == ["VALUE 1", "VALUE 2", "FAILED TestFailure()"])
    #expect(observe(subject.producer).log.value == ["VALUE 2", "FAILED TestFailure()"])
  }

  @Test("L2: inside a delivery a behaviour subject's value is the one that is delivered")
  func behaviorInside() {
    let subject = BehaviorSubject<Int, Never>(0)
    let seen = Box<[Int]>([])
    subject.signal.observeValues { _ in seen.append(subject.value) }
    subject.send(value: 1)
    subject.send(value: 2)
    #expect(seen.value == [1, 2])
  }

  @Test("S4: when neither a subject nor its input is held, its observers are interrupted")
  func dropped() {
    var subject: ReplaySubject<Int, Never>? = ReplaySubject(upTo: 1)
    let producer = subject?.producer ?? .empty
    var input = subject?.input
    let log = observe(producer).log
    subject = nil
    input?.send(value: 1)
    #expect(log.value == ["VALUE 1"])
    #expect(observe(producer).log.value == ["VALUE 1"])
    input = nil
    #expect(log.value == ["VALUE 1", "INTERRUPTED"])
    #expect(observe(producer).log.value == ["VALUE 1", "INTERRUPTED"])
    withExtendedLifetime(input) {}
  }

  @Test("P4: disposing of one start interrupts that one alone")
  func disposal() {
    let subject = ReplaySubject<Int, Never>(upTo: 1)
    let (first, run) = observe(subject.producer)
    let second = observe(subject.producer).log
    run.dispose()
    subject.send(value: 1)
    #expect(first.value == ["INTERRUPTED"])
    #expect(second.value == ["VALUE 1"])
  }

  @Test("P13: a producer started into a pipe's input or a subject is one run with one end for all")
  func startedInto() {
    let starts = Box(0)
    let source = SignalProducer<Int, Never> { observer, _ in
      starts.change { $0 += 1 }
      observer.send(value: 1)
      observer.sendCompleted()
    }
    let (output, input) = Signal<Int, Never>.pipe()
    let logs = (0..<2).map { _ in Box<[Event<Int, Never>]>([]) }
    for log in logs { output.observe { log.append($0) } }
    source.start(input)
    for log in logs { #expect(log.value == [.value(1), .completed]) }
    let subject = ReplaySubject<Int, Never>(upTo: 1)
    let early = observe(subject.producer).log
    source.start(subject.input)
    #expect(early.value == ["VALUE 1", "COMPLETED"])
    #expect(observe(subject.producer).log.value == ["VALUE 1", "COMPLETED"])
    #expect(starts.value == 2)
  }

  @Test("N1: a subject is called after its kind and its place, or by its name")
  func names() {
    #expect("\(ReplaySubject<Int, Never>(upTo: 1))".hasPrefix("replaySubject@SubjectTests.swift:"))
    #expect("\(BehaviorSubject<Int, Never>(1))".hasPrefix("behaviorSubject@SubjectTests.swift:"))
    let subject = ReplaySubject<Int, Never>(upTo: 1, named: "lines")
    #expect("\(subject)" == "lines")
    #expect("\(subject.producer.skipRepeats())" == "lines.skipRepeats()")
  }
}
