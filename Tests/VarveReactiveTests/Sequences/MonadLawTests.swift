import ReactiveCocoa2Compatibility
import Testing
import VarveReactive
import VarveTestRig

/// The laws of the monad (`bind` and one value) and of the monoid (`concat` and nothing), for lists
/// and for producers.
@Suite struct MonadLawTests {
  // What is bound: several values, one, none, a stop.
  private static let listSteps: [@Sendable (Int, inout Bool) -> LazyList<Int>?] = [
    { value, _ in LazyList([value, value + 1]) },
    { value, _ in LazyList(value: value * 10) },
    { value, _ in value % 2 == 0 ? .empty : LazyList(value: value) },
  ]
  private static let producerSteps:
    [@Sendable (Int, inout Bool) -> SignalProducer<Int, TestFailure>?] = [
      { value, _ in SignalProducer([value, value + 1]) },
      { value, _ in SignalProducer(value: value * 10) },
      { value, _ in value % 2 == 0 ? .empty : SignalProducer(value: value) },
      { value, _ in
        value == 3 ? SignalProducer(error: TestFailure()) : SignalProducer(value: value)
      },
    ]
  private static let lists: [LazyList<Int>] = [
    .empty, LazyList(value: 1), LazyList([1, 2, 3]), LazyList([5, 5]),
  ]
  private static let producers: [SignalProducer<Int, TestFailure>] = [
    .empty, SignalProducer(value: 1), SignalProducer([1, 2, 3]),
    SignalProducer(error: TestFailure()),
    SignalProducer<Int, TestFailure>([1, 2]).concat(error: TestFailure()),
  ]

  @Test("L10: one value, bound to a step, is what the step makes of it")
  func leftIdentity() {
    for value in 1...3 {
      for step in Self.listSteps {
        var stop = false
        let direct = step(value, &stop) ?? .empty
        #expect(Array(LazyList(value: value).bind(step)) == Array(direct))
      }
      for step in Self.producerSteps {
        var stop = false
        let direct = step(value, &stop) ?? .empty
        #expect(
          marbles(SignalProducer<Int, TestFailure>(value: value).bind(step)) == marbles(direct))
      }
    }
  }

  @Test("L10: bound to what makes one value of a value, a stream stays as it is")
  func rightIdentity() {
    for list in Self.lists {
      #expect(Array(list.bind { value, _ in LazyList(value: value) }) == Array(list))
    }
    for producer in Self.producers {
      let bound = producer.bind { value, _ in SignalProducer(value: value) }
      #expect(marbles(bound) == marbles(producer))
    }
  }

  @Test("L10: it does not matter which of two steps is bound first")
  func associativity() {
    for (first, second) in Self.listSteps.flatMap({ f in Self.listSteps.map { (f, $0) } }) {
      for list in Self.lists {
        let inner = list.bind { value, stop in first(value, &stop)?.bind(second) }
        #expect(Array(list.bind(first).bind(second)) == Array(inner))
      }
    }
    for (first, second) in Self.producerSteps.flatMap({ f in Self.producerSteps.map { (f, $0) } }) {
      for producer in Self.producers {
        let inner = producer.bind { value, stop in first(value, &stop)?.bind(second) }
        #expect(marbles(producer.bind(first).bind(second)) == marbles(inner))
      }
    }
  }

  @Test("L10: nothing, before or after a stream, changes nothing")
  func monoidIdentity() {
    for list in Self.lists {
      #expect(Array(list.concat(.empty)) == Array(list))
      #expect(Array(LazyList.empty.concat(list)) == Array(list))
    }
    for producer in Self.producers {
      let empty = SignalProducer<Int, TestFailure>.empty
      #expect(marbles(producer.concat(empty)) == marbles(producer))
      #expect(marbles(empty.concat(producer)) == marbles(producer))
    }
  }

  @Test("L10: it does not matter which of three streams are put together first")
  func monoidAssociativity() {
    for (a, b) in Self.lists.flatMap({ a in Self.lists.map { (a, $0) } }) {
      for c in Self.lists {
        #expect(Array(a.concat(b).concat(c)) == Array(a.concat(b.concat(c))))
      }
    }
    for (a, b) in Self.producers.flatMap({ a in Self.producers.map { (a, $0) } }) {
      for c in Self.producers {
        #expect(marbles(a.concat(b).concat(c)) == marbles(a.concat(b.concat(c))))
      }
    }
  }

  @Test("L10: zip, map and flatMap follow from bind as they should")
  func functor() {
    for list in Self.lists {
      #expect(Array(list.map { $0 }) == Array(list))
      #expect(
        Array(list.map { $0 + 1 }.map { $0 * 2 }) == Array(list.map { ($0 + 1) * 2 }))
      #expect(
        Array(list.flatMap { LazyList([$0, 0]) })
          == Array(list.bind { value, _ in LazyList([value, 0]) }))
    }
    for producer in Self.producers {
      #expect(marbles(producer.map { $0 }) == marbles(producer))
      #expect(
        marbles(producer.flatMap(.merge) { SignalProducer<Int, TestFailure>([$0, 0]) })
          == marbles(producer.bind { value, _ in SignalProducer([value, 0]) }))
    }
  }
}
