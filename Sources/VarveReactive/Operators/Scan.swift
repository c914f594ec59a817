extension UnaryOperator where InputFailure == OutputFailure {
  private static func scan(
    _ label: StaticString, _ initial: Output, _ step: @escaping () -> FoldStep<Output, Input>
  ) -> Self {
    Self(Operation(label, traits: .gathers)) { ScanStage(initial, step()) }
  }

  static func scan(_ initial: Output, _ next: @escaping (Output, Input) -> Output) -> Self {
    scan("scan(_:_:)", initial) { .next(next) }
  }

  static func scan(
    into initial: Output, _ next: @escaping (inout Output, Input) -> Void
  ) -> Self { scan("scan(into:_:)", initial) { .into(next) } }

  static func scanIndexed(
    _ initial: Output, _ next: @escaping (Output, Input, Int) -> Output
  ) -> Self { scan("scanIndexed(_:_:)", initial) { .counting(next) } }
}

/// The step of a fold, of one stage. Both forms are called as they are: to wrap one in another closure
/// costs as much as the rest of the stage.
enum FoldStep<State, Input> {
  case next((State, Input) -> State)
  case into((inout State, Input) -> Void)

  /// Returns a step that also receives the number of steps before it.
  static func counting(_ next: @escaping (State, Input, Int) -> State) -> FoldStep {
    var index = -1
    return .next {
      index += 1
      return next($0, $1, index)
    }
  }

  @inline(__always)
  func take(_ value: Input, into state: inout State) {
    switch self {
    case .next(let next): state = next(state, value)
    case .into(let change): change(&state, value)
    }
  }
}

private final class ScanStage<Input, State, Failure: Error>:
  ForwardingStage<Input, State, Failure>
{
  private let step: FoldStep<State, Input>
  private let state: Slot<State>

  init(_ initial: State, _ step: FoldStep<State, Input>) {
    self.step = step
    state = Slot(initial)
    super.init()
  }

  override func receive(_ value: Input) {
    // The state is stored before it is sent, because an observer may send again where recursion is
    // allowed.
    step.take(value, into: &state.pointer.pointee)
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
