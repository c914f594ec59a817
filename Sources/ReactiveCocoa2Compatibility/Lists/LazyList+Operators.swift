internal import VarveReactive

// The operators that producers have, too, are the same ones: a list pulls its elements through a
// stage as a producer pushes them. See `Signal` for what each does.

extension LazyList {
  /// The list that an operator makes of this one: it takes elements from here until the operator
  /// has sent one.
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

  /// Replaces each element by `value`. See `Signal.map(value:)`.
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

  /// Keeps the first `count` elements; no further one is computed.
  /// See `Signal.take(first:)`.
  public func take(first count: Int) -> LazyList { applying { $0.take(first: count) } }

  /// Keeps the last `count` elements: computes all to read the first of these.
  /// See `Signal.take(last:)`.
  public func take(last count: Int) -> LazyList { applying { $0.take(last: count) } }

  /// Keeps the elements before the first that does not satisfy `shouldContinue`.
  /// See `Signal.take(while:)`.
  @preconcurrency
  public func take(while shouldContinue: @escaping @Sendable (Element) -> Bool) -> LazyList {
    applying { $0.take(while: shouldContinue) }
  }

  /// Keeps the elements up to the first that does not satisfy `shouldContinue`, and that one.
  /// See `Signal.take(until:)`.
  @preconcurrency
  public func take(until shouldContinue: @escaping @Sendable (Element) -> Bool) -> LazyList {
    applying { $0.take(until: shouldContinue) }
  }

  /// Drops the first `count` elements. See `Signal.skip(first:)`.
  public func skip(first count: Int) -> LazyList { applying { $0.skip(first: count) } }

  /// Drops the elements before the first that does not satisfy `shouldContinue`.
  /// See `Signal.skip(while:)`.
  @preconcurrency
  public func skip(while shouldContinue: @escaping @Sendable (Element) -> Bool) -> LazyList {
    applying { $0.skip(while: shouldContinue) }
  }

  /// Folds the elements; the list of every intermediate result.
  /// See `Signal.scan(_:_:)`.
  @preconcurrency
  public func scan<Result>(
    _ initialResult: Result, _ nextPartialResult: @escaping @Sendable (Result, Element) -> Result
  ) -> LazyList<Result> { applying { $0.scan(initialResult, nextPartialResult) } }

  /// Folds the elements into a result that changes in place; the list of it after each change.
  /// See `Signal.scan(into:_:)`.
  @preconcurrency
  public func scan<Result>(
    into initialResult: Result,
    _ nextPartialResult: @escaping @Sendable (inout Result, Element) -> Void
  ) -> LazyList<Result> { applying { $0.scan(into: initialResult, nextPartialResult) } }

  /// Folds the elements, each with its index; the list of every intermediate result.
  /// See `Signal.scanIndexed(_:_:)`.
  @preconcurrency
  public func scanIndexed<Result>(
    _ initialResult: Result,
    _ nextPartialResult: @escaping @Sendable (Result, Element, Int) -> Result
  ) -> LazyList<Result> { applying { $0.scanIndexed(initialResult, nextPartialResult) } }

  /// Transforms each element with a state that goes from one to the next.
  /// See `Signal.scanMap(_:_:)`.
  @preconcurrency
  public func scanMap<State, New>(
    _ initialState: State, _ next: @escaping @Sendable (State, Element) -> (State, New)
  ) -> LazyList<New> { applying { $0.scanMap(initialState, next) } }

  /// Pairs each element with the one before it, from the second on.
  /// See `Signal.combinePrevious()`.
  public func combinePrevious() -> LazyList<(Element, Element)> {
    applying { $0.combinePrevious() }
  }

  /// Pairs each element with the one before it, which is `initial` for the first.
  /// See `Signal.combinePrevious(_:)`.
  public func combinePrevious(_ initial: Element) -> LazyList<(Element, Element)> {
    applying { $0.combinePrevious(initial) }
  }

  /// Drops the elements that `isEquivalent` to the one before them.
  /// See `Signal.skipRepeats(_:)`.
  @preconcurrency
  public func skipRepeats(
    _ isEquivalent: @escaping @Sendable (Element, Element) -> Bool
  ) -> LazyList { applying { $0.skipRepeats(isEquivalent) } }

  /// Gathers the elements in arrays of `count`; the last one may have fewer.
  /// See `Signal.collect(count:)`.
  public func collect(count: Int) -> LazyList<[Element]> { applying { $0.collect(count: count) } }
}

extension LazyList where Element: Equatable {
  /// Drops the elements that equal the one before them.
  /// See `Signal.skipRepeats()`.
  public func skipRepeats() -> LazyList { applying { $0.skipRepeats() } }

  /// Drops the elements that equal `value`. See `Signal.ignore(_:)`.
  public func ignore(_ value: Element) -> LazyList { applying { $0.ignore(value) } }
}

extension LazyList where Element: Hashable {
  /// Drops the elements that equal one before them. Keeps every element that it has seen.
  /// See `Signal.uniqueValues()`.
  public func uniqueValues() -> LazyList {
    applying { $0.uniqueValues() }
  }
}

extension LazyList where Element == Bool {
  /// The opposite of each element. See `Signal.negate()`.
  public func negate() -> LazyList { applying { $0.negate() } }
}
