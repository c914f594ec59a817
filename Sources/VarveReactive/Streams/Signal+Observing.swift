extension Signal {
  /// Attaches an observer to all events from now on.
  ///
  /// If the signal has ended, the observer receives exactly one `interrupted`.
  ///
  /// - Returns: a disposable that detaches the observer without notifying it; nil if the signal has
  ///   ended.
  @discardableResult
  public func observe(_ observer: Observer) -> (any Disposable)? { attach(observer) }

  /// Calls `action` with each event from now on.
  @preconcurrency
  @discardableResult
  public func observe(_ action: @escaping @Sendable (Event) -> Void) -> (any Disposable)? {
    attach(Observer(action))
  }

  /// Calls `action` with each value, or with the failure.
  @preconcurrency
  @discardableResult
  public func observeResult(
    _ action: @escaping @Sendable (Result<Value, Failure>) -> Void
  ) -> (any Disposable)? {
    attach(
      Observer(value: { action(.success($0)) }, failed: { action(.failure($0)) }))
  }

  /// Calls `action` when the signal completes.
  @preconcurrency
  @discardableResult
  public func observeCompleted(_ action: @escaping @Sendable () -> Void) -> (any Disposable)? {
    attach(Observer(completed: action))
  }

  /// Calls `action` when the signal fails.
  @preconcurrency
  @discardableResult
  public func observeFailed(
    _ action: @escaping @Sendable (Failure) -> Void
  ) -> (any Disposable)? {
    attach(Observer(failed: action))
  }

  /// Calls `action` when the signal is interrupted, or if it has already ended.
  @preconcurrency
  @discardableResult
  public func observeInterrupted(_ action: @escaping @Sendable () -> Void) -> (any Disposable)? {
    attach(Observer(interrupted: action))
  }
}

extension Signal where Failure == Never {
  /// Calls `action` with each value from now on.
  @preconcurrency
  @discardableResult
  @inlinable
  public func observeValues(_ action: @escaping @Sendable (Value) -> Void) -> (any Disposable)? {
    attach(ValueSink(action))
  }
}

/// An observer of values only, as most observers are.
@usableFromInline
final class ValueSink<Value, Failure: Error>: Observer<Value, Failure> {
  private let action: (Value) -> Void

  @usableFromInline
  init(_ action: @escaping (Value) -> Void) { self.action = action }

  @usableFromInline
  override func receive(_ value: Value) { action(value) }
}
