internal import Synchronization
internal import VarveReactive

/// The source of those elements of a list that have not been computed.
///
/// All tails of a list share one source. It computes the elements in order, whichever one is read,
/// and stores each in its cell. If the rest is another list, the cells of that list follow, and its
/// source computes them. Nested lists, such as those of recursive functions, therefore need no
/// stack as deep as they are long, and no element is stored twice.
final class ListSource<Element>: ListTurn, @unchecked Sendable {
  // Safety: the successor is atomic and written once; the rest is accessed only by the thread that
  // computes.

  /// A step of the computation.
  enum Step {
    case element(Element)
    /// The rest is another list.
    case rest(LazyList<Element>)
    case end
  }

  /// The cell of the next element; nil if no more come from this source.
  private var frontier: ListCell<Element>?
  /// Computes the next step.
  private var advance: (() -> Step)?
  /// The list that is the rest, until its cells can be linked.
  private var following: LazyList<Element>?
  /// The source of that list, once its cells are linked.
  private let successorWord = Atomic<UInt>(0)
  private let title: StreamTitle

  init(_ title: StreamTitle, into first: ListCell<Element>, _ advance: @escaping () -> Step) {
    self.title = title
    frontier = first
    self.advance = advance
  }

  override var listName: String { NameRendering.name(of: .title(title)) }

  /// The source that computes the rest.
  var current: ListSource {
    var source = self
    while let next = source.successor { source = next }
    return source
  }

  /// Computes the elements up to that of `cell`, a cell of this list.
  func compute(_ cell: ListCell<Element>) {
    while !cell.isKnown { current.computeOwn(cell) }
  }

  private func computeOwn(_ cell: ListCell<Element>) {
    begin()
    defer { end() }
    while !cell.isKnown, successor == nil {
      if !computeNext() { cell.end() }
    }
  }

  /// Computes one element. Returns false if there is none.
  private func computeNext() -> Bool {
    while true {
      if let list = following { return follow(list) }
      guard let cell = frontier, let step = advance?() else { return false }
      switch step {
      case .element(let element):
        frontier = cell.next
        cell.fill(element)
        return true
      case .rest(let list):
        following = list
        advance = nil
      case .end:
        finish(cell)
        return false
      }
    }
  }

  /// Takes an element from the list that is the rest. Returns false if there is none.
  private func follow(_ list: LazyList<Element>) -> Bool {
    guard let cell = frontier else { return false }
    guard let head = list.head else {
      finish(cell)
      return false
    }
    let rest = list.tail
    // Cells are not linked if the list is the beginning of this one, or if the next cell already
    // exists.
    let heir = rest.source.current
    if heir !== self, cell.link(to: rest.cell) {
      cell.fill(head)
      successorWord.store(
        UInt(bitPattern: Unmanaged.passRetained(heir).toOpaque()), ordering: .releasing)
      following = nil
      frontier = nil
    } else {
      following = rest
      frontier = cell.next
      cell.fill(head)
    }
    return true
  }

  private func finish(_ cell: ListCell<Element>) {
    cell.end()
    advance = nil
    following = nil
    frontier = nil
  }

  private var successor: ListSource? {
    UnsafeRawPointer(bitPattern: successorWord.load(ordering: .acquiring)).map {
      Unmanaged<ListSource>.fromOpaque($0).takeUnretainedValue()
    }
  }

  deinit {
    // A loop, as in `ListCell`.
    var next = takeSuccessor()
    while next != nil, isKnownUniquelyReferenced(&next) { next = next?.takeSuccessor() }
  }

  private func takeSuccessor() -> ListSource? {
    let word = successorWord.exchange(0, ordering: .acquiringAndReleasing)
    return UnsafeRawPointer(bitPattern: word).map {
      Unmanaged<ListSource>.fromOpaque($0).takeRetainedValue()
    }
  }
}
