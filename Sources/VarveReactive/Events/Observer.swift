/// A receiver of a stream's events: the base class of everything that a stream delivers to.
///
/// Values and terminations arrive through two virtual calls rather than as one enumeration, because
/// an event of a generic type costs more to build and take apart than a whole stage costs
/// otherwise.
///
/// A subclass may rely on being called serially, and on nothing coming after `terminate(_:)`. It is
/// open for code that was written for ReactiveSwift. Others use `Signal.Observer`.
@_documentation(visibility: internal)
open class Observer<Value, Failure: Error>: AnyObserver {
  /// Creates an observer.
  override public init() { super.init() }

  /// Receives a value. The base class ignores it.
  open func receive(_ value: Value) {}

  /// Receives the end. The base class ignores it.
  open func terminate(_ termination: Termination<Failure>) {}

  override final func interrupt() { terminate(.interrupted) }

  override func complete() { terminate(.completed) }
}
