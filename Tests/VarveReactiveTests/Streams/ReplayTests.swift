import ReactiveCocoa2Compatibility
import Testing
import VarveReactive
import VarveTestRig

/// What an observer may do while it is given what a stream has kept: anything, for that is no
/// delivery of the stream.
@Suite struct ReplayTests {
  private typealias Shared = (
    producer: SignalProducer<Int, TestFailure>, input: Signal<Int, TestFailure>.Observer
  )

  /// The kinds of streams that keep their latest value.
  private static func sharing(
    _ kind: String
  ) -> (producer: SignalProducer<Int, TestFailure>, input: Signal<Int, TestFailure>.Observer) {
    let (output, input) = Signal<Int, TestFailure>.pipe()
    switch kind {
    case "replayLazily":
      let shared = output.producer.replayLazily(upTo: 1)
      shared.start()
      return (shared, input)
    case "connection":
      let connection = output.producer.replayLast()
      connection.connect()
      return (connection.producer, input)
    case "channel":
      let channel = Channel<Int, TestFailure>()
      return (channel.following.producer, channel.leading.input)
    case "behaviour":
      let subject = BehaviorSubject<Int, TestFailure>(0)
      return (subject.producer, subject.input)
    default:
      let subject = ReplaySubject<Int, TestFailure>(upTo: 1)
      return (subject.producer, subject.input)
    }
  }

  private static let kinds = ["subject", "behaviour", "replayLazily", "connection", "channel"]

  @Test(
    "L2, L3: an observer may answer what it is given by sending; nothing is lost", arguments: kinds)
  func answers(kind: String) {
    let (producer, input) = Self.sharing(kind)
    input.send(value: 1)
    let (log, others) = (Box<[String]>([]), Box<[String]>([]))
    producer.skip(first: 1).start { others.append("\($0)") }
    producer.start { event in
      log.append("\(event)")
      guard event.value == 1 else { return }
      // More than is kept.
      for value in 2...4 { input.send(value: value) }
      input.send(error: TestFailure())
      log.append("sent")
    }
    let rest = ["VALUE 2", "VALUE 3", "VALUE 4", "FAILED TestFailure()"]
    #expect(log.value == ["VALUE 1", "sent"] + rest)
    #expect(others.value == rest)
  }

  @Test("L2: one that answers each value with the next gets them in order", arguments: kinds)
  func answersAgain(kind: String) {
    let (producer, input) = Self.sharing(kind)
    input.send(value: 1)
    let (log, live) = (Box<[Int]>([]), Box<[Int]>([]))
    producer.startWithResult { if case .success(let value) = $0 { live.append(value) } }
    producer.startWithResult { result in
      guard case .success(let value) = result else { return }
      log.append(value)
      if value < 1_000 { input.send(value: value + 1) }
    }
    #expect(log.value == Array(1...1_000))
    #expect(live.value == Array(1...1_000))
    input.send(value: 1_001)
    #expect(log.value.suffix(2) == [1_000, 1_001])
  }

  @Test("L2: nobody who sends waits for an observer that is given what is kept", arguments: kinds)
  func senders(kind: String) {
    let (producer, input) = Self.sharing(kind)
    input.send(value: 1)
    let log = Box<[String]>([])
    producer.start { event in
      if event.value == 1 {
        let isSent = Flag()
        inBackground {
          input.send(value: 2)
          isSent.raise()
        }
        log.append("sent: \(isSent.isRaisedInTime())")
      }
      log.append("\(event)")
    }
    #expect(log.value == ["sent: true", "VALUE 1", "VALUE 2"])
  }

  @Test("P4: an observer that disposes of its start gets its interruption, and nothing more")
  func disposal() {
    let (producer, input) = Self.sharing("subject")
    input.send(value: 1)
    let (log, run) = (Box<[String]>([]), SerialDisposable())
    producer.startWithSignal { signal, interrupter in
      run.inner = interrupter
      signal.observe { event in
        log.append("\(event)")
        guard event.value == 1 else { return }
        input.send(value: 2)
        run.dispose()
        input.send(value: 3)
      }
    }
    input.send(value: 4)
    #expect(log.value == ["VALUE 1", "INTERRUPTED"])
  }

  @Test("E1: an end that another thread sends meanwhile comes after what is kept")
  func endFromElsewhere() {
    let subject = ReplaySubject<Int, TestFailure>()
    for value in 1...3 { subject.send(value: value) }
    let log = Box<[String]>([])
    subject.producer.start { event in
      if event.value == 1 { onThreads(1) { _ in subject.send(error: TestFailure()) } }
      log.append("\(event)")
    }
    #expect(log.value == ["VALUE 1", "VALUE 2", "VALUE 3", "FAILED TestFailure()"])
  }

  @Test("L3: a store of states may be asked for the next state by whoever is given the first")
  func store() {
    let (events, input) = Signal<String, Never>.pipe()
    let state = events.producer.scan([]) { $0 + [$1] }.prefix(value: []).replayLazily(upTo: 1)
    state.start()
    let log = Box<[[String]]>([])
    state.startWithValues { state in
      log.append(state)
      if state.isEmpty { input.send(value: "load") }
    }
    #expect(log.value == [[], ["load"]])
  }

  @Test("E14: starting a shared stream into another that delivers is no circular wait")
  func crosswise() {
    let (updates, updateInput) = Signal<Int, Never>.pipe()
    let state = updates.producer.replayLazily(upTo: 1)
    state.start()
    updateInput.send(value: 0)
    // Its latest value alone: what followed would come back to the stream that it led to.
    let latest = state.take(first: 1)
    let (events, eventInput) = Signal<Int, Never>.pipe()
    onThreads(2) { index in
      for round in 1...500 {
        if index == 0 {
          eventInput.send(value: round)
        } else {
          SignalProducer.merge(events.producer, latest).startWithValues { value in
            guard value > 0 else { return }
            // So that the other thread is likely to be where it would wait for this one.
            for _ in 0..<20 { relax() }
            updateInput.send(value: 0)
          }.dispose()
        }
      }
    }
  }

  @Test("T3: what comes while an observer is given what is kept names where it came from")
  func causes() async throws {
    let subject = ReplaySubject<Int, Never>(upTo: 1, named: "kept by a subject")
    let mapped = subject.producer.map { $0 }.named("kept and mapped")
    let rig = await ProbeRig.record { _ in
      subject.send(value: 1)
      mapped.startWithValues { if $0 == 1 { subject.send(value: 2) } }
      subject.send(value: 3)
    }
    let source = try #require(rig.stream(named: "kept by a subject")).id
    let result = try #require(rig.stream(named: "kept and mapped")).id
    // The first was put aside before the subject delivered it.
    let sources = rig.records(.value, of: result).dropFirst().map { value -> RigRecord? in
      var record: RigRecord? = value
      while let current = record, current.stream != source {
        record = rig.record(current.causes.first)
      }
      return record
    }
    #expect(rig.records(.value, of: result).map(\.word) == [1, 2, 3])
    #expect(sources.map { $0?.word } == [2, 3])
  }
}
