internal import VarveProbe
internal import VarveReactive

/// A stream that is pulled: its elements are computed when they are read, and once.
///
///     let lines = LazyList(sequence: readLine)
///     let numbers = lines.compactMap { Int($0) }.take(while: { $0 != 0 })
///     numbers.head            // reads lines up to the first number
///     for number in numbers { print(number) }
///
/// An element is computed only when it is read, and after those before it; the reader waits
/// meanwhile. It is computed once, side effects included, whoever reads it and through however many
/// lists that were derived of this one. Any number of threads may read.
///
/// - *Events*: elements and an end: a list neither fails nor is interrupted.
/// - *Memory*: what was computed, from where the list is held: holding a tail keeps no earlier element
///   alive. Ten million elements can be walked, and released, without a deep stack.
/// - *Scheduling*: the thread that reads an element first computes it.
///
/// To describe a list computes nothing. Its operators bear the names that they have on producers,
/// and extend its name in the same way.
public struct LazyList<Element> {
  let cell: ListCell<Element>
  let source: ListSource<Element>
  let title: StreamTitle
  /// Whether lists that are derived of this one are computed at once.
  let isEager: Bool

  init(
    _ cell: ListCell<Element>, _ source: ListSource<Element>, _ title: StreamTitle, isEager: Bool
  ) {
    self.cell = cell
    self.source = source
    self.title = title
    self.isEager = isEager
  }

  /// A list of its own.
  ///
  /// - Parameter makeAdvance: makes what computes the elements, when the first is asked for.
  init(
    _ title: StreamTitle, isEager: Bool = false,
    _ makeAdvance: @escaping () -> () -> ListSource<Element>.Step
  ) {
    // Let go of when it has been used: it holds the beginnings of the lists that this one is made of.
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

  /// The first element, or nil when there is none. Computes it.
  public var head: Element? {
    source.compute(cell)
    return cell.known
  }

  /// All elements but the first; of an empty list, an empty list. Computes nothing.
  public var tail: LazyList {
    cell.isEnd ? self : LazyList(cell.next, source.current, title, isEager: isEager)
  }

  /// Whether there is no element. Computes the first one.
  public var isEmpty: Bool {
    source.compute(cell)
    return cell.isEnd
  }

  /// The same list with all its elements computed; what is derived of it is computed at once, too.
  ///
  /// It does not return when the list has no end.
  public var eager: LazyList {
    computeAll()
    return LazyList(cell, source, title, isEager: true)
  }

  /// The same list; what is derived of it is computed when it is read.
  public var lazy: LazyList { LazyList(cell, source, title, isEager: false) }

  private func computeAll() {
    var rest = self
    while !rest.isEmpty { rest = rest.tail }
  }
}

// Safety: cells and sources are made for many threads, and the closures are Sendable. One thing is
// the user's word: that a sequence may be iterated on any thread, which `init(_:)` says.
extension LazyList: @unchecked Sendable where Element: Sendable {}

// MARK: - Where lists come from

extension LazyList {
  /// Creates the list of a sequence's elements. The sequence is iterated as they are read, by one
  /// thread at a time.
  ///
  /// Sequences that are not `Sendable` are taken, as those of `lazy` are not: that a thread other than
  /// this may iterate one is then for you to see to.
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

  /// Creates a list of what `next` returns, until it returns nil.
  ///
  /// - Parameters:
  ///   - next: called once for each element, when it is read.
  ///   - file: where the stream was made: its name, when it has no other.
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

  /// Creates a list of an element and the list that follows it, each made when it is read.
  ///
  ///     func naturals(from n: Int) -> LazyList<Int> {
  ///       LazyList(head: { n }, tail: { naturals(from: n + 1) })
  ///     }
  ///
  /// - Parameters:
  ///   - head: makes the element; called at most once.
  ///   - tail: makes what follows; called at most once.
  ///   - file: where the stream was made: its name, when it has no other.
  ///   - line: the line in `file`.
  @preconcurrency
  public init(
    head: @escaping @Sendable () -> Element, tail: @escaping @Sendable () -> LazyList,
    file: String = #fileID, line: UInt = #line
  ) {
    self.init(
      StreamTitle(
        .source("list", alias: "+sequenceWithHeadBlock:tailBlock:"), of: [],
        place: Place(file: file, line: line), valueType: Element.self)
    ) {
      var isFirst = true
      return {
        defer { isFirst = false }
        return isFirst ? .element(head()) : .rest(tail())
      }
    }
  }

  /// A list without elements.
  public static var empty: LazyList {
    LazyList(StreamTitle(.source("empty"), of: [], valueType: Element.self)) { { .end } }
  }
}

// MARK: - Reading

extension LazyList: Sequence {
  /// Reads the list from its head. It keeps no element that it has passed.
  public func makeIterator() -> ListIterator<Element> { ListIterator(self) }
}

/// Walks along a list.
public struct ListIterator<Element>: IteratorProtocol {
  private var rest: LazyList<Element>

  init(_ list: LazyList<Element>) { rest = list }

  /// Reads the next element.
  public mutating func next() -> Element? {
    guard let head = rest.head else { return nil }
    rest = rest.tail
    return head
  }
}

// MARK: - Names

extension LazyList: CustomStringConvertible, CustomDebugStringConvertible {
  /// The list's name. Computes nothing.
  public var description: String { NameRendering.name(of: .title(title)) }

  /// The name in ReactiveCocoa 2's form. Computes nothing.
  public var bracketDescription: String { NameRendering.name(of: .title(title), in: .brackets) }

  /// What the name would be if `named(_:)` had not given one last. Computes nothing.
  public var derivation: String { NameRendering.derivation(of: .title(title)) }

  /// The list's name and the first of the elements that are known: `lines.map(_:) [1, 2, …]`.
  /// Computes nothing.
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

  /// The same list under a name, which replaces the derived one from here on. See
  /// `Signal.named(_:)`.
  public func named(_ name: String, file: String = #fileID, line: UInt = #line) -> LazyList {
    let naming = Operation("named(_:)", isTransparent: true)
    return LazyList(
      cell, source,
      StreamTitle(
        naming, of: [title], name: name, place: Place(file: file, line: line),
        valueType: Element.self), isEager: isEager)
  }
}
