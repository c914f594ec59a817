/// Elements in the order of insertion, each of which can be taken out by the token it came with.
public struct Bag<Element> {
  /// Names an element for its removal.
  public struct Token: Hashable, Sendable {
    fileprivate let number: UInt64
  }

  private var elements: ContiguousArray<Element> = []
  /// The tokens' numbers, ascending, one for each element.
  private var numbers: ContiguousArray<UInt64> = []
  private var nextNumber: UInt64 = 0

  /// Creates an empty bag.
  public init() {}

  /// Creates a bag of the elements of a sequence.
  public init(_ elements: some Sequence<Element>) {
    for element in elements { insert(element) }
  }

  /// Appends an element.
  @discardableResult
  public mutating func insert(_ value: Element) -> Token {
    defer { nextNumber += 1 }
    elements.append(value)
    numbers.append(nextNumber)
    return Token(number: nextNumber)
  }

  /// Takes an element out; nil when that has been done before.
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
  /// The elements of a bag as it was when the iteration began.
  public struct Iterator: IteratorProtocol {
    fileprivate var base: ContiguousArray<Element>.Iterator

    /// The next element, in the order of insertion.
    public mutating func next() -> Element? { base.next() }
  }

  /// Where the elements begin.
  public var startIndex: Int { elements.startIndex }
  /// Where the elements end.
  public var endIndex: Int { elements.endIndex }
  /// The element at a position.
  public subscript(index: Int) -> Element { elements[index] }

  /// Iterates over the elements.
  public func makeIterator() -> Iterator { Iterator(base: elements.makeIterator()) }
}

extension Bag: Sendable where Element: Sendable {}
