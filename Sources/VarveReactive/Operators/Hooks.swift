/// The side effects of a stream as its events pass, for `on(…)`.
struct Hooks<Value, Failure: Error> {
  var event: ((Event<Value, Failure>) -> Void)?
  var value: ((Value) -> Void)?
  var failed: ((Failure) -> Void)?
  var completed: (() -> Void)?
  var interrupted: (() -> Void)?
  var terminated: (() -> Void)?
  var disposed: (() -> Void)?
}

extension UnaryOperator where Input == Output, InputFailure == OutputFailure {
  static func hooking(
    _ operation: Operation, _ hooks: Hooks<Input, InputFailure>
  ) -> Self {
    Self(operation) { HookStage(hooks) }
  }

  static func on(
    starting: (() -> Void)? = nil, started: (() -> Void)? = nil,
    _ hooks: Hooks<Input, InputFailure>
  ) -> Self {
    var unary = hooking(
      hooks.operation(starting: starting != nil, started: started != nil), hooks)
    if starting != nil || started != nil {
      unary.aroundStart = (before: { _ in starting?() }, after: { _ in started?() })
    }
    return unary
  }
}

extension Hooks {
  /// The operation, named after the hook if there is only one.
  fileprivate func operation(starting: Bool, started: Bool) -> Operation {
    let all: [(isGiven: Bool, label: StaticString)] = [
      (starting, "on(starting:)"),
      (started, "on(started:)"),
      (event != nil, "on(event:)"),
      (failed != nil, "on(failed:)"),
      (completed != nil, "on(completed:)"),
      (interrupted != nil, "on(interrupted:)"),
      (terminated != nil, "on(terminated:)"),
      (disposed != nil, "on(disposed:)"),
      (value != nil, "on(value:)"),
    ]
    let given = all.filter(\.isGiven)
    guard given.count == 1, let only = given.first else {
      return Operation("on(…)", traits: .hasEffects)
    }
    return Operation(only.label, traits: .hasEffects)
  }
}

extension Hooks {
  /// The closure that is called with each value, chosen once.
  fileprivate var valueAction: (Value) -> Void {
    guard let event else { return value ?? { _ in } }
    guard let value else { return { event(.value($0)) } }
    return {
      event(.value($0))
      value($0)
    }
  }
}

private final class HookStage<Value, Failure: Error>: Stage<Value, Failure, Value, Failure> {
  private let hooks: Hooks<Value, Failure>
  private let watchesValues: Bool
  private let onValue: (Value) -> Void
  private var isDisposed = false

  init(
    _ hooks: Hooks<Value, Failure>
  ) {
    self.hooks = hooks
    watchesValues = hooks.event != nil || hooks.value != nil
    onValue = hooks.valueAction
    super.init()
  }

  // An unreachable signal is deallocated without an event.
  deinit { dispose() }

  override func receive(_ value: Value) {
    if watchesValues { onValue(value) }
    forward(value)
  }

  override func terminate(_ termination: Termination<Failure>) {
    hooks.event?(Event(termination))
    switch termination {
    case .failed(let failure): hooks.failed?(failure)
    case .completed: hooks.completed?()
    case .interrupted: hooks.interrupted?()
    }
    hooks.terminated?()
    finish(termination)
    dispose()
  }

  private func dispose() {
    guard !isDisposed else { return }
    isDisposed = true
    hooks.disposed?()
  }
}

extension Signal {
  /// Calls the given hooks with each event before it is forwarded.
  ///
  ///     self             --1--2--|
  ///     on(value: f)     --1--2--|      f(1), f(2)
  ///
  /// - *Events*: all events are forwarded unchanged.
  /// - *Memory*: none.
  /// - *Scheduling*: the hooks run on the sender's thread, once for each event, however many
  ///   observers there are.
  ///
  /// - Parameters:
  ///   - event: called with every event, before the hook for its kind.
  ///   - failed: called with the failure.
  ///   - completed: called on completion.
  ///   - interrupted: called on interruption.
  ///   - terminated: called before the end, of any kind, is forwarded, and after the hook for its
  ///     kind.
  ///   - disposed: called once, after the end or when the signal has become unreachable.
  ///   - value: called with each value.
  @preconcurrency
  public func on(
    event: (@Sendable (Event) -> Void)? = nil, failed: (@Sendable (Failure) -> Void)? = nil,
    completed: (@Sendable () -> Void)? = nil, interrupted: (@Sendable () -> Void)? = nil,
    terminated: (@Sendable () -> Void)? = nil, disposed: (@Sendable () -> Void)? = nil,
    value: (@Sendable (Value) -> Void)? = nil
  ) -> Signal {
    applying(
      .on(
        Hooks(
          event: event, value: value, failed: failed, completed: completed,
          interrupted: interrupted, terminated: terminated, disposed: disposed)))
  }
}

extension SignalProducer {
  /// Calls the given hooks with each event before it is forwarded, and around each start. See
  /// `Signal.on(event:failed:completed:interrupted:terminated:disposed:value:)`.
  ///
  /// - Parameters:
  ///   - starting: called at each start, before anything is started.
  ///   - started: called after the start has returned, and therefore after the events sent during
  ///     it.
  ///   - event: called with every event, before the hook for its kind.
  ///   - failed: called with the failure.
  ///   - completed: called on completion.
  ///   - interrupted: called on interruption.
  ///   - terminated: called before the end, of any kind, is forwarded, and after the hook for its
  ///     kind.
  ///   - disposed: called once for each start, after its end.
  ///   - value: called with each value.
  @preconcurrency
  public func on(
    starting: (@Sendable () -> Void)? = nil, started: (@Sendable () -> Void)? = nil,
    event: (@Sendable (Event<Value, Failure>) -> Void)? = nil,
    failed: (@Sendable (Failure) -> Void)? = nil, completed: (@Sendable () -> Void)? = nil,
    interrupted: (@Sendable () -> Void)? = nil, terminated: (@Sendable () -> Void)? = nil,
    disposed: (@Sendable () -> Void)? = nil, value: (@Sendable (Value) -> Void)? = nil
  ) -> SignalProducer {
    applying(
      .on(
        starting: starting, started: started,
        Hooks(
          event: event, value: value, failed: failed, completed: completed,
          interrupted: interrupted, terminated: terminated, disposed: disposed)))
  }
}
