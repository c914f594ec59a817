extension SignalProducer {
  /// Starts the work.
  ///
  /// - Returns: a disposable that interrupts this start. Releasing it cancels nothing that is kept
  ///   alive elsewhere, by a reference to the input that the start handler received.
  @discardableResult
  public func start(
    _ observer: Signal<Value, Failure>.Observer = Signal<Value, Failure>.Observer()
  ) -> any Disposable {
    start(into: observer)
  }

  /// Starts the work and calls `action` with each event.
  @preconcurrency
  @discardableResult
  public func start(
    _ action: @escaping @Sendable (Event<Value, Failure>) -> Void
  ) -> any Disposable {
    start(into: Signal<Value, Failure>.Observer(action))
  }

  /// Starts the work and calls `action` with each value, or with the failure.
  @preconcurrency
  @discardableResult
  public func startWithResult(
    _ action: @escaping @Sendable (Result<Value, Failure>) -> Void
  ) -> any Disposable {
    start(
      into: Signal<Value, Failure>.Observer(
        value: { action(.success($0)) }, failed: { action(.failure($0)) }))
  }

  /// Starts the work and calls `action` when it completes.
  @preconcurrency
  @discardableResult
  public func startWithCompleted(_ action: @escaping @Sendable () -> Void) -> any Disposable {
    start(into: Signal<Value, Failure>.Observer(completed: action))
  }

  /// Starts the work and calls `action` when it fails.
  @preconcurrency
  @discardableResult
  public func startWithFailed(
    _ action: @escaping @Sendable (Failure) -> Void
  ) -> any Disposable {
    start(into: Signal<Value, Failure>.Observer(failed: action))
  }

  /// Starts the work and calls `action` when it is interrupted.
  @preconcurrency
  @discardableResult
  public func startWithInterrupted(_ action: @escaping @Sendable () -> Void) -> any Disposable {
    start(into: Signal<Value, Failure>.Observer(interrupted: action))
  }

  /// Starts the work after handing over the signal that it will send on.
  ///
  /// - Parameter setup: receives the signal before the work begins, so that observers attached
  ///   there share one complete run, and a disposable that interrupts the run; disposing of it in
  ///   `setup` prevents the work.
  /// - Returns: the result of `setup`. The work is stopped when the signal is neither referenced
  ///   nor observed any more, or when neither the disposable nor the input that the start handler
  ///   received is referenced any more.
  @discardableResult
  public func startWithSignal<Result>(
    _ setup: (Signal<Value, Failure>, any Disposable) -> Result
  ) -> Result { startWithRun(setup) }

  /// Starts the work in the same way, for callers that need the handle's type.
  func startWithRun<Result>(
    _ setup: (Signal<Value, Failure>, RunHandle) -> Result
  ) -> Result {
    let run = Run(heardBy: .signal)
    let handle = RunHandle(run)
    let (fanOut, root) = Signal<Value, Failure>.makeRoot(
      recipe.identity, resources: run, isRecorded: false)
    let signal = Signal(fanOut)
    run.adopt(root)
    let result = setup(signal, handle)
    // The signal may not be observed yet, but what the start sends at once belongs to the run.
    withExtendedLifetime((signal, handle)) {
      guard !run.isDisposed else { return }
      recipe.start(into: RunEnd(Passage(root), run: run), run: run)
    }
    return result
  }
}

extension SignalProducer where Failure == Never {
  /// Starts the work and calls `action` with each value.
  @preconcurrency
  @discardableResult
  @inlinable
  public func startWithValues(_ action: @escaping @Sendable (Value) -> Void) -> any Disposable {
    start(into: ValueSink(action))
  }
}

/// Forwards one serializer's events to another's root.
final class Passage<Value, Failure: Error>: Observer<Value, Failure> {
  private let root: Root<Value, Failure>

  init(_ root: Root<Value, Failure>) { self.root = root }

  override var hasEnough: Bool { root.isOver }
  override func receive(_ value: Value) { root.send(value) }
  override func terminate(_ termination: Termination<Failure>) { root.send(termination) }
}
