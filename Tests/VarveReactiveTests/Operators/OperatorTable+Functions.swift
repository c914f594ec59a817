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
    let names = sources(2)
    return [
      OperatorUnderTest("and(source)", "-and", inputs: inputs, hotOnly: { $0.and($0) }),
      OperatorUnderTest("or(source)", "-or", inputs: inputs, hotOnly: { $0.or($0) }),
      OperatorUnderTest("and(value)", "-and", inputs: inputs, coldOnly: { $0.and(yes) }),
      OperatorUnderTest("or(value)", "-or", inputs: inputs, coldOnly: { $0.or(yes) }),
      OperatorUnderTest(
        "all(source, source)", "+combineLatest: \(names)", inputs: inputs,
        hotOnly: { Signal.all($0, $0) }),
      OperatorUnderTest(
        "any(source, source)", "+combineLatest: \(names)", inputs: inputs,
        hotOnly: { Signal.any($0, $0) }),
      OperatorUnderTest(
        "all(source, source)", "+combineLatest: \(names)", inputs: inputs,
        hotOnly: { Signal.all([$0, $0]) }),
      OperatorUnderTest(
        "any(source, source)", "+combineLatest: \(names)", inputs: inputs,
        hotOnly: { Signal.any([$0, $0]) }),
      OperatorUnderTest(
        "all(source, value)", "+combineLatest: \(sources(1, values: 1))", inputs: inputs,
        coldOnly: { SignalProducer.all($0, yes) }),
      OperatorUnderTest(
        "any(source, value)", "+combineLatest: \(sources(1, values: 1))", inputs: inputs,
        coldOnly: { SignalProducer.any($0, yes) }),
      OperatorUnderTest(
        "all(source, value)", "+combineLatest: \(sources(1, values: 1))", inputs: inputs,
        coldOnly: { SignalProducer.all([$0, yes]) }),
      OperatorUnderTest(
        "any(source, value)", "+combineLatest: \(sources(1, values: 1))", inputs: inputs,
        coldOnly: { SignalProducer.any([$0, yes]) }),
    ]
  }

  private static var choosing: [OperatorUnderTest] {
    [
      OperatorUnderTest(
        "if(source, then: value, else: empty)", "+if: source then: +return: else: +empty",
        inputs: [false, true], coldOnly: { Producer.if($0, then: seven, else: .empty) }),
      OperatorUnderTest(
        "if(value, then: source, else: empty)", "+if: +return: then: source else: +empty",
        inputs: [1, 2], traits: [.outlivesInterruption],
        coldOnly: {
          Producer.if(SignalProducer<Bool, Never>(value: true), then: $0, else: .empty)
        }),
      OperatorUnderTest(
        "switch(source, cases:, default: empty)", "+switch: source cases: {…} default: +empty",
        inputs: [1, 2], coldOnly: { Producer.switch($0, cases: [2: seven], default: .empty) }),
      OperatorUnderTest(
        "switch(value, cases:, default: source)", "+switch: +return: cases: {…} default: source",
        inputs: [1, 2], traits: [.outlivesInterruption],
        coldOnly: {
          Producer.switch(SignalProducer<Int, Never>(value: 1), cases: [:], default: $0)
        }),
    ]
  }

  /// The forms that `lift` takes.
  private static var asFunctions: [OperatorUnderTest] {
    [
      OperatorUnderTest(
        "merge(with: source)", "-merge: source", inputs: [1, 2],
        hotOnly: { Signal.merge(with: $0)($0) }),
      OperatorUnderTest(
        "zip(with: source)", "-zipWith: source", inputs: [1, 2],
        hotOnly: { Signal.zip(with: $0)($0) }),
      OperatorUnderTest(
        "combineLatest(with: source)", "-combineLatestWith: source", inputs: [1, 2],
        hotOnly: { Signal.combineLatest(with: $0)($0) }),
    ]
  }

  private static func function<Output>(
    _ name: String, _ count: Int,
    hot: @escaping @Sendable (Signal<Int, TestFailure>) -> Signal<Output, TestFailure>
  ) -> OperatorUnderTest {
    let names = Array(repeating: "source", count: count).joined(separator: ", ")
    return OperatorUnderTest(
      "\(name)(\(names))", "+\(name): \(sources(count))", inputs: [1, 2], hotOnly: hot)
  }

  /// - Parameter values: how many inputs there are beside the source.
  private static func function<Output>(
    _ name: String, _ values: Int,
    cold:
      @escaping @Sendable (SignalProducer<Int, TestFailure>) -> SignalProducer<Output, TestFailure>
  ) -> OperatorUnderTest {
    let names = (["source"] + Array(repeating: "value", count: values)).joined(separator: ", ")
    return OperatorUnderTest(
      "\(name)(\(names))", "+\(name): \(sources(1, values: values))", inputs: [1, 2],
      coldOnly: cold)
  }

  /// A list as ReactiveCocoa 2's form shows it.
  private static func sources(_ count: Int, values: Int = 0) -> String {
    let names =
      Array(repeating: "source", count: count) + Array(repeating: "+return:", count: values)
    return "(\n" + names.map { "    \"\($0)\"" }.joined(separator: ",\n") + "\n)"
  }
}

private typealias Numbers = Signal<Int, TestFailure>
private typealias Producer = SignalProducer<Int, TestFailure>

private let seven = SignalProducer<Int, TestFailure>(value: 7)
private let yes = SignalProducer<Bool, TestFailure>(value: true)
