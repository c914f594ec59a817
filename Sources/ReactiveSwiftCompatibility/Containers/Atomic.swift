private import Foundation

/// A value that is protected by a lock.
public final class Atomic<Value>: @unchecked Sendable {
  // Safety: the value is accessed only under the lock.
  private var current: Value
  private let lock = NSLock()

  /// Creates an instance with an initial value.
  public init(_ value: Value) { current = value }

  /// The value. Reading and then writing are two separate steps; `modify` combines them.
  public var value: Value {
    get { withValue { $0 } }
    set { swap(newValue) }
  }

  /// Changes the value in place, in one step. The closure must access it only through its argument.
  @discardableResult
  public func modify<Result>(_ action: (inout Value) throws -> Result) rethrows -> Result {
    lock.lock()
    defer { lock.unlock() }
    return try action(&current)
  }

  /// Calls `action` with the value, which no other thread changes in the meantime.
  @discardableResult
  public func withValue<Result>(_ action: (Value) throws -> Result) rethrows -> Result {
    lock.lock()
    defer { lock.unlock() }
    return try action(current)
  }

  /// Replaces the value and returns the previous one, in one step.
  @discardableResult
  public func swap(_ newValue: Value) -> Value {
    modify { value in
      defer { value = newValue }
      return value
    }
  }
}
