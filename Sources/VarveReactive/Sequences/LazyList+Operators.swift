// The operators that lists share with producers have the same implementation: a list pulls its
// elements through a stage, where a producer pushes them. See `Signal` for their descriptions.

extension LazyList {
  /// Returns the list that results from applying an operator to this one. It reads elements of this
  /// list until the operator has sent one.
  func applying<Output>(
    _ unary: UnaryOperator<Element, Never, Output, Never>
  ) -> LazyList<Output> {
    let title = StreamTitle(
      unary.operation, parents: [.title(title)], valueType: Output.self)
    return LazyList<Output>(title, isEager: isEager) {
      if unary.needsNoInput { return { .end } }
      let collector = ListCollector<Output>()
      // The elements of a list do not appear in a trace.
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

/// The elements that an operator has sent and that have not been read.
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

  /// Replaces each element with `value`. See `Signal.map(value:)`.
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

  /// Keeps the first `count` elements. No further element is computed. See `Signal.take(first:)`.
  public func take(first count: Int) -> LazyList { applying(.take(first: count)) }

  /// Keeps the last `count` elements. Reading the first of these computes all elements. See
  /// `Signal.take(last:)`.
  public func take(last count: Int) -> LazyList { applying(.take(last: count)) }

  /// Keeps the elements before the first one that does not satisfy `shouldContinue`. See
  /// `Signal.take(while:)`.
  @preconcurrency
  public func take(while shouldContinue: @escaping @Sendable (Element) -> Bool) -> LazyList {
    applying(.take(while: shouldContinue))
  }

  /// Keeps the elements up to and including the first one that does not satisfy `shouldContinue`.
  /// See `Signal.take(until:)`.
  @preconcurrency
  public func take(until shouldContinue: @escaping @Sendable (Element) -> Bool) -> LazyList {
    applying(.take(until: shouldContinue))
  }

  /// Drops the first `count` elements. See `Signal.skip(first:)`.
  public func skip(first count: Int) -> LazyList { applying(.skip(first: count)) }

  /// Drops the elements before the first one that does not satisfy `shouldContinue`. See
  /// `Signal.skip(while:)`.
  @preconcurrency
  public func skip(while shouldContinue: @escaping @Sendable (Element) -> Bool) -> LazyList {
    applying(.skip(while: shouldContinue))
  }

  /// Folds the elements and returns a list of all intermediate results. See `Signal.scan(_:_:)`.
  @preconcurrency
  public func scan<Result>(
    _ initialResult: Result, _ nextPartialResult: @escaping @Sendable (Result, Element) -> Result
  ) -> LazyList<Result> { applying(.scan(initialResult, nextPartialResult)) }

  /// Folds the elements into a result that is changed in place, and returns a list of the result
  /// after each change. See `Signal.scan(into:_:)`.
  @preconcurrency
  public func scan<Result>(
    into initialResult: Result,
    _ nextPartialResult: @escaping @Sendable (inout Result, Element) -> Void
  ) -> LazyList<Result> { applying(.scan(into: initialResult, nextPartialResult)) }

  /// Folds the elements, each with its index, and returns a list of all intermediate results. See
  /// `Signal.scanIndexed(_:_:)`.
  @preconcurrency
  public func scanIndexed<Result>(
    _ initialResult: Result,
    _ nextPartialResult: @escaping @Sendable (Result, Element, Int) -> Result
  ) -> LazyList<Result> { applying(.scanIndexed(initialResult, nextPartialResult)) }

  /// Transforms each element, using a state that is carried from element to element. See
  /// `Signal.scanMap(_:_:)`.
  @preconcurrency
  public func scanMap<State, New>(
    _ initialState: State, _ next: @escaping @Sendable (State, Element) -> (State, New)
  ) -> LazyList<New> { applying(.scanMap(initialState, next)) }

  /// Pairs each element with the one before it, starting with the second element. See
  /// `Signal.combinePrevious()`.
  public func combinePrevious() -> LazyList<(Element, Element)> { applying(.combinePrevious) }

  /// Pairs each element with the one before it; the first is paired with `initial`. See
  /// `Signal.combinePrevious(_:)`.
  public func combinePrevious(_ initial: Element) -> LazyList<(Element, Element)> {
    applying(.combinePrevious(initial))
  }

  /// Drops each element that is equivalent to the one before it. See `Signal.skipRepeats(_:)`.
  @preconcurrency
  public func skipRepeats(
    _ isEquivalent: @escaping @Sendable (Element, Element) -> Bool
  ) -> LazyList { applying(.skipRepeats(isEquivalent)) }

  /// Gathers the elements in arrays of `count`; the last array may have fewer. See
  /// `Signal.collect(count:)`.
  public func collect(count: Int) -> LazyList<[Element]> { applying(.collect(count: count)) }
}

extension LazyList where Element: Equatable {
  /// Drops each element that equals the one before it. See `Signal.skipRepeats()`.
  public func skipRepeats() -> LazyList { applying(.skipRepeats(==, label: "skipRepeats()")) }

  /// Drops the elements that equal `value`. See `Signal.ignore(_:)`.
  public func ignore(_ value: Element) -> LazyList { applying(.ignore(value)) }
}

extension LazyList where Element: Hashable {
  /// Drops each element that equals an earlier one. Stores all distinct elements. See
  /// `Signal.uniqueValues()`.
  public func uniqueValues() -> LazyList {
    applying(.uniqueValues({ $0 }, label: "uniqueValues()"))
  }
}

extension LazyList where Element == Bool {
  /// Negates each element. See `Signal.negate()`.
  public func negate() -> LazyList { applying(.negate) }
}
