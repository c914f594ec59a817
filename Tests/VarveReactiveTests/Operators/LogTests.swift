import ReactiveCocoa2Compatibility
import Testing
import VarveProbe
import VarveReactive
import VarveTestRig

@Suite struct LogTests {
  /// A log that keeps its lines: identifier and event.
  private func keeping(_ lines: Box<[String]>) -> EventLog {
    .events { event in lines.append("[\(event.identifier)] \(event.event)") }
  }

  @Test("T1: logEvents writes a line for each event as it occurs, with the stream's name")
  func producer() {
    let lines = Box<[String]>([])
    SignalProducer<Int, Never>([1, 2]).named("numbers").logEvents(to: keeping(lines))
      .startWithValues { lines.append("seen \($0)") }
    #expect(
      lines.value == [
        "[numbers] starting", "[numbers] value 1", "seen 1", "[numbers] value 2", "seen 2",
        "[numbers] completed", "[numbers] terminated", "[numbers] disposed", "[numbers] started",
      ])
  }

  @Test("T1: on a signal too")
  func signal() {
    let lines = Box<[String]>([])
    let (signal, input) = Signal<Int, TestFailure>.pipe(named: "taps")
    signal.map { $0 * 2 }.logEvents(to: keeping(lines)).observeCompleted {}
    input.send(value: 1)
    input.send(error: TestFailure())
    #expect(
      lines.value == [
        "[taps.map(_:)] value 2", "[taps.map(_:)] failed TestFailure()",
        "[taps.map(_:)] terminated", "[taps.map(_:)] disposed",
      ])
  }

  @Test("T1: only the chosen kinds of events, under the chosen identifier")
  func choice() {
    let lines = Box<[String]>([])
    SignalProducer<Int, Never>([1, 2])
      .logEvents(identifier: "n", events: [.completed, .starting], to: keeping(lines)).start()
    #expect(lines.value == ["[n] starting", "[n] completed"])
  }

  @Test("T1: a closure gets the place of the call")
  func place() {
    let places = Box<[String]>([])
    let line = #line + 2
    let log = EventLog.events { places.append("\($0.file) \($0.function) \($0.line)") }
    SignalProducer<Int, Never>(value: 1).logEvents(events: [.value], to: log).start()
    #expect(places.value == ["VarveReactiveTests/LogTests.swift place() \(line)"])
  }

  @Test("T1: the short forms, and the older one")
  func shortForms() {
    func logged(
      _ log: (SignalProducer<Int, TestFailure>, EventLog) -> SignalProducer<Int, TestFailure>
    ) -> [String] {
      let lines = Box<[String]>([])
      for ending in Ending.allCases {
        _ = marbles([1], ending) { log($0.named("a"), keeping(lines)) }
      }
      return lines.value
    }
    let values = ["[a] value 1", "[a] value 1", "[a] value 1"]
    #expect(logged { $0.logValues(to: $1) } == values)
    #expect(logged { $0.logNext(to: $1) } == values)
    #expect(logged { $0.logErrors(to: $1) } == ["[a] failed TestFailure()"])
    #expect(logged { $0.logCompleted(to: $1) } == ["[a] completed"])
    #expect(
      logged { $0.logAll(to: $1) } == [
        "[a] value 1", "[a] completed", "[a] value 1", "[a] failed TestFailure()", "[a] value 1",
        "[a] interrupted",
      ])
  }

  @Test("T1: the short forms of a signal")
  func shortFormsOfASignal() {
    let lines = Box<[String]>([])
    let (signal, input) = Signal<Int, TestFailure>.pipe(named: "s")
    let log = keeping(lines)
    let signals = [
      signal.logAll(to: log), signal.logValues(to: log), signal.logNext(to: log),
      signal.logErrors(to: log), signal.logCompleted(to: log),
    ]
    input.send(value: 1)
    #expect(lines.value == ["[s] value 1", "[s] value 1", "[s] value 1"])
    lines.set([])
    input.sendCompleted()
    #expect(lines.value == ["[s] completed", "[s] completed"])
    withExtendedLifetime(signals) {}
  }

  @Test("T1: into the trace, because of the event, with name and place")
  func trace() async throws {
    let (signal, input) = Signal<Int, Never>.pipe(named: "traced")
    let line = #line + 1
    signal.logValues(to: .trace).observeValues { _ in }
    input.send(value: 0)  // No trace: nothing is written.
    let rig = await ProbeRig.record { _ in input.send(value: 1) }
    let source = try #require(rig.streams.first { $0.name == "traced" && $0.isNamed })
    let value = try #require(rig.records(.value, of: source.id).first)
    let logs = rig.records.filter { $0.kind == .log && $0.causes.first == value.reference }
    #expect(logs.map(\.text) == ["[traced] value 1 (LogTests.swift:\(line))"])
  }

  @Test("T1: the standard output by default, one line an event")
  func standardOutput() async throws {
    let result = await #expect(
      processExitsWith: .success, observing: [\.standardOutputContent]
    ) {
      SignalProducer<Int, Never>(value: 1).named("printed").logValues().start()
    }
    let output = String(decoding: result?.standardOutputContent ?? [], as: UTF8.self)
    #expect(output.contains("[printed] value 1 (LogTests.swift:"))
  }

  @Test("T1: a closure can get time, thread, subscription and place")
  func circumstances() throws {
    let events = Box<[LoggedEvent]>([])
    let (signal, input) = Signal<Int, TestFailure>.pipe(named: "taps")
    let line: UInt = #line + 1
    let logged = signal.logAll(to: .events { events.append($0) })
    onThreads(1) { _ in input.send(value: 1) }
    input.send(error: TestFailure())
    #expect(events.value.map(\.event) == ["value 1", "failed TestFailure()"])
    #expect(events.value.map(\.kind) == [.value, .failed])
    let (first, last) = try (#require(events.value.first), #require(events.value.last))
    #expect(first.identifier == "taps")
    #expect((first.file, first.line) == ("VarveReactiveTests/LogTests.swift", line))
    #expect(first.thread != last.thread)
    #expect(first.subscription == last.subscription)
    #expect(first.subscription != 0)
    #expect(first.time.seconds > 1_700_000_000)
    let clock = #/\d\d:\d\d:\d\d\.\d{6} /#
    #expect(first.description.prefixMatch(of: clock) != nil)
    #expect(first.description.contains("[taps] value 1 (LogTests.swift:\(line), "))
    #expect(first.description.hasSuffix(", subscription \(first.subscription))"))
    withExtendedLifetime(logged) {}
  }

  @Test("T1: two starts have subscriptions of their own")
  func subscriptions() {
    let events = Box<[LoggedEvent]>([])
    let producer = SignalProducer<Int, Never>([1, 2]).logValues(to: .events { events.append($0) })
    producer.start()
    producer.start()
    let numbers = events.value.map(\.subscription)
    #expect(numbers[0] == numbers[1])
    #expect(numbers[2] == numbers[3])
    #expect(numbers[0] != numbers[2])
  }

  @Test("T7: what must not reach a trace is not logged into it")
  func withheld() async {
    let (signal, input) = Signal<Withheld<String>, Never>.pipe(named: "password")
    signal.logValues(to: .trace).observeValues { _ in }
    let rig = await ProbeRig.record { _ in input.send(value: Withheld("open sesame")) }
    let logs = rig.records.filter { $0.kind == .log }.compactMap(\.text)
    #expect(logs.contains { $0.contains("[password] value (withheld)") })
    #expect(!logs.contains { $0.contains("sesame") })
  }

  /// A user's own type that keeps itself out of traces, but not out of everything else.
  private struct Password: TraceValue, Hashable, Comparable, Sendable, CustomStringConvertible {
    var text = "open sesame"
    var tracePayload: TracePayload { .withheld }
    var description: String { text }
    static func < (one: Self, other: Self) -> Bool { one.text < other.text }
  }

  private struct Account: Sendable {
    var name = "ada"
    var passwords = ["old": Password()]
  }

  @Test("T7: a private value stays out of a trace wherever it lies, logged or recorded")
  func nestedWithheld() async throws {
    let (signal, input) = Signal<any Sendable, Never>.pipe(named: "nested secrets")
    signal.logValues(to: .trace).observeValues { _ in }
    let nested: [any Sendable] = [
      Password(), [Password()], Password() as Password?, Account(), [Account()],
      Result<Password, TestFailure>.success(Password()), Password()...Password(),
      [1: [Password()]], ["a": Password()] as KeyValuePairs, Set([Password()]),
      (1, Password()), ["public"],
    ]
    let rig = await ProbeRig.record { _ in for value in nested { input.send(value: value) } }
    let stream = try #require(rig.stream(named: "nested secrets")).id
    let records = rig.records.filter { $0.stream == stream || $0.kind == .log }
    #expect(rig.records(.value, of: stream).count == nested.count)
    for record in records {
      let text = String(decoding: record.bytes, as: UTF8.self)
      #expect(!text.contains("sesame"), "\(text)")
    }
    #expect(records.contains { $0.text?.contains("public") == true })
  }
}
