internal import VarveReactive

extension LazyList {
  /// Returns a list that is derived from this one and others.
  private func joining<New>(
    _ operation: Operation, with others: [StreamTitle] = [],
    _ makeAdvance: @escaping () -> () -> ListSource<New>.Step
  ) -> LazyList<New> {
    LazyList<New>(
      StreamTitle(
        operation, of: [title] + others, valueType: New.self),
      isEager: isEager, makeAdvance)
  }

  /// Continues with `next` after the last element.
  ///
  ///     self          1, 2
  ///     next          3, 4
  ///     concat(next)  1, 2, 3, 4
  ///
  /// - *Events*: ends with `next`. No element of `next` is computed before this list has ended.
  /// - *Memory*: both lists, from the positions of their readers.
  /// - *Scheduling*: the reader's thread.
  public func concat(_ next: LazyList) -> LazyList {
    joining(Operation("concat($)", [.parent(1)]), with: [next.title]) {
      var own = self.makeIterator()
      return { own.next().map { .element($0) } ?? .rest(next) }
    }
  }

  /// Appends an element. See `LazyList.concat(_:)`.
  public func concat(value: Element) -> LazyList {
    joining(Operation("concat(value:)")) {
      var own = self.makeIterator()
      return { own.next().map { .element($0) } ?? .rest(LazyList(value: value)) }
    }
  }

  /// Begins with `previous` and continues with this list.
  ///
  ///     self              3, 4
  ///     previous          1, 2
  ///     prefix(previous)  1, 2, 3, 4
  ///
  /// - *Events*: ends with this list. No element of this list is computed before `previous` has
  ///   ended.
  /// - *Memory*: both lists, from the positions of their readers.
  /// - *Scheduling*: the reader's thread.
  public func prefix(_ previous: LazyList) -> LazyList {
    joining(
      Operation("prefix($)", [.parent(1)]), with: [previous.title]
    ) {
      var first = previous.makeIterator()
      return { first.next().map { .element($0) } ?? .rest(self) }
    }
  }

  /// Begins with `value`. See `LazyList.prefix(_:)`.
  public func prefix(value: Element) -> LazyList {
    joining(Operation("prefix(value:)")) {
      var isFirst = true
      return {
        defer { isFirst = false }
        return isFirst ? .element(value) : .rest(self)
      }
    }
  }

  /// Pairs elements with the same index.
  ///
  ///     numbers                    1, 2, 3
  ///     letters                    a, b
  ///     numbers.zip(with: letters) (1, a), (2, b)
  ///
  /// - *Events*: ends with the shorter list.
  /// - *Memory*: both lists, from the positions of their readers.
  /// - *Scheduling*: the reader's thread.
  public var zip: ListZip<Element> { ListZip(list: self) }

  fileprivate func zipped<Other>(with other: LazyList<Other>) -> LazyList<(Element, Other)> {
    joining(
      Operation("zip(with: $)", [.parent(1)]), with: [other.title]
    ) {
      var own = self.makeIterator()
      var others = other.makeIterator()
      return {
        guard let first = own.next(), let second = others.next() else { return .end }
        return .element((first, second))
      }
    }
  }

  /// Maps each element to a list and concatenates these lists.
  ///
  ///     self                             1, 2, 3
  ///     flatMap { LazyList([$0, -$0]) }  1, -1, 2, -2, 3, -3
  ///
  /// - *Events*: ends after the list of the last element. An element is computed when the list of
  ///   the previous one has been read to its end.
  /// - *Memory*: this list and the latest inner list, from the positions of their readers.
  /// - *Scheduling*: the reader's thread, which also runs `transform`.
  @preconcurrency
  public func flatMap<New>(
    _ transform: @escaping @Sendable (Element) -> LazyList<New>
  ) -> LazyList<New> {
    flattening(Operation("flatMap(_:)")) { element, _ in
      transform(element)
    }
  }

  /// Maps each element to a list and concatenates these lists, until a step asks to stop. See
  /// `LazyList.flatMap(_:)`.
  ///
  /// - Parameter step: returns the list for an element, or nil to stop. A step that sets `stop` is
  ///   the last, and its list is still included.
  @preconcurrency
  public func bind<New>(
    _ step: @escaping @Sendable (_ element: Element, _ stop: inout Bool) -> LazyList<New>?
  ) -> LazyList<New> {
    flattening(Operation("bind(_:)"), step)
  }

  /// Concatenates the lists in this list. See `LazyList.flatMap(_:)`.
  public func flatten<Inner>() -> LazyList<Inner> where Element == LazyList<Inner> {
    flattening(Operation("flatten()")) { list, _ in list }
  }

  private func flattening<New>(
    _ operation: Operation, _ step: @escaping (Element, inout Bool) -> LazyList<New>?
  ) -> LazyList<New> {
    joining(operation) {
      var own = self.makeIterator()
      var inner: ListIterator<New>?
      return {
        while true {
          if let element = inner?.next() { return .element(element) }
          inner = nil
          guard let element = own.next() else { return .end }
          var stop = false
          guard let list = step(element, &stop) else { return .end }
          if stop { return .rest(list) }
          inner = list.makeIterator()
        }
      }
    }
  }
}

/// The callable value of `list.zip`. A method would conflict with the static `zip`
/// (Docs/Decisions/0001).
public struct ListZip<Element> {
  fileprivate let list: LazyList<Element>

  /// Pairs elements with the same index; ends with the shorter list.
  public func callAsFunction<Other>(with other: LazyList<Other>) -> LazyList<(Element, Other)> {
    list.zipped(with: other)
  }
}

// Safety: lists are thread-safe.
extension ListZip: @unchecked Sendable where Element: Sendable {}

// MARK: - Tuples of any number of lists

/// A reader of one of several lists that are read together.
private final class ListCursor<Element> {
  private var rest: ListIterator<Element>
  private var element: Element?

  init(_ list: LazyList<Element>) { rest = list.makeIterator() }

  /// Reads the next element. Returns false if there is none.
  func advance() -> Bool {
    element = rest.next()
    return element != nil
  }

  /// Returns the element that was read.
  ///
  /// - Precondition: `advance()` has returned true since the last call.
  func take() -> Element { element.take().unsafelyUnwrapped }
}

/// The readers of a pack of lists. A class, because a closure cannot capture a pack.
private final class ListCursors<each Element> {
  private let cursors: (repeat ListCursor<each Element>)

  init(_ lists: repeat LazyList<each Element>) {
    cursors = (repeat ListCursor(each lists))
  }

  func next() -> (repeat each Element)? {
    for cursor in repeat each cursors {
      if !cursor.advance() { return nil }
    }
    return (repeat (each cursors).take())
  }
}

extension LazyList {
  /// Returns a list of tuples of the elements with the same index, which ends with the shortest
  /// list. See `LazyList.zip(with:)`.
  public static func zip<each Other>(
    _ first: LazyList, _ others: repeat LazyList<each Other>
  ) -> LazyList<(Element, repeat each Other)> {
    var parents = [first.title]
    for other in repeat each others { parents.append(other.title) }
    let title = StreamTitle(
      Operation("zip($)", form: .function, [.parents]), of: parents,
      valueType: (Element, repeat each Other).self)
    let makeCursors = { ListCursors(first, repeat each others) }
    return LazyList<(Element, repeat each Other)>(title, isEager: first.isEager) {
      let cursors = makeCursors()
      return { cursors.next().map { .element($0) } ?? .end }
    }
  }
}

// MARK: - Folds

extension LazyList {
  /// Folds the elements from the last to the first. `combine` decides whether the rest is read.
  ///
  ///     bits.foldRight(false) { bit, rest in bit || rest() }  // reads up to the first true
  ///
  /// - Parameters:
  ///   - initialResult: the result for an empty list.
  ///   - combine: combines an element with the fold of the following elements. That fold is
  ///     computed when `rest` is called, inside the call, so a fold over the whole list needs a
  ///     stack as deep as the list is long.
  public func foldRight<Result>(
    _ initialResult: Result, _ combine: (_ element: Element, _ rest: () -> Result) -> Result
  ) -> Result {
    withoutActuallyEscaping(combine) { folded(initialResult, $0) }
  }

  private func folded<Result>(
    _ initialResult: Result, _ combine: @escaping (Element, () -> Result) -> Result
  ) -> Result {
    guard let head else { return initialResult }
    return combine(head) { tail.folded(initialResult, combine) }
  }
}
