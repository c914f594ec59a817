/// A collection of elements in the order of insertion, each of which can be removed with a token.
public struct Bag<Element> {
  /// A token that identifies an element for removal.
  public struct Token: Hashable, Sendable {
    fileprivate let number: UInt64
  }

  private var elements: ContiguousArray<Element> = []
  /// The numbers of the tokens, ascending, one for each element.
  private var numbers: ContiguousArray<UInt64> = []
  private var nextNumber: UInt64 = 0

  /// Creates an empty bag.
  public init() {}

  /// Creates a bag with the elements of a sequence.
  public init(_ elements: some Sequence<Element>) {
    for element in elements { insert(element) }
  }

  /// Appends an element and returns its token.
  @discardableResult
  public mutating func insert(_ value: Element) -> Token {
    defer { nextNumber += 1 }
    elements.append(value)
    numbers.append(nextNumber)
    return Token(number: nextNumber)
  }

  /// Removes and returns an element; returns nil if it was removed before.
  ///
  /// - Complexity: O(*n*).
  @discardableResult
  public mutating func remove(using token: Token) -> Element? {
    var range = numbers.startIndex..<numbers.endIndex
    while !range.isEmpty {
      let middle = range.lowerBound + range.count / 2
      if numbers[middle] < token.number {
        range = (middle + 1)..<range.upperBound
      } else {
        range = range.lowerBound..<middle
      }
    }
    let index = range.lowerBound
    guard index < numbers.endIndex, numbers[index] == token.number else { return nil }
    numbers.remove(at: index)
    return elements.remove(at: index)
  }
}

extension Bag: RandomAccessCollection {
  /// An iterator over the elements that a bag had when the iteration began.
  public struct Iterator: IteratorProtocol {
    fileprivate var base: ContiguousArray<Element>.Iterator

    /// Returns the next element, in the order of insertion.
    public mutating func next() -> Element? { base.next() }
  }

  /// The position of the first element.
  public var startIndex: Int { elements.startIndex }
  /// The position after the last element.
  public var endIndex: Int { elements.endIndex }
  /// The element at a position.
  public subscript(index: Int) -> Element { elements[index] }

  /// Returns an iterator over the elements.
  public func makeIterator() -> Iterator { Iterator(base: elements.makeIterator()) }
}

extension Bag: Sendable where Element: Sendable {}
