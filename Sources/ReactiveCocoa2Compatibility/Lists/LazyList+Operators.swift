internal import VarveReactive

// The operators that lists share with producers have the same implementation: a list pulls its
// elements through a stage, where a producer pushes them. See `Signal` for their descriptions.

extension LazyList {
  /// Returns the list that results from applying an operator to this one. It reads elements of this
  /// list until the operator has sent one.
  func applying<Output>(
    _ transform: (SignalProducer<Element, Never>) -> SignalProducer<Output, Never>
  ) -> LazyList<Output> {
    let producer = transform(SignalProducer(standingFor: title))
    return LazyList<Output>(producer.title, isEager: isEager) {
      guard let pulled = PulledOperator<Element, Output>(lastOf: producer) else {
        return { .end }
      }
      var rest = self.makeIterator()
      return {
        while true {
          if let output = pulled.takeFirst() { return .element(output) }
          if pulled.hasEnded { return .end }
          pulled.push(rest.next())
        }
      }
    }
  }
}

extension LazyList {
  /// Transforms each element. See `Signal.map(_:)`.
  @preconcurrency
  public func map<New>(_ transform: @escaping @Sendable (Element) -> New) -> LazyList<New> {
    applying { $0.map(transform) }
  }

  /// Replaces each element with `value`. See `Signal.map(value:)`.
  @_disfavoredOverload
  public func map<New>(value: New) -> LazyList<New> { applying { $0.map(value: value) } }

  /// Keeps the elements that satisfy `isIncluded`. See `Signal.filter(_:)`.
  @preconcurrency
  public func filter(_ isIncluded: @escaping @Sendable (Element) -> Bool) -> LazyList {
    applying { $0.filter(isIncluded) }
  }

  /// Transforms each element and drops those that become `nil`.
  /// See `Signal.compactMap(_:)`.
  @preconcurrency
  public func compactMap<New>(
    _ transform: @escaping @Sendable (Element) -> New?
  ) -> LazyList<New> { applying { $0.compactMap(transform) } }

  /// Drops the elements that are `nil` and unwraps the others.
  /// See `Signal.skipNil()`.
  public func skipNil<Wrapped>() -> LazyList<Wrapped> where Element == Wrapped? {
    applying { $0.skipNil() }
  }

  /// Keeps the first `count` elements. No further element is computed. See `Signal.take(first:)`.
  public func take(first count: Int) -> LazyList { applying { $0.take(first: count) } }

  /// Keeps the last `count` elements. Reading the first of these computes all elements. See
  /// `Signal.take(last:)`.
  public func take(last count: Int) -> LazyList { applying { $0.take(last: count) } }

  /// Keeps the elements before the first one that does not satisfy `shouldContinue`. See
  /// `Signal.take(while:)`.
  @preconcurrency
  public func take(while shouldContinue: @escaping @Sendable (Element) -> Bool) -> LazyList {
    applying { $0.take(while: shouldContinue) }
  }

  /// Keeps the elements up to and including the first one that does not satisfy `shouldContinue`.
  /// See `Signal.take(until:)`.
  @preconcurrency
  public func take(until shouldContinue: @escaping @Sendable (Element) -> Bool) -> LazyList {
    applying { $0.take(until: shouldContinue) }
  }

  /// Drops the first `count` elements. See `Signal.skip(first:)`.
  public func skip(first count: Int) -> LazyList { applying { $0.skip(first: count) } }

  /// Drops the elements before the first one that does not satisfy `shouldContinue`. See
  /// `Signal.skip(while:)`.
  @preconcurrency
  public func skip(while shouldContinue: @escaping @Sendable (Element) -> Bool) -> LazyList {
    applying { $0.skip(while: shouldContinue) }
  }

  /// Folds the elements and returns a list of all intermediate results. See `Signal.scan(_:_:)`.
  @preconcurrency
  public func scan<Result>(
    _ initialResult: Result, _ nextPartialResult: @escaping @Sendable (Result, Element) -> Result
  ) -> LazyList<Result> { applying { $0.scan(initialResult, nextPartialResult) } }

  /// Folds the elements into a result that is changed in place, and returns a list of the result
  /// after each change. See `Signal.scan(into:_:)`.
  @preconcurrency
  public func scan<Result>(
    into initialResult: Result,
    _ nextPartialResult: @escaping @Sendable (inout Result, Element) -> Void
  ) -> LazyList<Result> { applying { $0.scan(into: initialResult, nextPartialResult) } }

  /// Folds the elements, each with its index, and returns a list of all intermediate results. See
  /// `Signal.scanIndexed(_:_:)`.
  @preconcurrency
  public func scanIndexed<Result>(
    _ initialResult: Result,
    _ nextPartialResult: @escaping @Sendable (Result, Element, Int) -> Result
  ) -> LazyList<Result> { applying { $0.scanIndexed(initialResult, nextPartialResult) } }

  /// Transforms each element, using a state that is carried from element to element. See
  /// `Signal.scanMap(_:_:)`.
  @preconcurrency
  public func scanMap<State, New>(
    _ initialState: State, _ next: @escaping @Sendable (State, Element) -> (State, New)
  ) -> LazyList<New> { applying { $0.scanMap(initialState, next) } }

  /// Pairs each element with the one before it, starting with the second element. See
  /// `Signal.combinePrevious()`.
  public func combinePrevious() -> LazyList<(Element, Element)> {
    applying { $0.combinePrevious() }
  }

  /// Pairs each element with the one before it; the first is paired with `initial`. See
  /// `Signal.combinePrevious(_:)`.
  public func combinePrevious(_ initial: Element) -> LazyList<(Element, Element)> {
    applying { $0.combinePrevious(initial) }
  }

  /// Drops each element that is equivalent to the one before it. See `Signal.skipRepeats(_:)`.
  @preconcurrency
  public func skipRepeats(
    _ isEquivalent: @escaping @Sendable (Element, Element) -> Bool
  ) -> LazyList { applying { $0.skipRepeats(isEquivalent) } }

  /// Gathers the elements in arrays of `count`; the last array may have fewer. See
  /// `Signal.collect(count:)`.
  public func collect(count: Int) -> LazyList<[Element]> { applying { $0.collect(count: count) } }
}

extension LazyList where Element: Equatable {
  /// Drops each element that equals the one before it. See `Signal.skipRepeats()`.
  public func skipRepeats() -> LazyList { applying { $0.skipRepeats() } }

  /// Drops the elements that equal `value`. See `Signal.ignore(_:)`.
  public func ignore(_ value: Element) -> LazyList { applying { $0.ignore(value) } }
}

extension LazyList where Element: Hashable {
  /// Drops each element that equals an earlier one. Stores all distinct elements. See
  /// `Signal.uniqueValues()`.
  public func uniqueValues() -> LazyList {
    applying { $0.uniqueValues() }
  }
}

extension LazyList where Element == Bool {
  /// Negates each element. See `Signal.negate()`.
  public func negate() -> LazyList { applying { $0.negate() } }
}
