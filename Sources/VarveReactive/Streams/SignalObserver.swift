public import CVarveSystem

extension Signal {
  /// An observer of a signal's events, made from closures or handed out as the input of a signal.
  public class Observer: VarveReactive.Observer<Value, Failure> {
    /// A closure that is called with each event.
    public typealias Action = (Event) -> Void

    private let onEvent: Action?
    private let onValue: ((Value) -> Void)?
    private let onFailed: ((Failure) -> Void)?
    private let onCompleted: (() -> Void)?
    private let onInterrupted: (() -> Void)?

    /// Creates an observer that calls `action` with each event.
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

    /// Receives a value.
    override public func receive(_ value: Value) {
      if let onValue { return onValue(value) }
      onEvent?(.value(value))
    }

    /// Receives the end.
    override public func terminate(_ termination: Termination<Failure>) {
      if let onEvent { return onEvent(Event(termination)) }
      switch termination {
      case .failed(let failure): onFailed?(failure)
      case .completed: onCompleted?()
      case .interrupted: onInterrupted?()
      }
    }

    // Inlined, with a frame that remains until the call returns, so that a report of a recursive
    // send can tell where the send was made.

    /// Sends a value. On a signal's input, waits while another thread sends, and returns when every
    /// observer has run.
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

// Safety: an input passes everything to a root, which may be used from any thread; an observer made
// from closures, which are Sendable, has no other state.
extension Signal.Observer: @unchecked Sendable where Value: Sendable {}
