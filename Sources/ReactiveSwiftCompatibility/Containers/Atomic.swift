private import Foundation

/// A value behind a lock.
public final class Atomic<Value>: @unchecked Sendable {
  // Safety: the value is reached only while the lock is held.
  private var current: Value
  private let lock = NSLock()

  /// Creates one.
  public init(_ value: Value) { current = value }

  /// The value. Reading and then writing are two steps; `modify` makes them one.
  public var value: Value {
    get { withValue { $0 } }
    set { swap(newValue) }
  }

  /// Changes the value in place, in one step. The closure must not reach for it otherwise.
  @discardableResult
  public func modify<Result>(_ action: (inout Value) throws -> Result) rethrows -> Result {
    lock.lock()
    defer { lock.unlock() }
    return try action(&current)
  }

  /// Runs `action` with the value; nobody changes it meanwhile.
  @discardableResult
  public func withValue<Result>(_ action: (Value) throws -> Result) rethrows -> Result {
    lock.lock()
    defer { lock.unlock() }
    return try action(current)
  }

  /// Replaces the value and returns the one before, in one step.
  @discardableResult
  public func swap(_ newValue: Value) -> Value {
    modify { value in
      defer { value = newValue }
      return value
    }
  }
}
