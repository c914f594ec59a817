internal import VarveProbe
internal import VarveReactive

/// A pull-based stream: its elements are computed once, when they are first read.
///
///     let lines = LazyList(sequence: readLine)
///     let numbers = lines.compactMap { Int($0) }.take(while: { $0 != 0 })
///     numbers.head            // reads lines up to the first number
///     for number in numbers { print(number) }
///
/// An element is computed only when it is read, after its predecessors, while the reader waits. It
/// is computed once, including side effects, however many readers and derived lists there are. Any
/// number of threads may read.
///
/// - *Events*: elements and an end. A list neither fails nor is interrupted.
/// - *Memory*: the computed elements, from the first one that is retained: a tail keeps no earlier
///   element alive. Ten million elements can be traversed and released without a deep stack.
/// - *Scheduling*: the first thread that reads an element computes it.
///
/// Describing a list computes nothing. Its operators have the same names as on producers, and
/// extend the name of the list in the same way.
public struct LazyList<Element> {
  let cell: ListCell<Element>
  let source: ListSource<Element>
  let title: StreamTitle
  /// Whether lists derived from this one are computed at once.
  let isEager: Bool

  init(
    _ cell: ListCell<Element>, _ source: ListSource<Element>, _ title: StreamTitle, isEager: Bool
  ) {
    self.cell = cell
    self.source = source
    self.title = title
    self.isEager = isEager
  }

  /// Creates a list that is not a part of another.
  ///
  /// - Parameter makeAdvance: returns the closure that computes the elements; called when the first
  ///   element is read.
  init(
    _ title: StreamTitle, isEager: Bool = false,
    _ makeAdvance: @escaping () -> () -> ListSource<Element>.Step
  ) {
    // Released after its use: it retains the beginnings of the lists from which this one is
    // derived.
    var make: (() -> () -> ListSource<Element>.Step)? = makeAdvance
    var advance: (() -> ListSource<Element>.Step)?
    let cell = ListCell<Element>()
    let source = ListSource(title, into: cell) {
      if let advance { return advance() }
      guard let made = make.take()?() else { return .end }
      advance = made
      return made()
    }
    self.init(cell, source, title, isEager: isEager)
    if isEager { computeAll() }
  }

  /// The first element, or nil if there is none. Computes that element.
  public var head: Element? {
    source.compute(cell)
    return cell.known
  }

  /// The list without its first element; for an empty list, an empty list. Computes nothing.
  public var tail: LazyList {
    cell.isEnd ? self : LazyList(cell.next, source.current, title, isEager: isEager)
  }

  /// Whether the list is empty. Computes the first element.
  public var isEmpty: Bool {
    source.compute(cell)
    return cell.isEnd
  }

  /// The same list with all its elements computed. Lists derived from it are computed at once, too.
  ///
  /// Does not return for an infinite list.
  public var eager: LazyList {
    computeAll()
    return LazyList(cell, source, title, isEager: true)
  }

  /// The same list. Lists derived from it are computed when they are read.
  public var lazy: LazyList { LazyList(cell, source, title, isEager: false) }

  private func computeAll() {
    var rest = self
    while !rest.isEmpty { rest = rest.tail }
  }
}

// Safety: cells and sources are thread-safe, and the closures are Sendable. The client guarantees
// that a sequence may be iterated on any thread, as `init(_:)` documents.
extension LazyList: @unchecked Sendable where Element: Sendable {}

// MARK: - Creating lists

extension LazyList {
  /// Creates a list of a sequence's elements. The sequence is iterated as these are read, by one
  /// thread at a time.
  ///
  /// Sequences that are not `Sendable`, such as lazy ones, are accepted. You must then ensure that
  /// other threads may iterate them.
  public init<Elements: Sequence>(_ elements: Elements) where Elements.Element == Element {
    self.init(StreamTitle(.source("list"), of: [], valueType: Element.self)) {
      var iterator = elements.makeIterator()
      return { iterator.next().map { .element($0) } ?? .end }
    }
  }

  /// Creates a list of one element.
  public init(value: Element) {
    self.init(StreamTitle(.source("value"), of: [], valueType: Element.self)) {
      var isFirst = true
      return {
        defer { isFirst = false }
        return isFirst ? .element(value) : .end
      }
    }
  }

  /// Creates a list of the results of `next`, until it returns nil.
  ///
  /// - Parameters:
  ///   - next: called once for each element, when it is read.
  ///   - file: the file in which the stream is created; its name, if it has no other.
  ///   - line: the line in `file`.
  @preconcurrency
  public init(
    sequence next: @escaping @Sendable () -> Element?, file: String = #fileID, line: UInt = #line
  ) {
    self.init(
      StreamTitle(
        .source("list"), of: [], place: Place(file: file, line: line),
        valueType: Element.self)
    ) {
      { next().map { .element($0) } ?? .end }
    }
  }

  /// Creates a list from an element and the list that follows it, each computed when it is read.
  ///
  ///     func naturals(from n: Int) -> LazyList<Int> {
  ///       LazyList(head: { n }, tail: { naturals(from: n + 1) })
  ///     }
  ///
  /// - Parameters:
  ///   - head: returns the element; called at most once.
  ///   - tail: returns the list that follows; called at most once.
  ///   - file: the file in which the stream is created; its name, if it has no other.
  ///   - line: the line in `file`.
  @preconcurrency
  public init(
    head: @escaping @Sendable () -> Element, tail: @escaping @Sendable () -> LazyList,
    file: String = #fileID, line: UInt = #line
  ) {
    self.init(
      StreamTitle(
        .source("list(head:tail:)"), of: [],
        place: Place(file: file, line: line), valueType: Element.self)
    ) {
      var isFirst = true
      return {
        defer { isFirst = false }
        return isFirst ? .element(head()) : .rest(tail())
      }
    }
  }

  /// An empty list.
  public static var empty: LazyList {
    LazyList(StreamTitle(.source("empty"), of: [], valueType: Element.self)) { { .end } }
  }
}

// MARK: - Reading

extension LazyList: Sequence {
  /// Returns an iterator from the head of the list. It does not retain the elements that it has
  /// passed.
  public func makeIterator() -> ListIterator<Element> { ListIterator(self) }
}

/// An iterator over a list.
public struct ListIterator<Element>: IteratorProtocol {
  private var rest: LazyList<Element>

  init(_ list: LazyList<Element>) { rest = list }

  /// Reads and returns the next element.
  public mutating func next() -> Element? {
    guard let head = rest.head else { return nil }
    rest = rest.tail
    return head
  }
}

// MARK: - Names

extension LazyList: CustomStringConvertible, CustomDebugStringConvertible {
  /// The name of the list. Computes nothing.
  public var description: String { NameRendering.name(of: .title(title)) }

  /// The name in ReactiveCocoa 2's form. Computes nothing.
  public var bracketDescription: String { NameRendering.name(of: .title(title), in: .brackets) }

  /// The name without the last use of `named(_:)`. Computes nothing.
  public var derivation: String { NameRendering.derivation(of: .title(title)) }

  /// The name of the list and its first known elements: `lines.map(_:) [1, 2, …]`. Computes
  /// nothing.
  public var debugDescription: String {
    var known: [String] = []
    var cell = cell
    while let element = cell.known, known.count < 32 {
      known.append("\(element)")
      cell = cell.next
    }
    if !cell.isEnd { known.append("…") }
    return "\(description) [\(known.joined(separator: ", "))]"
  }

  /// Names the list. The name replaces the derived one from here on. See `Signal.named(_:)`.
  public func named(_ name: String, file: String = #fileID, line: UInt = #line) -> LazyList {
    let naming = Operation("named(_:)", isTransparent: true)
    return LazyList(
      cell, source,
      StreamTitle(
        naming, of: [title], name: name, place: Place(file: file, line: line),
        valueType: Element.self), isEager: isEager)
  }
}
