import VarveReactive
import VarveTesting

extension OperatorTable {
  /// The operators that are functions of several inputs.
  static var functions: [OperatorUnderTest] {
    latestOfSignals + pairsOfSignals + latestOfProducers + pairsOfProducers + booleans + asFunctions
      + choosing
  }

  private static var latestOfSignals: [OperatorUnderTest] {
    [
      function("combineLatest", 2, hot: { Numbers.combineLatest($0, $0) }),
      function("combineLatest", 3, hot: { Numbers.combineLatest($0, $0, $0) }),
      function("combineLatest", 5, hot: { Numbers.combineLatest($0, $0, $0, $0, $0) }),
      function("combineLatest", 2, hot: { Numbers.combineLatest([$0, $0]) }),
      function("merge", 2, hot: { Numbers.merge([$0, $0]) }),
    ]
  }

  private static var pairsOfSignals: [OperatorUnderTest] {
    [
      function("zip", 2, hot: { Numbers.zip($0, $0) }),
      function("zip", 3, hot: { Numbers.zip($0, $0, $0) }),
      function("zip", 5, hot: { Numbers.zip($0, $0, $0, $0, $0) }),
      function("zip", 2, hot: { Numbers.zip([$0, $0]) }),
    ]
  }

  private static var latestOfProducers: [OperatorUnderTest] {
    [
      function("combineLatest", 1, cold: { Producer.combineLatest($0, seven) }),
      function("combineLatest", 2, cold: { Producer.combineLatest($0, seven, seven) }),
      function(
        "combineLatest", 4, cold: { Producer.combineLatest($0, seven, seven, seven, seven) }),
      function("combineLatest", 1, cold: { Producer.combineLatest([$0, seven]) }),
      function("merge", 1, cold: { Producer.merge([$0, seven]) }),
      function("merge", 2, cold: { Producer.merge($0, seven, seven) }),
    ]
  }

  private static var pairsOfProducers: [OperatorUnderTest] {
    [
      function("zip", 1, cold: { Producer.zip($0, seven) }),
      function("zip", 2, cold: { Producer.zip($0, seven, seven) }),
      function("zip", 4, cold: { Producer.zip($0, seven, seven, seven, seven) }),
      function("zip", 1, cold: { Producer.zip([$0, seven]) }),
    ]
  }

  private static var booleans: [OperatorUnderTest] {
    let inputs = [true, false, true]
    return [
      OperatorUnderTest("and(source)", inputs: inputs, hotOnly: { $0.and($0) }),
      OperatorUnderTest("or(source)", inputs: inputs, hotOnly: { $0.or($0) }),
      OperatorUnderTest("and(value)", inputs: inputs, coldOnly: { $0.and(yes) }),
      OperatorUnderTest("or(value)", inputs: inputs, coldOnly: { $0.or(yes) }),
      OperatorUnderTest(
        "all(source, source)", inputs: inputs, traits: [.isFunction],
        hotOnly: { Signal.all($0, $0) }),
      OperatorUnderTest(
        "any(source, source)", inputs: inputs, traits: [.isFunction],
        hotOnly: { Signal.any($0, $0) }),
      OperatorUnderTest(
        "all(source, source)", inputs: inputs, traits: [.isFunction],
        hotOnly: { Signal.all([$0, $0]) }),
      OperatorUnderTest(
        "any(source, source)", inputs: inputs, traits: [.isFunction],
        hotOnly: { Signal.any([$0, $0]) }),
      OperatorUnderTest(
        "all(source, value)", inputs: inputs, traits: [.isFunction],
        coldOnly: { SignalProducer.all($0, yes) }),
      OperatorUnderTest(
        "any(source, value)", inputs: inputs, traits: [.isFunction],
        coldOnly: { SignalProducer.any($0, yes) }),
      OperatorUnderTest(
        "all(source, value)", inputs: inputs, traits: [.isFunction],
        coldOnly: { SignalProducer.all([$0, yes]) }),
      OperatorUnderTest(
        "any(source, value)", inputs: inputs, traits: [.isFunction],
        coldOnly: { SignalProducer.any([$0, yes]) }),
    ]
  }

  private static var choosing: [OperatorUnderTest] {
    [
      OperatorUnderTest(
        "if(source, then: value, else: empty)",
        inputs: [false, true], traits: [.isFunction],
        coldOnly: { Producer.if($0, then: seven, else: .empty) }),
      OperatorUnderTest(
        "if(value, then: source, else: empty)",
        inputs: [1, 2], traits: [.isFunction, .outlivesInterruption],
        coldOnly: {
          Producer.if(SignalProducer<Bool, Never>(value: true), then: $0, else: .empty)
        }),
      OperatorUnderTest(
        "switch(source, cases:, default: empty)",
        inputs: [1, 2], traits: [.isFunction],
        coldOnly: { Producer.switch($0, cases: [2: seven], default: .empty) }),
      OperatorUnderTest(
        "switch(value, cases:, default: source)",
        inputs: [1, 2], traits: [.isFunction, .outlivesInterruption],
        coldOnly: {
          Producer.switch(SignalProducer<Int, Never>(value: 1), cases: [:], default: $0)
        }),
    ]
  }

  /// The forms that `lift` takes.
  private static var asFunctions: [OperatorUnderTest] {
    [
      OperatorUnderTest(
        "merge(with: source)", inputs: [1, 2],
        hotOnly: { Signal.merge(with: $0)($0) }),
      OperatorUnderTest(
        "zip(with: source)", inputs: [1, 2],
        hotOnly: { Signal.zip(with: $0)($0) }),
      OperatorUnderTest(
        "combineLatest(with: source)", inputs: [1, 2],
        hotOnly: { Signal.combineLatest(with: $0)($0) }),
    ]
  }

  private static func function<Output>(
    _ name: String, _ count: Int,
    hot: @escaping @Sendable (Signal<Int, TestFailure>) -> Signal<Output, TestFailure>
  ) -> OperatorUnderTest {
    let names = Array(repeating: "source", count: count).joined(separator: ", ")
    return OperatorUnderTest(
      "\(name)(\(names))", inputs: [1, 2], traits: [.isFunction], hotOnly: hot)
  }

  /// - Parameter values: how many inputs there are beside the source.
  private static func function<Output>(
    _ name: String, _ values: Int,
    cold:
      @escaping @Sendable (SignalProducer<Int, TestFailure>) -> SignalProducer<Output, TestFailure>
  ) -> OperatorUnderTest {
    let names = (["source"] + Array(repeating: "value", count: values)).joined(separator: ", ")
    return OperatorUnderTest(
      "\(name)(\(names))", inputs: [1, 2], traits: [.isFunction],
      coldOnly: cold)
  }
}

private typealias Numbers = Signal<Int, TestFailure>
private typealias Producer = SignalProducer<Int, TestFailure>

private let seven = SignalProducer<Int, TestFailure>(value: 7)
private let yes = SignalProducer<Bool, TestFailure>(value: true)
