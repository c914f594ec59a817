internal import Synchronization

/// A cell for one element of a list, which is empty until the element has been computed.
///
/// A cell refers to the next cell but not to the previous one, so that a tail keeps no earlier
/// element alive.
final class ListCell<Element>: @unchecked Sendable {
  // Safety: `element` is written once, by the thread that computes it, before `phase` is set, and
  // read only afterwards. The rest is atomic.
  private let phase = Atomic<UInt8>(Phase.empty)
  private let nextWord = Atomic<UInt>(0)
  private var element: Element?

  private enum Phase {
    static var empty: UInt8 { 0 }
    static var full: UInt8 { 1 }
    static var end: UInt8 { 2 }
  }

  /// Whether it is known what the element is, or that there is none.
  var isKnown: Bool { phase.load(ordering: .acquiring) != Phase.empty }

  /// Whether it is known that there is no element.
  var isEnd: Bool { phase.load(ordering: .acquiring) == Phase.end }

  /// The element, if it is known and there is one.
  var known: Element? { phase.load(ordering: .acquiring) == Phase.full ? element : nil }

  /// Stores the element.
  func fill(_ element: Element) {
    self.element = element
    phase.store(Phase.full, ordering: .releasing)
  }

  /// Notes that there is no element.
  func end() { phase.store(Phase.end, ordering: .releasing) }

  /// The cell of the next element.
  var next: ListCell {
    if let known = UnsafeRawPointer(bitPattern: nextWord.load(ordering: .acquiring)) {
      return Unmanaged<ListCell>.fromOpaque(known).takeUnretainedValue()
    }
    let cell = ListCell()
    let new = Unmanaged.passRetained(cell)
    let (exchanged, other) = nextWord.compareExchange(
      expected: 0, desired: UInt(bitPattern: new.toOpaque()), ordering: .acquiringAndReleasing)
    guard !exchanged, let pointer = UnsafeRawPointer(bitPattern: other) else { return cell }
    new.release()
    return Unmanaged<ListCell>.fromOpaque(pointer).takeUnretainedValue()
  }

  /// Makes `cell` the cell of the next element, if there is none yet. Returns whether it did.
  func link(to cell: ListCell) -> Bool {
    let link = Unmanaged.passRetained(cell)
    let isLinked = nextWord.compareExchange(
      expected: 0, desired: UInt(bitPattern: link.toOpaque()), ordering: .acquiringAndReleasing
    ).exchanged
    if !isLinked { link.release() }
    return isLinked
  }

  deinit {
    // A loop, because ten million nested deinitializers would overflow the stack.
    var following = takeNext()
    while following != nil, isKnownUniquelyReferenced(&following) {
      following = following?.takeNext()
    }
  }

  private func takeNext() -> ListCell? {
    let word = nextWord.exchange(0, ordering: .acquiringAndReleasing)
    return UnsafeRawPointer(bitPattern: word).map {
      Unmanaged<ListCell>.fromOpaque($0).takeRetainedValue()
    }
  }
}
