import VarveReactive
import VarveTesting

extension OperatorTable {
  /// The operators with one input.
  static var unary: [OperatorUnderTest] {
    transforming + filtering + limiting + folding + gathering + failing + asking + watching
      + grouping
  }

  private static var transforming: [OperatorUnderTest] {
    [
      OperatorUnderTest(
        "map(_:)", inputs: [1, 2, 3],
        hot: { $0.map { $0 * 2 } }, cold: { $0.map { $0 * 2 } }),
      OperatorUnderTest(
        "map(value:)", inputs: [1, 2, 3],
        hot: { $0.map(value: "x") }, cold: { $0.map(value: "x") }),
      OperatorUnderTest(
        "scanMap(_:_:)", inputs: [1, 2, 3],
        hot: { $0.scanMap(0) { ($0 + $1, "\($0)+\($1)") } },
        cold: { $0.scanMap(0) { ($0 + $1, "\($0)+\($1)") } }),
      OperatorUnderTest(
        "scanMap(into:_:)", inputs: [1, 2, 3],
        hot: { $0.scanMap(into: 0, addAndShow) }, cold: { $0.scanMap(into: 0, addAndShow) }),
      OperatorUnderTest(
        "combinePrevious()", inputs: [1, 2, 3],
        hot: { $0.combinePrevious() }, cold: { $0.combinePrevious() }),
      OperatorUnderTest(
        "combinePrevious(_:)",
        inputs: [1, 2, 3],
        hot: { $0.combinePrevious(0) }, cold: { $0.combinePrevious(0) }),
      OperatorUnderTest(
        "negate()", inputs: [true, false],
        hot: { $0.negate() }, cold: { $0.negate() }),
      OperatorUnderTest(
        "flatten()", inputs: [[1, 2], [], [3, 4, 5]],
        hot: { $0.flatten() }, cold: { $0.flatten() }),
    ]
  }

  private static var grouping: [OperatorUnderTest] {
    [
      OperatorUnderTest(
        "groupBy(_:)", inputs: [1, 2, 3],
        hot: { $0.groupBy { $0 % 2 } }, cold: { $0.groupBy { $0 % 2 } }),
      OperatorUnderTest(
        "groupBy(_:)", inputs: [1, 2, 3],
        hot: { $0.groupBy({ $0 % 2 }, transform: { $0 * 2 }) },
        cold: { $0.groupBy({ $0 % 2 }, transform: { $0 * 2 }) }),
      OperatorUnderTest(
        "bind(_:)", inputs: [1, 2, 3],
        coldOnly: { $0.bind(startingWith: { { value, _ in SignalProducer(value: value) } }) }),
      OperatorUnderTest(
        "bind(_:)", inputs: [1, 2, 3],
        hot: { $0.bind { value, _ in SignalProducer([value, value]) } },
        cold: { $0.bind { value, _ in SignalProducer([value, value]) } }),
      OperatorUnderTest(
        "bind(_:)", inputs: [1, 2, 3],
        hot: { $0.bind(untilTwo) }, cold: { $0.bind(untilTwo) }),
    ]
  }

  private static var filtering: [OperatorUnderTest] {
    [
      OperatorUnderTest(
        "filter(_:)", inputs: [1, 2, 3],
        hot: { $0.filter { $0 != 2 } }, cold: { $0.filter { $0 != 2 } }),
      OperatorUnderTest(
        "compactMap(_:)", inputs: ["1", "x", "3"],
        hot: { $0.compactMap { Int($0) } }, cold: { $0.compactMap { Int($0) } }),
      OperatorUnderTest(
        "skipNil()", inputs: [1, nil, 3],
        hot: { $0.skipNil() }, cold: { $0.skipNil() }),
      OperatorUnderTest(
        "skipRepeats()", inputs: [1, 1, 2, 1],
        hot: { $0.skipRepeats() }, cold: { $0.skipRepeats() }),
      OperatorUnderTest(
        "skipRepeats(_:)", inputs: [1, 3, 2, 1],
        hot: { $0.skipRepeats { $0 % 2 == $1 % 2 } },
        cold: { $0.skipRepeats { $0 % 2 == $1 % 2 } }),
      OperatorUnderTest(
        "uniqueValues()", inputs: [1, 2, 1, 3],
        hot: { $0.uniqueValues() }, cold: { $0.uniqueValues() }),
      OperatorUnderTest(
        "uniqueValues(_:)", inputs: [1, 2, 3, 4],
        hot: { $0.uniqueValues { $0 % 2 } }, cold: { $0.uniqueValues { $0 % 2 } }),
      OperatorUnderTest(
        "ignoreValues()", inputs: [1, 2],
        hot: { $0.ignoreValues() }, cold: { $0.ignoreValues() }),
      OperatorUnderTest(
        "ignore(_:)", inputs: [1, 2, 1],
        hot: { $0.ignore(1) }, cold: { $0.ignore(1) }),
    ]
  }

  private static var limiting: [OperatorUnderTest] {
    [
      OperatorUnderTest(
        "take(first: 2)", inputs: [1, 2, 3],
        hot: { $0.take(first: 2) }, cold: { $0.take(first: 2) }),
      OperatorUnderTest(
        "take(first: 1)", inputs: [1, 2],
        hot: { $0.take(first: 1) }, cold: { $0.take(first: 1) }),
      OperatorUnderTest(
        "take(first: 0)", inputs: [1, 2], traits: [.needsNoInput],
        hot: { $0.take(first: 0) }, cold: { $0.take(first: 0) }),
      OperatorUnderTest(
        "take(last: 2)", inputs: [1, 2, 3],
        hot: { $0.take(last: 2) }, cold: { $0.take(last: 2) }),
      OperatorUnderTest(
        "take(while:)", inputs: [1, 2, 3, 1],
        hot: { $0.take(while: { $0 < 3 }) }, cold: { $0.take(while: { $0 < 3 }) }),
      OperatorUnderTest(
        "take(until:)", inputs: [1, 2, 3, 1],
        hot: { $0.take(until: { $0 < 2 }) }, cold: { $0.take(until: { $0 < 2 }) }),
      OperatorUnderTest(
        "skip(first: 1)", inputs: [1, 2, 3],
        hot: { $0.skip(first: 1) }, cold: { $0.skip(first: 1) }),
      OperatorUnderTest(
        "skip(while:)", inputs: [1, 2, 3, 1],
        hot: { $0.skip { $0 < 3 } }, cold: { $0.skip { $0 < 3 } }),
    ]
  }

  private static var folding: [OperatorUnderTest] {
    [
      OperatorUnderTest(
        "scan(_:_:)", inputs: [1, 2, 3],
        hot: { $0.scan(0, +) }, cold: { $0.scan(0, +) }),
      OperatorUnderTest(
        "scan(into:_:)", inputs: [1, 2, 3],
        hot: { $0.scan(into: 0) { $0 += $1 } }, cold: { $0.scan(into: 0) { $0 += $1 } }),
      OperatorUnderTest(
        "scanIndexed(_:_:)",
        inputs: [5, 5, 5],
        hot: { $0.scanIndexed(0) { $0 + $1 * $2 } },
        cold: { $0.scanIndexed(0) { $0 + $1 * $2 } }),
      OperatorUnderTest(
        "reduce(_:_:)", inputs: [1, 2, 3],
        hot: { $0.reduce(0, +) }, cold: { $0.reduce(0, +) }),
      OperatorUnderTest(
        "reduce(into:_:)",
        inputs: [1, 2, 3],
        hot: { $0.reduce(into: 0) { $0 += $1 } }, cold: { $0.reduce(into: 0) { $0 += $1 } }),
      OperatorUnderTest(
        "reduce(startingWith:_:)", inputs: [1, 2, 3],
        hot: { $0.reduce(startingWith: { 0 }, +) },
        cold: { $0.reduce(startingWith: { 0 }, +) }),
      OperatorUnderTest(
        "reduceIndexed(_:_:)",
        inputs: [5, 5, 5],
        hot: { $0.reduceIndexed(0) { $0 + $1 * $2 } },
        cold: { $0.reduceIndexed(0) { $0 + $1 * $2 } }),
    ]
  }

  private static var gathering: [OperatorUnderTest] {
    [
      OperatorUnderTest(
        "collect()", inputs: [1, 2, 3],
        hot: { $0.collect() }, cold: { $0.collect() }),
      OperatorUnderTest(
        "collect(count: 2)", inputs: [1, 2, 3],
        hot: { $0.collect(count: 2) }, cold: { $0.collect(count: 2) }),
      OperatorUnderTest(
        "collect(_:)", inputs: [1, 5, 2],
        hot: { $0.collect { $0.reduce(0, +) > 5 } },
        cold: { $0.collect { $0.reduce(0, +) > 5 } }),
      OperatorUnderTest(
        "collect(_:)", inputs: [1, 2, 9, 3],
        hot: { $0.collect { _, new in new > 5 } }, cold: { $0.collect { _, new in new > 5 } }),
    ]
  }

  private static var failing: [OperatorUnderTest] {
    [
      OperatorUnderTest(
        "mapError(_:)", inputs: [1, 2], traits: [.handlesFailure],
        hot: { $0.mapError { _ in OtherFailure() } },
        cold: { $0.mapError { _ in OtherFailure() } }),
      OperatorUnderTest(
        "attempt(_:)", inputs: [1, 2, 3],
        hot: { $0.attempt { $0 < 3 ? .success(()) : .failure(TestFailure()) } },
        cold: { $0.attempt { $0 < 3 ? .success(()) : .failure(TestFailure()) } }),
      OperatorUnderTest(
        "attempt(_:)", infallibleInputs: [1, 2, 3],
        hot: { $0.attempt(refuseThree) }, cold: { $0.attempt(refuseThree) }),
      OperatorUnderTest(
        "attemptMap(_:)", inputs: ["1", "2", "x"],
        hot: { $0.attemptMap { Int($0).map { .success($0) } ?? .failure(TestFailure()) } },
        cold: { $0.attemptMap { Int($0).map { .success($0) } ?? .failure(TestFailure()) } }),
      OperatorUnderTest(
        "attemptMap(_:)", infallibleInputs: ["1", "2", "x"],
        hot: { $0.attemptMap(number) }, cold: { $0.attemptMap(number) }),
      OperatorUnderTest(
        "materialize()", inputs: [1, 2],
        traits: [.handlesFailure, .showsInterruption],
        hot: { $0.materialize() }, cold: { $0.materialize() }),
      OperatorUnderTest(
        "dematerialize()", infallibleInputs: events,
        hot: { $0.dematerialize() }, cold: { $0.dematerialize() }),
      OperatorUnderTest(
        "materializeResults()", inputs: [1, 2], traits: [.handlesFailure],
        hot: { $0.materializeResults() }, cold: { $0.materializeResults() }),
      OperatorUnderTest(
        "dematerializeResults()", infallibleInputs: results,
        hot: { $0.dematerializeResults() }, cold: { $0.dematerializeResults() }),
      OperatorUnderTest(
        "promoteError(_:)", infallibleInputs: [1, 2],
        hot: { $0.promoteError(TestFailure.self) }, cold: { $0.promoteError(TestFailure.self) }),
      OperatorUnderTest(
        "promoteValue(_:)", inputs: [Never](),
        hot: { $0.promoteValue(Int.self) }, cold: { $0.promoteValue(Int.self) }),
    ]
  }

  private static var asking: [OperatorUnderTest] {
    [
      OperatorUnderTest(
        "contains(where:)", inputs: [1, 9, 2],
        hot: { $0.contains { $0 > 5 } }, cold: { $0.contains { $0 > 5 } }),
      OperatorUnderTest(
        "contains(_:)", inputs: [1, 2, 3],
        hot: { $0.contains(7) }, cold: { $0.contains(7) }),
      OperatorUnderTest(
        "allSatisfy(_:)", inputs: [1, 9, 2],
        hot: { $0.allSatisfy { $0 < 5 } }, cold: { $0.allSatisfy { $0 < 5 } }),
      OperatorUnderTest(
        "hasAnyValue()", inputs: [1, 2],
        hot: { $0.hasAnyValue() }, cold: { $0.hasAnyValue() }),
    ]
  }

  private static var watching: [OperatorUnderTest] {
    [
      OperatorUnderTest(
        "on(value:)", inputs: [1, 2],
        hot: { $0.on(value: { _ in }) }, cold: { $0.on(value: { _ in }) }),
      OperatorUnderTest(
        "on(…)", inputs: [1, 2],
        hot: { $0.on(completed: {}, disposed: {}) },
        cold: { $0.on(starting: {}, completed: {}, disposed: {}) }),
      OperatorUnderTest(
        "", inputs: [1, 2],
        hot: { $0.logEvents(to: .events { _ in }) },
        cold: { $0.logEvents(to: .events { _ in }) }),
      OperatorUnderTest(
        "", inputs: [1, 2],
        hot: { $0.map { $0 }.named("source") }, cold: { $0.map { $0 }.named("source") }),
    ]
  }

  private static let events: [Event<Int, TestFailure>] = [
    .value(1), .value(2), .failed(TestFailure()), .value(3),
  ]

  private static let results: [Result<Int, TestFailure>] = [
    .success(1), .failure(TestFailure()), .success(3),
  ]
}

struct OtherFailure: Error, Hashable {}

@Sendable private func addAndShow(_ sum: inout Int, _ number: Int) -> String {
  sum += number
  return "\(sum)"
}

@Sendable private func refuseThree(_ number: Int) throws {
  if number == 3 { throw TestFailure() }
}

@Sendable private func number(_ text: String) throws -> Int {
  guard let number = Int(text) else { throw TestFailure() }
  return number
}

@Sendable private func untilTwo(
  _ value: Int, _ stop: inout Bool
) -> SignalProducer<Int, TestFailure>? {
  stop = value == 2
  return SignalProducer(value: value)
}
