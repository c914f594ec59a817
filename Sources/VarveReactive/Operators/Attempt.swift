extension UnaryOperator {
  /// - Parameter promote: translates the failure of the input.
  fileprivate static func attempting(
    _ label: StaticString, promote: @escaping (InputFailure) -> OutputFailure,
    _ transform: @escaping (Input) -> Result<Output, OutputFailure>
  ) -> Self {
    Self(Operation(label, traits: .endsEarly)) { AttemptStage(promote, transform) }
  }
}

extension UnaryOperator where InputFailure == OutputFailure {
  static func attemptMap(
    _ transform: @escaping (Input) -> Result<Output, OutputFailure>
  ) -> Self {
    attempting("attemptMap(_:)", promote: { $0 }, transform)
  }
}

extension UnaryOperator where InputFailure == OutputFailure, Input == Output {
  static func attempt(_ action: @escaping (Input) -> Result<Void, OutputFailure>) -> Self {
    attempting("attempt(_:)", promote: { $0 }) { value in
      action(value).map { value }
    }
  }
}

extension UnaryOperator where OutputFailure == any Error {
  static func attemptMap(_ transform: @escaping (Input) throws -> Output) -> Self {
    attempting("attemptMap(_:)", promote: { $0 }) { value in
      Result { try transform(value) }
    }
  }
}

extension UnaryOperator where OutputFailure == any Error, Input == Output {
  static func attempt(_ action: @escaping (Input) throws -> Void) -> Self {
    attempting("attempt(_:)", promote: { $0 }) { value in
      Result {
        try action(value)
        return value
      }
    }
  }
}

private final class AttemptStage<Input, InputFailure: Error, Output, OutputFailure: Error>:
  Stage<Input, InputFailure, Output, OutputFailure>
{
  private let promote: (InputFailure) -> OutputFailure
  private let transform: (Input) -> Result<Output, OutputFailure>

  init(
    _ promote: @escaping (InputFailure) -> OutputFailure,
    _ transform: @escaping (Input) -> Result<Output, OutputFailure>
  ) {
    self.promote = promote
    self.transform = transform
    super.init()
  }

  override func receive(_ value: Input) {
    guard !isFinished else { return swallow(.ended) }
    switch transform(value) {
    case .success(let output): forward(output)
    case .failure(let failure): fail(failure)
    }
  }

  override func terminate(_ termination: Termination<InputFailure>) {
    finish(termination.mapError(promote))
  }
}

extension Signal {
  /// Performs `action` with each value and forwards the value, or fails as `action` does.
  ///
  ///     self              --1--2--3--|
  ///     attempt(isOdd)    --1--x
  ///
  /// - *Events*: fails with the first failure of `action`. If the input ends first, its end is
  ///   forwarded unchanged.
  /// - *Memory*: none.
  /// - *Scheduling*: the sender's thread.
  @preconcurrency
  public func attempt(
    _ action: @escaping @Sendable (Value) -> Result<Void, Failure>
  ) -> Signal { applying(.attempt(action)) }

  /// Transforms each value, or fails as `transform` does.
  ///
  ///     self               --1--2--x--4--|
  ///     attemptMap(Int)    --1--2--x
  ///
  /// - *Events*: fails with the first failure of `transform`. If the input ends first, its end is
  ///   forwarded unchanged.
  /// - *Memory*: none.
  /// - *Scheduling*: the sender's thread.
  @preconcurrency
  public func attemptMap<NewValue>(
    _ transform: @escaping @Sendable (Value) -> Result<NewValue, Failure>
  ) -> Signal<NewValue, Failure> { applying(.attemptMap(transform)) }
}

extension Signal where Failure == any Error {
  /// Performs `action` with each value and forwards the value, or fails with the error that
  /// `action` throws. See `attempt(_:)` with a result.
  @preconcurrency
  public func attempt(_ action: @escaping @Sendable (Value) throws -> Void) -> Signal {
    applying(.attempt(action))
  }

  /// Transforms each value, or fails with the error that `transform` throws. See `attemptMap(_:)`
  /// with a result.
  @preconcurrency
  public func attemptMap<NewValue>(
    _ transform: @escaping @Sendable (Value) throws -> NewValue
  ) -> Signal<NewValue, any Error> { applying(.attemptMap(transform)) }
}

extension Signal where Failure == Never {
  /// Performs `action` with each value and forwards the value, or fails with the error that
  /// `action` throws. See `attempt(_:)` with a result.
  @preconcurrency
  public func attempt(
    _ action: @escaping @Sendable (Value) throws -> Void
  ) -> Signal<Value, any Error> { applying(.attempt(action)) }

  /// Transforms each value, or fails with the error that `transform` throws. See `attemptMap(_:)`
  /// with a result.
  @preconcurrency
  public func attemptMap<NewValue>(
    _ transform: @escaping @Sendable (Value) throws -> NewValue
  ) -> Signal<NewValue, any Error> { applying(.attemptMap(transform)) }
}

extension SignalProducer {
  /// Performs `action` with each value and forwards the value, or fails as `action` does. See
  /// `Signal.attempt(_:)`.
  @preconcurrency
  public func attempt(
    _ action: @escaping @Sendable (Value) -> Result<Void, Failure>
  ) -> SignalProducer { applying(.attempt(action)) }

  /// Transforms each value, or fails as `transform` does. See `Signal.attemptMap(_:)`.
  @preconcurrency
  public func attemptMap<NewValue>(
    _ transform: @escaping @Sendable (Value) -> Result<NewValue, Failure>
  ) -> SignalProducer<NewValue, Failure> { applying(.attemptMap(transform)) }
}

extension SignalProducer where Failure == any Error {
  /// Performs `action` with each value and forwards the value, or fails with the error that
  /// `action` throws. See `Signal.attempt(_:)`.
  @preconcurrency
  public func attempt(_ action: @escaping @Sendable (Value) throws -> Void) -> SignalProducer {
    applying(.attempt(action))
  }

  /// Transforms each value, or fails with the error that `transform` throws. See
  /// `Signal.attemptMap(_:)`.
  @preconcurrency
  public func attemptMap<NewValue>(
    _ transform: @escaping @Sendable (Value) throws -> NewValue
  ) -> SignalProducer<NewValue, any Error> { applying(.attemptMap(transform)) }
}

extension SignalProducer where Failure == Never {
  /// Performs `action` with each value and forwards the value, or fails with the error that
  /// `action` throws. See `Signal.attempt(_:)`.
  @preconcurrency
  public func attempt(
    _ action: @escaping @Sendable (Value) throws -> Void
  ) -> SignalProducer<Value, any Error> { applying(.attempt(action)) }

  /// Transforms each value, or fails with the error that `transform` throws. See
  /// `Signal.attemptMap(_:)`.
  @preconcurrency
  public func attemptMap<NewValue>(
    _ transform: @escaping @Sendable (Value) throws -> NewValue
  ) -> SignalProducer<NewValue, any Error> { applying(.attemptMap(transform)) }
}
