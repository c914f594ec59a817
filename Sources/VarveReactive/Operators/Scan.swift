extension UnaryOperator where InputFailure == OutputFailure {
  static func scan(
    _ initial: Output, _ next: @escaping (Output, Input) -> Output
  ) -> Self {
    Self(Operation("scan(_:_:)", traits: .gathers)) {
      ScanStage(initial, next)
    }
  }

  static func scan(
    into initial: Output, _ next: @escaping (inout Output, Input) -> Void
  ) -> Self {
    Self(Operation("scan(into:_:)", traits: .gathers)) {
      ScanIntoStage(initial, next)
    }
  }

  static func scanIndexed(
    _ initial: Output, _ next: @escaping (Output, Input, Int) -> Output
  ) -> Self {
    Self(
      Operation("scanIndexed(_:_:)", traits: .gathers)
    ) {
      ScanStage(initial, counting(next))
    }
  }
}

/// Returns a step of a fold that passes the number of previous steps to `next`.
func counting<State, Input>(
  _ next: @escaping (State, Input, Int) -> State
) -> (State, Input) -> State {
  var index = -1
  return {
    index += 1
    return next($0, $1, index)
  }
}

private final class ScanStage<Input, State, Failure: Error>: ForwardingStage<Input, State, Failure>
{
  private let next: (State, Input) -> State
  private let state: Slot<State>

  init(
    _ initial: State,
    _ next: @escaping (State, Input) -> State
  ) {
    self.next = next
    state = Slot(initial)
    super.init()
  }

  override func receive(_ value: Input) {
    // Stored before it is sent, because an observer may send again where recursion is allowed.
    let result = next(state.pointer.pointee, value)
    state.pointer.pointee = result
    forward(result)
  }
}

private final class ScanIntoStage<Input, State, Failure: Error>:
  ForwardingStage<Input, State, Failure>
{
  private let next: (inout State, Input) -> Void
  private let state: Slot<State>

  init(
    _ initial: State,
    _ next: @escaping (inout State, Input) -> Void
  ) {
    self.next = next
    state = Slot(initial)
    super.init()
  }

  override func receive(_ value: Input) {
    next(&state.pointer.pointee, value)
    forward(state.pointer.pointee)
  }
}

extension Signal {
  /// Folds the values and sends every intermediate result.
  ///
  ///     self          --1--2--3--|
  ///     scan(0, +)    --1--3--6--|
  ///
  /// - *Events*: the end is forwarded unchanged; `initialResult` itself is not sent.
  /// - *Memory*: the result so far.
  /// - *Scheduling*: the sender's thread.
  @preconcurrency
  public func scan<Result>(
    _ initialResult: Result, _ nextPartialResult: @escaping @Sendable (Result, Value) -> Result
  ) -> Signal<Result, Failure> { applying(.scan(initialResult, nextPartialResult)) }

  /// Folds the values into a result that is changed in place, and sends it after each change.
  ///
  ///     self                    --1--------2--------3--------|
  ///     scan(into: [], append)  --[1]------[1,2]----[1,2,3]--|
  ///
  /// - *Events*: the end is forwarded unchanged; `initialResult` itself is not sent.
  /// - *Memory*: the result so far.
  /// - *Scheduling*: the sender's thread.
  @preconcurrency
  public func scan<Result>(
    into initialResult: Result,
    _ nextPartialResult: @escaping @Sendable (inout Result, Value) -> Void
  ) -> Signal<Result, Failure> { applying(.scan(into: initialResult, nextPartialResult)) }

  /// Folds the values, each with its index, and sends every intermediate result.
  ///
  ///     self                                   --5--5--5---|
  ///     scanIndexed(0) { $0 + $1 * $2 }        --0--5--15--|
  ///
  /// - *Events*: the end is forwarded unchanged; `initialResult` itself is not sent.
  /// - *Memory*: the result so far.
  /// - *Scheduling*: the sender's thread.
  ///
  /// - Parameters:
  ///   - initialResult: the result that the first value is combined with.
  ///   - nextPartialResult: returns the next result for the result so far, a value, and the value's
  ///     index from 0.
  @preconcurrency
  public func scanIndexed<Result>(
    _ initialResult: Result,
    _ nextPartialResult: @escaping @Sendable (Result, Value, Int) -> Result
  ) -> Signal<Result, Failure> { applying(.scanIndexed(initialResult, nextPartialResult)) }
}

extension SignalProducer {
  /// Folds the values and sends every intermediate result. See `Signal.scan(_:_:)`.
  @preconcurrency
  public func scan<Result>(
    _ initialResult: Result, _ nextPartialResult: @escaping @Sendable (Result, Value) -> Result
  ) -> SignalProducer<Result, Failure> { applying(.scan(initialResult, nextPartialResult)) }

  /// Folds the values into a result that is changed in place, and sends it after each change. Each
  /// start begins with `initialResult`. See `Signal.scan(into:_:)`.
  @preconcurrency
  public func scan<Result>(
    into initialResult: Result,
    _ nextPartialResult: @escaping @Sendable (inout Result, Value) -> Void
  ) -> SignalProducer<Result, Failure> { applying(.scan(into: initialResult, nextPartialResult)) }

  /// Folds the values, each with its index, and sends every intermediate result. See
  /// `Signal.scanIndexed(_:_:)`.
  @preconcurrency
  public func scanIndexed<Result>(
    _ initialResult: Result,
    _ nextPartialResult: @escaping @Sendable (Result, Value, Int) -> Result
  ) -> SignalProducer<Result, Failure> { applying(.scanIndexed(initialResult, nextPartialResult)) }
}
