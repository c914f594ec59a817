// The operators that producers have, too, are the same ones: a list pulls its elements through a
// stage as a producer pushes them. See `Signal` for what each does.

extension LazyList {
  /// The list that an operator makes of this one: it takes elements from here until the operator
  /// has sent one.
  func applying<Output>(
    _ unary: UnaryOperator<Element, Never, Output, Never>
  ) -> LazyList<Output> {
    let title = StreamTitle(
      unary.operation, parents: [.title(title)], valueType: Output.self)
    return LazyList<Output>(title, isEager: isEager) {
      if unary.needsNoInput { return { .end } }
      let collector = ListCollector<Output>()
      // A trace knows nothing of the elements of a list.
      let stage = unary.stage(into: collector, as: nil)
      var rest = self.makeIterator()
      return {
        while true {
          if let output = collector.takeFirst() { return .element(output) }
          if collector.hasEnded { return .end }
          if let element = rest.next() { stage.receive(element) } else { stage.complete() }
        }
      }
    }
  }
}

/// What an operator has sent and nobody has read.
private final class ListCollector<Element>: Observer<Element, Never> {
  private var waiting: [Element] = []
  private var taken = 0
  private(set) var hasEnded = false

  func takeFirst() -> Element? {
    guard taken < waiting.count else { return nil }
    let first = waiting[taken]
    taken += 1
    if taken == waiting.count {
      waiting.removeAll(keepingCapacity: true)
      taken = 0
    }
    return first
  }

  override func receive(_ value: Element) { waiting.append(value) }
  override func terminate(_ termination: Termination<Never>) { hasEnded = true }
}

extension LazyList {
  /// Transforms each element. See `Signal.map(_:)`.
  @preconcurrency
  public func map<New>(_ transform: @escaping @Sendable (Element) -> New) -> LazyList<New> {
    applying(.map(transform))
  }

  /// Replaces each element by `value`. See `Signal.map(value:)`.
  @_disfavoredOverload
  public func map<New>(value: New) -> LazyList<New> { applying(.map(value: value)) }

  /// Keeps the elements that satisfy `isIncluded`. See `Signal.filter(_:)`.
  @preconcurrency
  public func filter(_ isIncluded: @escaping @Sendable (Element) -> Bool) -> LazyList {
    applying(.filter(isIncluded))
  }

  /// Transforms each element and drops those that become `nil`.
  /// See `Signal.compactMap(_:)`.
  @preconcurrency
  public func compactMap<New>(
    _ transform: @escaping @Sendable (Element) -> New?
  ) -> LazyList<New> { applying(.compactMap(transform)) }

  /// Drops the elements that are `nil` and unwraps the others.
  /// See `Signal.skipNil()`.
  public func skipNil<Wrapped>() -> LazyList<Wrapped> where Element == Wrapped? {
    applying(.skipNil)
  }

  /// Keeps the first `count` elements; no further one is computed.
  /// See `Signal.take(first:)`.
  public func take(first count: Int) -> LazyList { applying(.take(first: count)) }

  /// Keeps the last `count` elements: computes all to read the first of these.
  /// See `Signal.take(last:)`.
  public func take(last count: Int) -> LazyList { applying(.take(last: count)) }

  /// Keeps the elements before the first that does not satisfy `shouldContinue`.
  /// See `Signal.take(while:)`.
  @preconcurrency
  public func take(while shouldContinue: @escaping @Sendable (Element) -> Bool) -> LazyList {
    applying(.take(while: shouldContinue))
  }

  /// Keeps the elements up to the first that does not satisfy `shouldContinue`, and that one.
  /// See `Signal.take(until:)`.
  @preconcurrency
  public func take(until shouldContinue: @escaping @Sendable (Element) -> Bool) -> LazyList {
    applying(.take(until: shouldContinue))
  }

  /// Drops the first `count` elements. See `Signal.skip(first:)`.
  public func skip(first count: Int) -> LazyList { applying(.skip(first: count)) }

  /// Drops the elements before the first that does not satisfy `shouldContinue`.
  /// See `Signal.skip(while:)`.
  @preconcurrency
  public func skip(while shouldContinue: @escaping @Sendable (Element) -> Bool) -> LazyList {
    applying(.skip(while: shouldContinue))
  }

  /// Folds the elements; the list of every intermediate result.
  /// See `Signal.scan(_:_:)`.
  @preconcurrency
  public func scan<Result>(
    _ initialResult: Result, _ nextPartialResult: @escaping @Sendable (Result, Element) -> Result
  ) -> LazyList<Result> { applying(.scan(initialResult, nextPartialResult)) }

  /// Folds the elements into a result that changes in place; the list of it after each change.
  /// See `Signal.scan(into:_:)`.
  @preconcurrency
  public func scan<Result>(
    into initialResult: Result,
    _ nextPartialResult: @escaping @Sendable (inout Result, Element) -> Void
  ) -> LazyList<Result> { applying(.scan(into: initialResult, nextPartialResult)) }

  /// Folds the elements, each with its index; the list of every intermediate result.
  /// See `Signal.scanIndexed(_:_:)`.
  @preconcurrency
  public func scanIndexed<Result>(
    _ initialResult: Result,
    _ nextPartialResult: @escaping @Sendable (Result, Element, Int) -> Result
  ) -> LazyList<Result> { applying(.scanIndexed(initialResult, nextPartialResult)) }

  /// Transforms each element with a state that goes from one to the next.
  /// See `Signal.scanMap(_:_:)`.
  @preconcurrency
  public func scanMap<State, New>(
    _ initialState: State, _ next: @escaping @Sendable (State, Element) -> (State, New)
  ) -> LazyList<New> { applying(.scanMap(initialState, next)) }

  /// Pairs each element with the one before it, from the second on.
  /// See `Signal.combinePrevious()`.
  public func combinePrevious() -> LazyList<(Element, Element)> { applying(.combinePrevious) }

  /// Pairs each element with the one before it, which is `initial` for the first.
  /// See `Signal.combinePrevious(_:)`.
  public func combinePrevious(_ initial: Element) -> LazyList<(Element, Element)> {
    applying(.combinePrevious(initial))
  }

  /// Drops the elements that `isEquivalent` to the one before them.
  /// See `Signal.skipRepeats(_:)`.
  @preconcurrency
  public func skipRepeats(
    _ isEquivalent: @escaping @Sendable (Element, Element) -> Bool
  ) -> LazyList { applying(.skipRepeats(isEquivalent)) }

  /// Gathers the elements in arrays of `count`; the last one may have fewer.
  /// See `Signal.collect(count:)`.
  public func collect(count: Int) -> LazyList<[Element]> { applying(.collect(count: count)) }
}

extension LazyList where Element: Equatable {
  /// Drops the elements that equal the one before them.
  /// See `Signal.skipRepeats()`.
  public func skipRepeats() -> LazyList { applying(.skipRepeats(==, label: "skipRepeats()")) }

  /// Drops the elements that equal `value`. See `Signal.ignore(_:)`.
  public func ignore(_ value: Element) -> LazyList { applying(.ignore(value)) }
}

extension LazyList where Element: Hashable {
  /// Drops the elements that equal one before them. Keeps every element that it has seen.
  /// See `Signal.uniqueValues()`.
  public func uniqueValues() -> LazyList {
    applying(.uniqueValues({ $0 }, label: "uniqueValues()"))
  }
}

extension LazyList where Element == Bool {
  /// The opposite of each element. See `Signal.negate()`.
  public func negate() -> LazyList { applying(.negate) }
}
