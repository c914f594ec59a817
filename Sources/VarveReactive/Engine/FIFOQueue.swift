/// Elements that wait for their turn, the oldest first.
///
/// Whoever takes one gets the line's only reference to it. A line is kept under a lock, and what its
/// elements hold may run anything when it goes: so nothing that was taken stays behind.
///
/// - Complexity: adding and taking are O(1), amortised.
package struct FIFOQueue<Element> {
  private var elements: ContiguousArray<Element?> = []
  /// Of `elements`, how many have been taken: places that are empty.
  private var taken = 0
  /// How many places have been removed in front of `elements`.
  private var removed = 0

  package init() {}

  /// How many wait.
  var count: Int { elements.count - taken }

  var isEmpty: Bool { count == 0 }

  /// Puts an element behind the others.
  ///
  /// - Returns: its ticket: how many were added before it.
  @discardableResult
  package mutating func append(_ element: Element) -> Int {
    elements.append(element)
    return removed + elements.count - 1
  }

  /// Changes an element that waits.
  ///
  /// - Returns: whether it does.
  mutating func change(_ ticket: Int, _ body: (inout Element) -> Void) -> Bool {
    let index = ticket - removed
    guard index >= taken, index < elements.count, var element = elements[index].take() else {
      return false
    }
    body(&element)
    elements[index] = element
    return true
  }

  /// Takes out the oldest.
  package mutating func takeFirst() -> Element? {
    guard taken < elements.count else { return nil }
    let element = elements[taken].take()
    taken += 1
    if taken * 2 > elements.count {
      elements.removeFirst(taken)
      removed += taken
      taken = 0
    }
    return element
  }

  /// Takes out all, the oldest first.
  mutating func takeAll() -> [Element] {
    defer {
      removed += elements.count
      elements = []
      taken = 0
    }
    return elements[taken...].compactMap { $0 }
  }
}
