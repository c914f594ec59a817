import Dispatch
import Foundation
import ReactiveSwiftCompatibility
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

// What clients extend.

extension Signal where Value == Int, Error == Never {
  fileprivate func doubled() -> Signal<Int, Error> { map { $0 * 2 } }
}

extension SignalProducer where Error == TestError {
  fileprivate func orZero(_ zero: Value) -> SignalProducer<Value, Never> {
    flatMapError { (_: Error) in SignalProducer<Value, Never>(value: zero) }
  }
}

extension SignalProducer {
  fileprivate func logged(_ log: @escaping (String) -> Void) -> SignalProducer<Value, Error> {
    on(
      failed: { (error: Error) in log("failed \(error)") },
      value: { (value: Value) in log("value \(value)") })
  }

  fileprivate static func deferred(
    _ make: @escaping () -> SignalProducer<Value, Error>
  ) -> SignalProducer<Value, Error> {
    SignalProducer { observer, lifetime in lifetime += make().start(observer) }
  }
}

extension SignalProtocol where Value: Comparable {
  fileprivate func largest() -> Signal<Value?, Error> {
    signal.reduce(nil) { best, value in best.map { Swift.max($0, value) } ?? value }
  }
}

extension SignalProducerProtocol where Value == String, Error == Never {
  fileprivate func shouted() -> SignalProducer<String, Never> { producer.map { $0.uppercased() } }
}

extension SignalProducerConvertible where Error == Never {
  fileprivate func gathered() -> [Value] {
    var values: [Value] = []
    producer.startWithValues { values.append($0) }
    return values
  }
}

extension PropertyProtocol where Value == Int {
  fileprivate var isPositive: Property<Bool> { map { $0 > 0 } }
}

extension Action where Input == Void, Error == Never {
  fileprivate func fire() { apply().start() }
}

extension Signal where Value: EventProtocol, Error == Never {
  fileprivate func failures() -> Signal<Value.Error, Never> { compactMap { $0.event.error } }
}

extension Signal.Event where Value: Comparable {
  fileprivate func isAbove(_ bound: Value) -> Bool { value.map { $0 > bound } ?? false }
}

extension Signal.Observer {
  fileprivate func sendLast(_ value: Value) {
    send(value: value)
    sendCompleted()
  }
}

extension Signal where Value: OptionalProtocol {
  fileprivate func present() -> Signal<Value.Wrapped, Error> { compactMap { $0.optional } }
}

/// A client's own event.
private struct Reading: EventProtocol {
  var event: Signal<Int, TestError>.Event
}

@Suite struct OtherForms {
  @Test("O1: clients' extensions of the library's types and protocols")
  func extensions() {
    let (numbers, input) = Signal<Int, Never>.pipe()
    var log: [String] = []
    numbers.doubled().observeValues { log.append("\($0)") }
    numbers.largest().observeValues { log.append("largest \($0 ?? 0)") }
    numbers.map { $0 > 1 ? $0 : nil }.present().observeValues { log.append("present \($0)") }
    numbers.promoteError(TestError.self).materialize().failures().observeValues {
      log.append("\($0)")
    }
    input.send(value: 1)
    input.send(value: 2)
    input.sendCompleted()
    #expect(log == ["2", "4", "present 2", "largest 2"])
    #expect(SignalProducer<Int, TestError>(error: .first).orZero(0).gathered() == [0])
    var logged: [String] = []
    SignalProducer<Int, TestError>(value: 1).logged { logged.append($0) }.start()
    #expect(logged == ["value 1"])
    #expect(SignalProducer(value: "x").shouted().gathered() == ["X"])
    #expect(SignalProducer<Int, Never>.deferred { SignalProducer(value: 4) }.gathered() == [4])
    #expect(MutableProperty(3).isPositive.value)
    var fired = 0
    Action<Void, Void, Never> {
      fired += 1
      return .empty
    }.fire()
    #expect(fired == 1)
    #expect(Signal<Int, TestError>.Event.value(2).isAbove(1))
    let last: ReactiveSwiftCompatibility.SignalProducer<Int, Never> = SignalProducer {
      observer, _ in observer.sendLast(5)
    }
    #expect(last.gathered() == [5])
    let readings = SignalProducer<Reading, Never>([
      Reading(event: .value(1)), Reading(event: .failed(.first)),
    ])
    #expect(events(readings.dematerialize()) == [.value(1), .failed(.first)])
  }

  @Test("D1: containers: an atomic box and a bag")
  func containers() {
    let box = Atomic(1)
    box.value = 2
    #expect(box.swap(3) == 2)
    #expect(
      box.modify {
        $0 += 1; return $0
      } == 4)
    #expect(box.withValue { $0 * 2 } == 8)
    var bag = Bag<String>()
    let a = bag.insert("a")
    bag.insert("b")
    #expect(Array(bag) == ["a", "b"])
    #expect(bag.remove(using: a) == "a")
    #expect(bag.remove(using: a) == nil)
    #expect(bag.count == 1)
    #expect(bag[bag.startIndex] == "b")
    var iterator: Bag<String>.Iterator = Bag(["x"]).makeIterator()
    #expect(iterator.next() == "x")
  }

  @Test("T1: events are logged with the predecessor's logger")
  func logging() {
    var lines: [String] = []
    let logger: EventLogger = { identifier, event, file, function, line in
      lines.append("[\(identifier)] \(event) \(line > 0 && !file.isEmpty && !function.isEmpty)")
    }
    let (signal, input) = Signal<Int, TestError>.pipe()
    signal.logEvents(identifier: "s", logger: logger).observe { _ in }
    signal.logEvents(identifier: "v", events: [.value, .failed], logger: logger).observe { _ in }
    input.send(value: 1)
    input.sendCompleted()
    SignalProducer<Int, Never>(value: 2)
      .logEvents(
        identifier: "p", events: [.starting, .started, .value, .completed], logger: logger
      )
      .start()
    #expect(
      Set(lines)
        == [
          "[s] value 1 true", "[v] value 1 true", "[s] completed true", "[s] terminated true",
          "[s] disposed true", "[p] starting true", "[p] started true", "[p] value 2 true",
          "[p] completed true",
        ])
    #expect(LoggingEvent.Signal(rawValue: "value") == .value)
    #expect(LoggingEvent.SignalProducer.allCases.count == 8)
    defaultEventLog(identifier: "i", event: "e", fileName: "f", functionName: "g", lineNumber: 1)
  }

  @Test("P3: key paths in variables are transforms")
  func keyPaths() {
    let path: KeyPath<String, Int> = \.count
    let (words, input) = Signal<String, Never>.pipe()
    var log: [String] = []
    words.map(path).observeValues { log.append("\($0)") }
    words.map(\.first).skipNil().observeValues { log.append("\($0)") }
    input.send(value: "abc")
    SignalProducer(value: "de").map(path).startWithValues { log.append("\($0)") }
    #expect(log == ["3", "a", "2"])
    let property = MutableProperty("f")
    let count: Property<Int> = property.map(path)
    property.value = "gh"
    #expect(count.value == 2)
  }

  @Test("L1: notifications and data tasks are streams")
  func foundation() {
    let center = NotificationCenter()
    let name = Notification.Name("client")
    var count = 0
    let disposable = center.reactive.notifications(forName: name).observeValues { _ in count += 1 }
    center.post(name: name, object: nil)
    disposable?.dispose()
    center.post(name: name, object: nil)
    #expect(count == 1)
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID()).txt")
    let request = URLRequest(url: file)
    let producer: SignalProducer<(Data, URLResponse), Error> = URLSession.shared.reactive
      .data(with: request)
    withExtendedLifetime(producer) {}
  }
}
