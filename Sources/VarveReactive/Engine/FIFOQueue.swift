/// A first-in, first-out queue.
///
/// Removing an element transfers the queue's only reference to it. The queue is used under a lock,
/// where releasing an element could run arbitrary code, so no removed element stays in its storage.
///
/// - Complexity: adding and taking are amortized O(1).
package struct FIFOQueue<Element> {
  private var elements: ContiguousArray<Element?> = []
  /// The number of leading slots in `elements` that are empty because they have been taken.
  private var taken = 0
  /// The number of slots that have been removed in front of `elements`.
  private var removed = 0

  package init() {}

  /// The number of waiting elements.
  var count: Int { elements.count - taken }

  var isEmpty: Bool { count == 0 }

  /// Appends an element.
  ///
  /// - Returns: the element's ticket: the number of elements appended before it.
  @discardableResult
  package mutating func append(_ element: Element) -> Int {
    elements.append(element)
    return removed + elements.count - 1
  }

  /// Changes an element that is still waiting.
  ///
  /// - Returns: whether it was still waiting.
  mutating func change(_ ticket: Int, _ body: (inout Element) -> Void) -> Bool {
    let index = ticket - removed
    guard index >= taken, index < elements.count, var element = elements[index].take() else {
      return false
    }
    body(&element)
    elements[index] = element
    return true
  }

  /// Removes and returns the oldest element.
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

  /// Removes and returns all elements, oldest first.
  mutating func takeAll() -> [Element] {
    defer {
      removed += elements.count
      elements = []
      taken = 0
    }
    return elements[taken...].compactMap { $0 }
  }
}
