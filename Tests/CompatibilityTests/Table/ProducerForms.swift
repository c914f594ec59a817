import Foundation
import ReactiveSwiftCompatibility
import Testing

/// What a producer sends, for producers that end at once.
func events<Value, E: Error>(
  _ producer: SignalProducer<Value, E>
) -> [Signal<Value, E>.Event] {
  var events: [Signal<Value, E>.Event] = []
  producer.start { events.append($0) }
  return events
}

@Suite struct ProducerForms {
  @Test("P1: a producer is made of values, results, closures, signals and start handlers")
  func sources() {
    #expect(events(SignalProducer<Int, TestError>(value: 1)) == [.value(1), .completed])
    #expect(events(SignalProducer<Int, TestError>(error: .first)) == [.failed(.first)])
    #expect(
      events(SignalProducer<Int, TestError>(result: .success(2))) == [.value(2), .completed])
    #expect(events(SignalProducer<Int, TestError>(result: .failure(.first))) == [.failed(.first)])
    #expect(
      events(SignalProducer<Int, Never>([1, 2])) == [.value(1), .value(2), .completed])
    #expect(
      events(SignalProducer<Int, TestError>(values: 1, 2, 3))
        == [.value(1), .value(2), .value(3), .completed])
    #expect(events(SignalProducer<Int, TestError>.empty) == [.completed])
    #expect(events(SignalProducer<Int, TestError>.never).isEmpty)
    #expect(events(SignalProducer<Int, TestError> { 5 }) == [.value(5), .completed])
    #expect(
      events(SignalProducer<Int, TestError> { () -> Result<Int, TestError> in .failure(.first) })
        == [.failed(.first)])
    #expect(events(SignalProducer(Result<Int, TestError>.success(3))) == [.value(3), .completed])
    #expect(events(Result<Int, TestError>.success(3).producer) == [.value(3), .completed])
    let throwing = SignalProducer<Int, Error> { throw TestError.first }
    #expect(events(throwing).first?.error as? TestError == .first)
    let handler = SignalProducer<Int, TestError> { observer, lifetime in
      lifetime += AnyDisposable {}
      observer.send(value: 1)
      observer.sendInterrupted()
    }
    #expect(events(handler) == [.value(1), .interrupted])
    let inferred = SignalProducer(value: "x")
    #expect(events(inferred.promoteError(TestError.self)) == [.value("x"), .completed])
    let sequence = SignalProducer(1...3)
    #expect(events(sequence).count == 4)
    let (signal, input) = Signal<Int, Never>.pipe()
    var seen: [Int] = []
    SignalProducer(signal).startWithValues { seen.append($0) }
    signal.producer.startWithValues { seen.append($0 * 10) }
    input.send(value: 1)
    #expect(seen == [1, 10])
  }

  @Test("P1: a producer is started in as many ways as the predecessor's")
  func starting() {
    let numbers = SignalProducer<Int, TestError>([1, 2])
    var log: [String] = []
    numbers.start()
    numbers.start(Signal<Int, TestError>.Observer(value: { log.append("observer \($0)") }))
    numbers.startWithResult { log.append("result \((try? $0.get()) ?? 0)") }
    numbers.startWithCompleted { log.append("completed") }
    numbers.startWithFailed { _ in log.append("failed") }
    let disposable: Disposable = SignalProducer<Int, TestError>.never.startWithInterrupted {
      log.append("interrupted")
    }
    disposable.dispose()
    let result: String = numbers.startWithSignal { signal, interruption in
      signal.observeCompleted { log.append("signal completed") }
      #expect(!interruption.isDisposed)
      return "set up"
    }
    #expect(result == "set up")
    SignalProducer<Int, Never>(value: 3).startWithValues { log.append("value \($0)") }
    #expect(
      log == [
        "observer 1", "observer 2", "result 1", "result 2", "completed", "interrupted",
        "signal completed", "value 3",
      ])
  }

  @Test("P1: blocking forms return results")
  func blocking() {
    let numbers = SignalProducer<Int, TestError>([1, 2, 3])
    #expect(numbers.first() == .success(1))
    #expect(numbers.last() == .success(3))
    #expect(numbers.single() == nil)
    #expect(numbers.take(first: 1).single() == .success(1))
    #expect(SignalProducer<Int, TestError>.empty.first() == nil)
    #expect(SignalProducer<Int, TestError>(error: .first).last() == .failure(.first))
    if case .failure = numbers.wait() { Issue.record("failed") }
    #expect((try? numbers.collect().single()?.get()) == [1, 2, 3])
  }

  @Test("P1: the producer's forms of joining take producers, signals, properties and results")
  func joining() {
    let numbers = SignalProducer<Int, Never>([1, 2])
    let property = MutableProperty("p")
    var log: [String] = []
    SignalProducer.combineLatest(numbers, property).map { $0.1 }
      .startWithValues { log.append("second \($0)") }
    SignalProducer.combineLatest(numbers, numbers).map { $0 + $1 }
      .startWithValues { log.append("sum \($0)") }
    SignalProducer.combineLatest(numbers, property.producer, property).map { $0.2 }
      .startWithValues { log.append("third \($0)") }
    SignalProducer.combineLatest(numbers, property, property, property).map { $0.3 }
      .startWithValues { log.append("fourth \($0)") }
    SignalProducer.combineLatest([numbers, numbers]).startWithValues { log.append("all \($0)") }
    SignalProducer.combineLatest([SignalProducer<Int, Never>](), emptySentinel: [0])
      .startWithValues { log.append("none \($0)") }
    numbers.combineLatest(with: property).startWithValues { log.append("with \($0)\($1)") }
    SignalProducer.zip(numbers, property).map { $0.1 }.startWithValues { log.append("zip \($0)") }
    SignalProducer.zip(numbers, numbers, numbers, numbers).map { $0.3 }
      .startWithValues { log.append("zip4 \($0)") }
    SignalProducer.zip([numbers]).startWithValues { log.append("zipAll \($0)") }
    numbers.zip(with: numbers).startWithValues { log.append("zipWith \($0.0 + $0.1)") }
    SignalProducer.merge(numbers, numbers).collect().startWithValues { log.append("merge \($0)") }
    SignalProducer.merge([numbers, numbers]).collect().startWithValues { log.append("merge \($0)") }
    numbers.merge(with: numbers).collect().startWithValues { log.append("merge \($0)") }
    numbers.withLatest(from: property).map { $1 }.startWithValues { log.append("latest \($0)") }
    #expect(
      log == [
        "second p", "sum 3", "sum 4", "third p", "fourth p", "all [2, 1]", "all [2, 2]",
        "none [0]", "with 2p", "zip p", "zip4 1", "zip4 2",
        "zipAll [1]", "zipAll [2]", "zipWith 2", "zipWith 4", "merge [1, 2, 1, 2]",
        "merge [1, 2, 1, 2]", "merge [1, 2, 1, 2]", "latest p", "latest p",
      ])
  }

  @Test("P1: where a producer is expected, one can be written by its initialiser alone")
  func contextual() {
    let numbers = SignalProducer<Int, Never>([1, 2])
    func values<V>(_ producer: SignalProducer<V, Never>) -> [V] {
      var values: [V] = []
      producer.startWithValues { values.append($0) }
      return values
    }
    #expect(values(numbers.concat(.empty)) == [1, 2])
    #expect(values(numbers.concat(.init(value: 3))) == [1, 2, 3])
    #expect(values(numbers.concat(value: 3).prefix(value: 0)) == [0, 1, 2, 3])
    #expect(values(numbers.prefix(.init([9]))) == [9, 1, 2])
    #expect(values(numbers.then(.init(value: 8))) == [8])
    #expect(values(numbers.then(SignalProducer<String, Never>(value: "x"))) == ["x"])
    #expect(values(numbers.merge(with: .empty)) == [1, 2])
    #expect(values(numbers.take(until: .never)) == [1, 2])
    #expect(values(numbers.take(until: .empty)) == [])
    #expect(values(numbers.skip(until: .init(value: ()))) == [1, 2])
    #expect(values(numbers.sample(on: .init(value: ()))) == [2])
    #expect(values(numbers.take(untilReplacement: .never)) == [1, 2])
    #expect(values(numbers.map { $0 > 1 }.and(.init(value: true))) == [true])
    #expect(values(numbers.zip(with: .init(["a", "b"])).map { $0.1 }) == ["a", "b"])
    #expect(values(numbers.combineLatest(with: .init(value: "c")).map { $1 }) == ["c"])
    #expect(values(numbers.withLatest(from: .init(value: "d")).map { $1 }) == ["d", "d"])
    #expect(values(numbers.flatMap(.concat) { .init([$0, $0]) }) == [1, 1, 2, 2])
    #expect(values(numbers.flatMap(.concat) { _ in .empty }) == [Int]())
    let failing = SignalProducer<Int, TestError>(error: .first)
    #expect(values(failing.flatMapError { _ in .init(value: 4) }) == [4])
    #expect(values(failing.flatMapError { _ in SignalProducer<Int, Never>.empty }) == [])
    #expect(events(failing.concat(error: .second("x"))) == [.failed(.first)])
    #expect(events(numbers.promoteError().concat(error: TestError.first)).last == .failed(.first))
    let then: SignalProducer<String, TestError> = numbers.then(.init(error: .first))
    #expect(events(then) == [.failed(.first)])
    #expect(events(SignalProducer<Int, TestError>(value: 1).then(.empty)).last == .completed)
  }

  @Test("P1: repetition, retries and replay")
  func repetition() {
    var starts = 0
    let counted = SignalProducer<Int, TestError> { observer, _ in
      starts += 1
      if starts < 3 { return observer.send(error: .first) }
      observer.send(value: starts)
      observer.sendCompleted()
    }
    #expect(events(counted.retry(upTo: 5)) == [.value(3), .completed])
    #expect(events(SignalProducer<Int, TestError>(value: 1).repeat(2)).count == 3)
    let scheduler = TestScheduler()
    starts = 1
    var later: [Int] = []
    counted.retry(upTo: 2, interval: 1, on: scheduler).startWithResult { result in
      if case let .success(value) = result { later.append(value) }
    }
    scheduler.advance(by: .seconds(1))
    #expect(later == [3])
    var runs = 0
    let replayed = SignalProducer<Int, Never> { observer, _ in
      runs += 1
      observer.send(value: runs)
      observer.sendCompleted()
    }.replayLazily(upTo: 1)
    #expect(events(replayed) == [.value(1), .completed])
    #expect(events(replayed) == [.value(1), .completed])
    #expect(runs == 1)
  }

  @Test("P1: a signal's operators are lifted, with one input and with two")
  func lifting() {
    let numbers = SignalProducer<Int, Never>([1, 2])
    let lifted = numbers.lift { signal in signal.map { $0 * 2 } }
    #expect(lifted.collect().single() == .success([2, 4]))
    let joined = numbers.lift(Signal.merge(with:))(SignalProducer<Int, Never>([3]))
    #expect(Set(joined.collect().single().flatMap { try? $0.get() } ?? []) == [1, 2, 3])
    let pairs = numbers.lift { left in { right in left.zip(with: right) } }(numbers)
    #expect(pairs.map { $0 + $1 }.collect().single() == .success([2, 4]))
  }

  @Test("P1: side effects are injected by `on`, in the predecessor's order of labels")
  func effects() {
    var log: [String] = []
    SignalProducer<Int, TestError>(value: 1)
      .on(
        starting: { log.append("starting") }, started: { log.append("started") },
        event: { log.append("\($0)") }, failed: { _ in log.append("failed") },
        completed: { log.append("completed") }, interrupted: { log.append("interrupted") },
        terminated: { log.append("terminated") }, disposed: { log.append("disposed") },
        value: { log.append("value \($0)") }
      )
      .start()
    #expect(
      log == [
        "starting", "VALUE 1", "value 1", "COMPLETED", "completed", "terminated", "disposed",
        "started",
      ])
    let (signal, input) = Signal<Int, Never>.pipe()
    var seen: [String] = []
    signal.on(completed: { seen.append("completed") }, value: { seen.append("\($0)") })
      .observe { _ in }
    input.send(value: 1)
    input.sendCompleted()
    #expect(seen == ["1", "completed"])
  }
}
