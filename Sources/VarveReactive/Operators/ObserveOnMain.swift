extension Signal {
  /// Calls `action` with each event from now on, on the main actor: at once if the event is sent
  /// there and none is waiting, otherwise in order and as soon as possible.
  ///
  ///     results.observeOnMain { @MainActor event in list.show(event) }
  ///
  /// - Returns: a disposable that detaches the action; nil if the signal has ended.
  @preconcurrency
  @discardableResult
  public func observeOnMain(
    _ action: @escaping @MainActor @Sendable (Event) -> Void
  ) -> (any Disposable)? where Value: Sendable {
    let main = UIScheduler()
    return observe(on: main).observe { event in main.assure { action(event) } }
  }
}

extension Signal where Failure == Never {
  /// Calls `action` with each value from now on, on the main actor. See `observeOnMain(_:)`.
  @preconcurrency
  @discardableResult
  public func observeValuesOnMain(
    _ action: @escaping @MainActor @Sendable (Value) -> Void
  ) -> (any Disposable)? where Value: Sendable {
    let main = UIScheduler()
    return observe(on: main).observeValues { value in main.assure { action(value) } }
  }
}

extension SignalProducer {
  /// Starts the work here and calls `action` with each event on the main actor. See
  /// `Signal.observeOnMain(_:)`.
  ///
  /// - Returns: a disposable that interrupts this start. The interruption is delivered on the main
  ///   actor, too.
  @preconcurrency
  @discardableResult
  public func startObservingOnMain(
    _ action: @escaping @MainActor @Sendable (Event<Value, Failure>) -> Void
  ) -> any Disposable where Value: Sendable {
    let main = UIScheduler()
    return observe(on: main).start { event in main.assure { action(event) } }
  }
}

extension SignalProducer where Failure == Never {
  /// Starts the work here and calls `action` with each value on the main actor. See
  /// `Signal.observeOnMain(_:)`.
  ///
  /// - Returns: a disposable that interrupts this start.
  @preconcurrency
  @discardableResult
  public func startWithValuesOnMain(
    _ action: @escaping @MainActor @Sendable (Value) -> Void
  ) -> any Disposable where Value: Sendable {
    let main = UIScheduler()
    return observe(on: main).startWithValues { value in main.assure { action(value) } }
  }
}

extension UIScheduler {
  /// Runs the body on the main actor: synchronously, except for the interruption caused by
  /// disposing of a run or by observing an ended signal, which may happen on any thread.
  fileprivate func assure(_ body: @escaping @MainActor @Sendable () -> Void) {
    guard MainThread.isCurrent else {
      schedule { MainActor.assumeIsolated(body) }
      return
    }
    MainActor.assumeIsolated(body)
  }
}
