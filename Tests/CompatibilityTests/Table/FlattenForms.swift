import Foundation
import ReactiveSwiftCompatibility
import Testing

/// A client's own convertible type.
private struct Pair: SignalProducerConvertible {
  let first: Int
  let second: Int
  var producer: SignalProducer<Int, TestError> { SignalProducer([first, second]) }
}

@Suite struct FlattenForms {
  private func values<V, E>(_ producer: SignalProducer<V, E>) -> [V] {
    var values: [V] = []
    producer.startWithResult { if case let .success(value) = $0 { values.append(value) } }
    return values
  }

  @Test("P1: flatMap takes closures that return producers, signals, properties and own types")
  func kinds() {
    let safe = SignalProducer<Int, Never>([1, 2])
    let failing = SignalProducer<Int, TestError>([1, 2])
    // Both can fail, one can, none can.
    #expect(
      values(failing.flatMap(.merge) { SignalProducer<Int, TestError>(value: $0) }) == [1, 2])
    #expect(values(failing.flatMap(.merge) { SignalProducer<Int, Never>(value: $0) }) == [1, 2])
    #expect(values(safe.flatMap(.merge) { SignalProducer<Int, TestError>(value: $0) }) == [1, 2])
    #expect(values(safe.flatMap(.merge) { SignalProducer<Int, Never>(value: $0) }) == [1, 2])
    #expect(values(failing.flatMap(.concat) { Pair(first: $0, second: $0) }) == [1, 1, 2, 2])
    #expect(values(safe.flatMap(.concat) { Pair(first: $0, second: $0) }) == [1, 1, 2, 2])
    #expect(values(safe.flatMap(.latest) { Property(value: $0) }) == [1, 2])
    #expect(values(safe.flatMap(.latest) { MutableProperty($0) }) == [1, 2])
    #expect(values(safe.flatMap(.race) { Result<Int, TestError>.success($0) }) == [1])
    #expect(
      values(safe.flatMap(.throttle) { Signal<Int, Never>.never.producer.prefix(value: $0) }) == [1]
    )
    #expect(values(safe.flatMap(.concurrent(limit: 1)) { SignalProducer(value: $0) }) == [1, 2])
    let strategy: FlattenStrategy = .concurrent(limit: 2)
    #expect(values(safe.flatMap(strategy) { SignalProducer(value: $0) }) == [1, 2])
    #expect(
      values(
        safe.flatMap(.merge) { n -> SignalProducer<String, Never> in
          guard n > 1 else { return .empty }
          return .init(value: "\(n)")
        }) == ["2"])
  }

  @Test("P1: streams of streams are flattened")
  func flattening() {
    let inner = SignalProducer<Int, TestError>([1, 2])
    #expect(
      values(
        SignalProducer<SignalProducer<Int, TestError>, TestError>([inner, inner]).flatten(.concat))
        == [1, 2, 1, 2])
    #expect(
      values(SignalProducer<SignalProducer<Int, TestError>, Never>([inner]).flatten(.merge)) == [
        1, 2,
      ])
    #expect(
      values(
        SignalProducer<SignalProducer<Int, Never>, TestError>([SignalProducer([3])]).flatten(
          .latest)) == [3])
    #expect(
      values(
        SignalProducer<SignalProducer<Int, Never>, Never>([SignalProducer([3])]).flatten(.latest))
        == [3])
    let (signals, input) = Signal<Signal<Int, Never>, Never>.pipe()
    var seen: [Int] = []
    signals.flatten(.latest).observeValues { seen.append($0) }
    let (a, inputA) = Signal<Int, Never>.pipe()
    let (b, inputB) = Signal<Int, Never>.pipe()
    input.send(value: a)
    inputA.send(value: 1)
    input.send(value: b)
    inputA.send(value: 2)
    inputB.send(value: 3)
    #expect(seen == [1, 3])
    var sequences: [Int] = []
    SignalProducer<[Int], Never>([[1], [2, 3]]).flatten().startWithValues { sequences.append($0) }
    #expect(sequences == [1, 2, 3])
  }

  @Test("P1: flatMap on signals and failures that become streams")
  func signals() {
    let (numbers, input) = Signal<Int, Never>.pipe()
    var log: [String] = []
    numbers.flatMap(.merge) {
      SignalProducer<Int, TestError>(error: $0 == 1 ? .first : .second("x"))
    }
    .flatMapError { error in SignalProducer<Int, Never>(value: error == .first ? 100 : 200) }
    .observeValues { log.append("\($0)") }
    numbers.flatMap(.concat) { Property(value: "p\($0)") }.observeValues { log.append($0) }
    numbers.flatMap(.latest) { number -> Signal<String, Never> in numbers.map { "\(number)>\($0)" }
    }
    .observeValues { log.append($0) }
    input.send(value: 1)
    input.send(value: 2)
    #expect(log.contains("100"))
    #expect(log.filter { $0.hasPrefix("p") } == ["p1", "p2"])
  }
}
