extension UnaryOperator where InputFailure == OutputFailure {
  private static func scan(
    _ label: StaticString, _ initial: Output, _ step: FoldStep<Output, Input>
  ) -> Self {
    Self(Operation(label, traits: .gathers)) {
      let next = step.make()
      return ScanMapStage(initial) { state, value in
        next(&state, value)
        return state
      }
    }
  }

  static func scan(_ initial: Output, _ next: @escaping (Output, Input) -> Output) -> Self {
    scan("scan(_:_:)", initial, FoldStep(next))
  }

  static func scan(
    into initial: Output, _ next: @escaping (inout Output, Input) -> Void
  ) -> Self { scan("scan(into:_:)", initial, FoldStep(into: next)) }

  static func scanIndexed(
    _ initial: Output, _ next: @escaping (Output, Input, Int) -> Output
  ) -> Self { scan("scanIndexed(_:_:)", initial, FoldStep(indexed: next)) }
}

/// The step of a fold, in the form that is changed in place.
struct FoldStep<State, Input> {
  /// Returns the step for a stage: a new closure each time, because the step may have state.
  let make: () -> (inout State, Input) -> Void

  init(_ next: @escaping (State, Input) -> State) { make = { { $0 = next($0, $1) } } }

  init(into next: @escaping (inout State, Input) -> Void) { make = { next } }

  /// - Parameter next: also receives the number of previous steps.
  init(indexed next: @escaping (State, Input, Int) -> State) {
    make = {
      var index = -1
      return {
        index += 1
        $0 = next($0, $1, index)
      }
    }
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
