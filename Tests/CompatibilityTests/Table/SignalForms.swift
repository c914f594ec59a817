import Foundation
import ReactiveSwiftCompatibility
import Testing

@Suite struct SignalForms {
  @Test("S1: a signal is made of a generator that gets an observer and a lifetime")
  func generator() {
    var isDisposed = false
    var input: Signal<Int, Never>.Observer!
    let signal = Signal<Int, Never> { observer, lifetime in
      input = observer
      lifetime.observeEnded { isDisposed = true }
      lifetime += AnyDisposable {}
    }
    var values: [Int] = []
    let disposable: Disposable? = signal.observeValues { values.append($0) }
    input.send(value: 1)
    input.send(value: 2)
    #expect(values == [1, 2])
    #expect(disposable?.isDisposed == false)
    input.sendCompleted()
    #expect(isDisposed)
    #expect(signal.observeValues { _ in } == nil)
  }

  @Test("L1: a pipe is an output and an input, and disposes of what it was given at its end")
  func pipe() {
    let resource = AnyDisposable()
    let (signal, observer) = Signal<String, TestError>.pipe(disposable: resource)
    var events: [Signal<String, TestError>.Event] = []
    signal.observe { events.append($0) }
    observer.send(value: "a")
    observer.send(error: .first)
    observer.send(value: "b")
    #expect(events == [.value("a"), .failed(.first)])
    #expect(resource.isDisposed)

    let pipe = Signal<Int, Never>.pipe()
    var sum = 0
    pipe.output.observeValues { sum += $0 }
    [1, 2, 3].forEach(pipe.input.send(value:))
    #expect(sum == 6)
  }

  @Test("S1: each kind of event can be observed by itself")
  func observing() {
    let (signal, observer) = Signal<Int, TestError>.pipe()
    var log: [String] = []
    signal.observeResult { log.append("\($0)") }
    signal.observeFailed { log.append("failed \($0)") }
    signal.observeCompleted { log.append("completed") }
    signal.observeInterrupted { log.append("interrupted") }
    signal.observe(Signal<Int, TestError>.Observer(value: { log.append("value \($0)") }))
    observer.send(value: 1)
    observer.send(error: .first)
    #expect(
      log == [
        "success(1)", "value 1", "failure(\(String(reflecting: TestError.first)))", "failed first",
      ])
    Signal<Int, TestError>.empty.observeInterrupted { log.append("empty") }
    Signal<Int, TestError>.never.observeInterrupted { log.append("never") }
    #expect(log.last == "empty")
  }

  @Test("E7: a re-entrant pipe puts recursive values into a queue")
  func reentrant() {
    let (signal, observer) = Signal<Int, Never>.reentrantUnserializedPipe()
    var values: [Int] = []
    signal.take(first: 5).observeValues { value in
      values.append(value)
      observer.send(value: value + 1)
    }
    observer.send(value: 0)
    #expect(values == [0, 1, 2, 3, 4])

    var input: Signal<Int, Never>.Observer?
    let other = Signal<Int, Never>.reentrantUnserialized { observer, _ in input = observer }
    var seen: [Int] = []
    other.observeValues { value in
      if value < 2 { input?.send(value: value + 1) }
      seen.append(value)
    }
    input?.send(value: 0)
    #expect(seen == [0, 1, 2])
  }

  @Test("E7: an unserialized pipe and signal send what they are given")
  func unserialized() {
    let (signal, observer) = Signal<Int, Never>.unserializedPipe()
    var values: [Int] = []
    signal.observeValues { values.append($0) }
    observer.send(value: 1)
    var input: Signal<Int, Never>.Observer?
    let other = Signal<Int, Never>.unserialized { observer, _ in input = observer }
    other.observeValues { values.append($0) }
    input?.send(value: 2)
    SignalProducer<Int, Never>.unserialized { observer, _ in
      observer.send(value: 3)
      observer.sendCompleted()
    }.startWithValues { values.append($0) }
    #expect(values == [1, 2, 3])
  }

  @Test("S1: every operator of one input has the predecessor's form")
  func unary() {
    let (numbers, input) = Signal<Int, TestError>.pipe()
    var log: [String] = []
    func tell<T>(_ name: String, _ signal: Signal<T, TestError>) {
      signal.observeResult { result in
        if case let .success(value) = result { log.append("\(name) \(value)") }
      }
    }
    tell("map", numbers.map { $0 * 2 })
    tell("keyPath", numbers.map(\.description.count))
    tell("constant", numbers.map(value: "x"))
    tell("filter", numbers.filter { $0 % 2 == 0 })
    tell("compactMap", numbers.compactMap { Int("\($0)") })
    tell("skipNil", numbers.map { $0 > 1 ? $0 : nil }.skipNil())
    tell("scan", numbers.scan(0, +))
    tell("scanInto", numbers.scan(into: [Int]()) { $0.append($1) })
    tell("scanMap", numbers.scanMap(0) { state, value in (state + value, "\(state)") })
    tell(
      "scanMapInto",
      numbers.scanMap(into: 0) { (state: inout Int, value: Int) -> Int in
        state += value
        return state
      })
    tell("reduce", numbers.reduce(0, +))
    tell("reduceInto", numbers.reduce(into: 0) { $0 += $1 })
    tell("previous", numbers.combinePrevious().map { $0.0 + $0.1 })
    tell("previous0", numbers.combinePrevious(0).map { $1 - $0 })
    tell("skip", numbers.skip(first: 1))
    tell("skipWhile", numbers.skip(while: { $0 < 2 }))
    tell("skipRepeats", numbers.skipRepeats())
    tell("skipRepeatsBy", numbers.skipRepeats { $0 % 2 == $1 % 2 })
    tell("unique", numbers.uniqueValues())
    tell("uniqueBy", numbers.uniqueValues { $0 % 2 })
    tell("take", numbers.take(first: 1))
    tell("takeLast", numbers.take(last: 1))
    tell("takeWhile", numbers.take(while: { $0 < 2 }))
    tell("takeUntil", numbers.take(until: { $0 < 2 }))
    tell("collect", numbers.collect())
    tell("collectCount", numbers.collect(count: 2))
    tell("collectWhen", numbers.collect { $0.count == 2 })
    tell("collectBefore", numbers.collect { values, next in values.count == 1 && next > 1 })
    tell("attempt", numbers.attempt { $0 < 9 ? .success(()) : .failure(.first) })
    tell(
      "attemptMap",
      numbers.attemptMap { value -> Result<String, TestError> in .success("\(value)") })
    tell("mapError", numbers.mapError { _ in TestError.second("mapped") })
    tell("on", numbers.on(value: { _ in }))
    tell("flatten", numbers.map { [$0, $0] }.flatten())
    for value in [1, 2] { input.send(value: value) }
    input.sendCompleted()
    #expect(
      log == [
        "map 2", "keyPath 1", "constant x", "compactMap 1", "scan 1", "scanInto [1]", "scanMap 0",
        "scanMapInto 1", "previous0 1", "skipRepeats 1", "skipRepeatsBy 1", "unique 1",
        "uniqueBy 1", "take 1", "takeWhile 1", "takeUntil 1", "attempt 1", "attemptMap 1",
        "mapError 1", "on 1", "flatten 1", "flatten 1",
        "map 4", "keyPath 1", "constant x", "filter 2", "compactMap 2", "skipNil 2", "scan 3",
        "scanInto [1, 2]", "scanMap 1", "scanMapInto 3", "previous 3", "previous0 1", "skip 2",
        "skipWhile 2", "skipRepeats 2", "skipRepeatsBy 2", "unique 2", "uniqueBy 2", "takeUntil 2",
        "collectCount [1, 2]", "collectWhen [1, 2]", "collectBefore [1]", "attempt 2",
        "attemptMap 2", "mapError 2", "on 2", "flatten 2", "flatten 2",
        "reduce 3", "reduceInto 3", "takeLast 2", "collect [1, 2]", "collectBefore [2]",
      ])
  }

  @Test("S1: streams of events and of results are taken apart again")
  func materialized() {
    let (numbers, input) = Signal<Int, TestError>.pipe()
    var events: [Signal<Int, TestError>.Event] = []
    var results: [Result<Int, TestError>] = []
    var back: [Int] = []
    var failure: TestError?
    numbers.materialize().observeValues { events.append($0) }
    numbers.materializeResults().observeValues { results.append($0) }
    numbers.materialize().dematerialize().observeResult {
      if case .success(let v) = $0 { back.append(v) }
    }
    numbers.materializeResults().dematerializeResults().observeFailed { failure = $0 }
    input.send(value: 7)
    input.send(error: .first)
    #expect(events == [.value(7), .failed(.first)])
    #expect(results == [.success(7), .failure(.first)])
    #expect(back == [7])
    #expect(failure == .first)
  }

  @Test("S1: several signals are joined by static and by instance forms, of one to ten inputs")
  func joining() {
    let (a, inputA) = Signal<Int, Never>.pipe()
    let (b, inputB) = Signal<String, Never>.pipe()
    let (c, inputC) = Signal<Bool, Never>.pipe()
    var log: [String] = []
    Signal.combineLatest(a, b).map { $0.1 }.observeValues { log.append("second \($0)") }
    Signal.combineLatest(a, b).map { "\($0)\($1)" }.observeValues { log.append("pair \($0)") }
    a.combineLatest(with: b).observeValues { number, text in log.append("with \(number)\(text)") }
    Signal.combineLatest(a, b, c).map { $0.2 }.observeValues { log.append("third \($0)") }
    Signal.combineLatest(a, b, c, a).map { $0.3 }.observeValues { log.append("fourth \($0)") }
    Signal.combineLatest(a, a, a, a, a).map { $0 + $1 + $2 + $3 + $4 }
      .observeValues { log.append("sum \($0)") }
    Signal.combineLatest([a, a]).observeValues { log.append("all \($0)") }
    Signal.zip(a, b).map { $0.0 }.observeValues { log.append("zip \($0)") }
    Signal.zip(a, b, c, c).map { $0.3 }.observeValues { log.append("zip4 \($0)") }
    a.zip(with: b).observeValues { log.append("zipWith \($0.0)\($0.1)") }
    Signal.zip([b, b]).observeValues { log.append("zipAll \($0)") }
    Signal.merge(a, a.map { -$0 }).observeValues { log.append("merge \($0)") }
    Signal.merge([b, b]).observeValues { log.append("mergeAll \($0)") }
    b.merge(with: b.map { $0.uppercased() }).observeValues { log.append("mergeWith \($0)") }
    inputA.send(value: 1)
    inputB.send(value: "x")
    inputC.send(value: true)
    #expect(
      log.sorted()
        == [
          "all [1, 1]", "fourth 1", "merge -1", "merge 1", "mergeAll x", "mergeAll x",
          "mergeWith X", "mergeWith x", "pair 1x", "second x", "sum 5", "third true", "with 1x",
          "zip 1", "zip4 true", "zipAll [\"x\", \"x\"]", "zipWith 1x",
        ])
  }

  @Test("S1: ten inputs are joined into one tuple, whose parts have numbers")
  func ten() {
    let (a, input) = Signal<Int, Never>.pipe()
    var sums: [Int] = []
    Signal.combineLatest(a, a, a, a, a, a, a, a, a, a)
      .map { $0.0 + $0.1 + $0.2 + $0.3 + $0.4 + $0.5 + $0.6 + $0.7 + $0.8 + $0.9 }
      .observeValues { sums.append($0) }
    Signal.zip(a, a, a, a, a, a, a, a, a, a).map { $0.9 }.observeValues { sums.append($0) }
    Signal.zip(a, a, a, a, a, a).map { $0.5 }.observeValues { sums.append($0) }
    input.send(value: 1)
    #expect(sums == [10, 1, 1])
  }

  @Test("S1: booleans have a logic")
  func booleans() {
    let (a, inputA) = Signal<Bool, Never>.pipe()
    let (b, inputB) = Signal<Bool, Never>.pipe()
    var log: [String] = []
    a.and(b).observeValues { log.append("and \($0)") }
    a.or(b).observeValues { log.append("or \($0)") }
    a.negate().observeValues { log.append("not \($0)") }
    Signal.all(a, b).observeValues { log.append("all \($0)") }
    Signal.any([a, b]).observeValues { log.append("any \($0)") }
    inputA.send(value: true)
    inputB.send(value: false)
    #expect(log == ["not false", "and false", "or true", "all false", "any true"])
  }

  @Test("S1: triggers, samplers and replacements")
  func triggers() {
    let (numbers, input) = Signal<Int, Never>.pipe()
    let (ticks, tick) = Signal<(), Never>.pipe()
    let (others, otherInput) = Signal<Int, Never>.pipe()
    let (lifetime, token) = Lifetime.make()
    var log: [String] = []
    numbers.sample(on: ticks).observeValues { log.append("sampled \($0)") }
    numbers.sample(with: others).observeValues { log.append("with \($0.0) \($0.1)") }
    numbers.skip(until: ticks).observeValues { log.append("after \($0)") }
    numbers.take(until: ticks).observeValues { log.append("before \($0)") }
    numbers.take(untilReplacement: others).observeValues { log.append("replaced \($0)") }
    numbers.take(during: lifetime).observeCompleted { log.append("lifetime over") }
    numbers.withLatest(from: others).observeValues { log.append("latest \($0 + $1)") }
    numbers.withLatest(from: others.producer).observeValues {
      log.append("fromProducer \($0 + $1)")
    }
    numbers.withLatest(from: MutableProperty(100)).observeValues {
      log.append("fromProperty \($0.1)")
    }
    input.send(value: 1)
    tick.send(value: ())
    otherInput.send(value: 10)
    input.send(value: 2)
    token.dispose()
    #expect(
      log == [
        "before 1", "replaced 1", "fromProperty 100", "sampled 1", "with 1 10", "replaced 10",
        "after 2", "latest 12", "fromProducer 12", "fromProperty 100", "lifetime over",
      ])
  }

  @Test("S1: promotions of values and of failures")
  func promotions() {
    let (numbers, input) = Signal<Int, Never>.pipe()
    var log: [String] = []
    let failing: Signal<Int, TestError> = numbers.promoteError()
    failing.observeResult { log.append("\($0)") }
    numbers.promoteError(TestError.self).observeCompleted { log.append("completed") }
    numbers.attempt { if $0 > 1 { throw TestError.first } }.observeFailed {
      log.append("threw \($0)")
    }
    numbers.attemptMap { value throws -> String in "\(value)" }
      .observeResult { log.append("mapped \((try? $0.get()) ?? "")") }
    let nothing: Signal<Never, TestError> = failing.filter { _ in false }.map { _ in fatalError() }
    let typed: Signal<String, TestError> = nothing.promoteValue()
    typed.observeCompleted { log.append("nothing") }
    input.send(value: 2)
    input.sendCompleted()
    #expect(log == ["success(2)", "threw first", "mapped 2", "nothing", "completed"])
  }
}
