public import CVarveSystem

extension Signal {
  /// Takes a signal's events: made of closures, or handed out as the input of a signal.
  public class Observer: VarveReactive.Observer<Value, Failure> {
    /// What an observer that is made of one closure does with each event.
    public typealias Action = (Event) -> Void

    private let onEvent: Action?
    private let onValue: ((Value) -> Void)?
    private let onFailed: ((Failure) -> Void)?
    private let onCompleted: (() -> Void)?
    private let onInterrupted: (() -> Void)?

    /// Creates an observer that does `action` with each event.
    @preconcurrency
    public init(_ action: @escaping @Sendable (Event) -> Void) {
      onEvent = action
      onValue = nil
      onFailed = nil
      onCompleted = nil
      onInterrupted = nil
    }

    /// Creates an observer from closures for the events that matter.
    @preconcurrency
    public init(
      value: (@Sendable (Value) -> Void)? = nil, failed: (@Sendable (Failure) -> Void)? = nil,
      completed: (@Sendable () -> Void)? = nil, interrupted: (@Sendable () -> Void)? = nil
    ) {
      onEvent = nil
      onValue = value
      onFailed = failed
      onCompleted = completed
      onInterrupted = interrupted
    }

    /// Takes a value.
    override public func receive(_ value: Value) {
      if let onValue { return onValue(value) }
      onEvent?(.value(value))
    }

    /// Takes the end.
    override public func terminate(_ termination: Termination<Failure>) {
      if let onEvent { return onEvent(Event(termination)) }
      switch termination {
      case .failed(let failure): onFailed?(failure)
      case .completed: onCompleted?()
      case .interrupted: onInterrupted?()
      }
    }

    // Inlined, and not left before the call returns, so that a report of a recursive send can tell
    // where it was made.

    /// Sends a value. On a signal's input: waits its turn when another thread sends, and returns
    /// when every observer has run.
    @inlinable
    public final func send(value: Value) {
      receive(value)
      vv_keep_frame()
    }

    /// Sends a failure, which ends the stream.
    public final func send(error: Failure) { terminate(.failed(error)) }

    /// Sends completion, which ends the stream.
    public final func sendCompleted() { terminate(.completed) }

    /// Sends interruption, which ends the stream.
    public final func sendInterrupted() { terminate(.interrupted) }

    /// Sends an event.
    public final func send(_ event: Event) {
      switch event {
      case .value(let value): send(value: value)
      case .failed(let failure): terminate(.failed(failure))
      case .completed: terminate(.completed)
      case .interrupted: terminate(.interrupted)
      }
    }
  }
}

// Safety: as an input it passes everything to a root, which is made for many threads; made of
// closures, which are Sendable, it has no state of its own.
extension Signal.Observer: @unchecked Sendable where Value: Sendable {}
