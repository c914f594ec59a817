/// A receiver of a stream's events: the base class of everything that a stream delivers to.
///
/// Values and terminations arrive through two virtual methods rather than as one enumeration,
/// because building and destructuring an event of a generic type would cost more than the rest of a
/// stage.
///
/// A subclass may rely on being called serially, and on not being called after `terminate(_:)`. The
/// class is open for code that was written for ReactiveSwift; other code uses `Signal.Observer`.
@_documentation(visibility: internal)
open class Observer<Value, Failure: Error>: AnyObserver {
  /// Creates an observer.
  override public init() { super.init() }

  /// Receives a value. The base class ignores it.
  open func receive(_ value: Value) {}

  /// Receives a terminal event. The base class ignores it.
  open func terminate(_ termination: Termination<Failure>) {}

  override final func interrupt() { terminate(.interrupted) }

  override func complete() { terminate(.completed) }
}
