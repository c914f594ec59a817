internal import Synchronization
internal import VarveReactive

/// What a list's elements come from, as far as they have not been computed.
///
/// All tails of a list share one. It computes the elements in order, whichever is asked for, and
/// puts each into its cell. When what is left is another list, the cells of that one follow, and its
/// source computes them: so lists that end in lists that end in lists, as recursive functions make
/// them, need no stack as deep as they are long, and nothing is kept twice.
final class ListSource<Element>: ListTurn, @unchecked Sendable {
  // Safety: the successor is written once, and atomic; the rest is touched only by the thread whose
  // turn it is.

  /// What comes next.
  enum Step {
    case element(Element)
    /// All that is left is another list.
    case rest(LazyList<Element>)
    case end
  }

  /// The cell of the next element; nil when there is none to come from here.
  private var frontier: ListCell<Element>?
  /// Computes what comes next.
  private var advance: (() -> Step)?
  /// The list that is all that is left, until its cells can follow.
  private var following: LazyList<Element>?
  /// The source of that list, from then on.
  private let successorWord = Atomic<UInt>(0)
  private let title: StreamTitle

  init(_ title: StreamTitle, into first: ListCell<Element>, _ advance: @escaping () -> Step) {
    self.title = title
    frontier = first
    self.advance = advance
  }

  override var listName: String { NameRendering.name(of: .title(title)) }

  /// The source that computes what is left.
  var current: ListSource {
    var source = self
    while let next = source.successor { source = next }
    return source
  }

  /// Computes the elements up to that of `cell`, which is one of this list's.
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

  /// Computes one element; false when there is none.
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

  /// Takes an element from the list that is all that is left.
  private func follow(_ list: LazyList<Element>) -> Bool {
    guard let cell = frontier else { return false }
    guard let head = list.head else {
      finish(cell)
      return false
    }
    let rest = list.tail
    // Not when the list is this one's own beginning, nor when somebody holds the cells to come.
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
    // In a loop, as the cells.
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
