import VarveProbe

/// What closures that run anywhere tell the test.
public final class Box<Value: Sendable>: Sendable {
  private let content: Lock<Value>

  /// Creates a box.
  public init(_ value: Value) { content = Lock(value) }

  /// What is in it.
  public var value: Value { content.withLock { $0 } }

  /// Replaces what is in it.
  public func set(_ value: Value) { content.withLock { $0 = value } }

  /// Changes what is in it.
  @discardableResult
  public func change<Result>(_ body: (inout Value) -> Result) -> Result {
    content.withLock { body(&$0) }
  }
}

extension Box where Value: RangeReplaceableCollection {
  /// Appends to what is in it.
  public func append(_ element: Value.Element) { change { $0.append(element) } }
}
