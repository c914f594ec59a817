extension UnaryOperator where InputFailure == OutputFailure {
  static func scanMap<State>(
    _ initial: State, _ next: @escaping (State, Input) -> (State, Output)
  ) -> Self {
    Self(Operation("scanMap(_:_:)")) {
      ScanMapStage(initial) { state, value in
        let output: Output
        (state, output) = next(state, value)
        return output
      }
    }
  }

  static func scanMap<State>(
    into initial: State, _ next: @escaping (inout State, Input) -> Output
  ) -> Self {
    Self(Operation("scanMap(into:_:)")) {
      ScanMapStage(initial, next)
    }
  }
}

/// Sends what a step returns for each value.
private final class ScanMapStage<Input, State, Output, Failure: Error>:
  ForwardingStage<Input, Output, Failure>
{
  private let next: (inout State, Input) -> Output
  private let state: Slot<State>

  init(
    _ initial: State,
    _ next: @escaping (inout State, Input) -> Output
  ) {
    self.next = next
    state = Slot(initial)
    super.init()
  }

  override func receive(_ value: Input) {
    // The state is stored before the result is sent, because an observer may send again where
    // recursion is allowed.
    forward(next(&state.pointer.pointee, value))
  }
}

extension Signal {
  /// Transforms each value, using a state that is carried from value to value.
  ///
  ///     self                                     --a---b---c---|
  ///     scanMap(0) { ($0 + 1, "\($0)\($1)") }    --0a--1b--2c--|
  ///
  /// - *Events*: the end is forwarded unchanged.
  /// - *Memory*: the state.
  /// - *Scheduling*: the sender's thread.
  ///
  /// - Parameters:
  ///   - initialState: the state for the first value.
  ///   - next: returns the next state and the value to send, for the current state and a value.
  @preconcurrency
  public func scanMap<State, NewValue>(
    _ initialState: State, _ next: @escaping @Sendable (State, Value) -> (State, NewValue)
  ) -> Signal<NewValue, Failure> { applying(.scanMap(initialState, next)) }

  /// Transforms each value, using a state that is changed in place.
  ///
  ///     self                                               --a---b---c---|
  ///     scanMap(into: 0) { $0 += 1; return "\($0)\($1)" }  --1a--2b--3c--|
  ///
  /// - *Events*: the end is forwarded unchanged.
  /// - *Memory*: the state.
  /// - *Scheduling*: the sender's thread.
  @preconcurrency
  public func scanMap<State, NewValue>(
    into initialState: State, _ next: @escaping @Sendable (inout State, Value) -> NewValue
  ) -> Signal<NewValue, Failure> { applying(.scanMap(into: initialState, next)) }
}

extension SignalProducer {
  /// Transforms each value, using a state that is carried from value to value. Each start begins
  /// with `initialState`. See `Signal.scanMap(_:_:)`.
  @preconcurrency
  public func scanMap<State, NewValue>(
    _ initialState: State, _ next: @escaping @Sendable (State, Value) -> (State, NewValue)
  ) -> SignalProducer<NewValue, Failure> { applying(.scanMap(initialState, next)) }

  /// Transforms each value, using a state that is changed in place. Each start begins with
  /// `initialState`. See `Signal.scanMap(into:_:)`.
  @preconcurrency
  public func scanMap<State, NewValue>(
    into initialState: State, _ next: @escaping @Sendable (inout State, Value) -> NewValue
  ) -> SignalProducer<NewValue, Failure> { applying(.scanMap(into: initialState, next)) }
}
