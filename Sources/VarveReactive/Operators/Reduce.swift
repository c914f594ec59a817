extension UnaryOperator where InputFailure == OutputFailure {
  /// - Parameter makeInitial: returns the initial result for a stage.
  private static func reduce(
    _ label: StaticString, _ makeInitial: @escaping () -> Output,
    _ step: @escaping () -> FoldStep<Output, Input>
  ) -> Self {
    Self(Operation(label, absorbs: .gathered, traits: [.holds, .gathers])) {
      ReduceStage(makeInitial(), step())
    }
  }

  static func reduce(_ initial: Output, _ next: @escaping (Output, Input) -> Output) -> Self {
    reduce("reduce(_:_:)", { initial }) { .next(next) }
  }

  static func reduce(
    into initial: Output, _ next: @escaping (inout Output, Input) -> Void
  ) -> Self { reduce("reduce(into:_:)", { initial }) { .into(next) } }

  static func reduce(
    startingWith makeInitial: @escaping () -> Output,
    _ next: @escaping (Output, Input) -> Output
  ) -> Self { reduce("reduce(startingWith:_:)", makeInitial) { .next(next) } }

  static func reduceIndexed(
    _ initial: Output, _ next: @escaping (Output, Input, Int) -> Output
  ) -> Self { reduce("reduceIndexed(_:_:)", { initial }) { .counting(next) } }
}

private final class ReduceStage<Input, State, Failure: Error>: Stage<Input, Failure, State, Failure>
{
  private let step: FoldStep<State, Input>
  private let state: Slot<State>
  private let gathered = CauseList()

  init(_ initial: State, _ step: FoldStep<State, Input>) {
    self.step = step
    state = Slot(initial)
    super.init()
  }

  override func receive(_ value: Input) {
    gathered.add(account)
    step.take(value, into: &state.pointer.pointee)
  }

  override func terminate(_ termination: Termination<Failure>) {
    if case .completed = termination {
      gathered.recall()
      forward(state.pointer.pointee)
    } else {
      gathered.discard(account)
    }
    finish(termination)
  }
}

extension Signal {
  /// Folds the values into one result and sends it when the signal completes.
  ///
  ///     self            --1--2--3--|
  ///     reduce(0, +)    -----------6|
  ///
  /// - *Events*: the result precedes completion; it is `initialResult` if there was no value.
  ///   Failure and interruption are forwarded, and the result is dropped.
  /// - *Memory*: the result so far.
  /// - *Scheduling*: the thread that completes the signal.
  @preconcurrency
  public func reduce<Result>(
    _ initialResult: Result, _ nextPartialResult: @escaping @Sendable (Result, Value) -> Result
  ) -> Signal<Result, Failure> { applying(.reduce(initialResult, nextPartialResult)) }

  /// Folds the values into a result that is changed in place, and sends it when the signal
  /// completes.
  ///
  ///     self                      --1--2--3--|
  ///     reduce(into: [], append)  -----------[1,2,3]|
  ///
  /// - *Events*: the result precedes completion; it is `initialResult` if there was no value.
  ///   Failure and interruption are forwarded, and the result is dropped.
  /// - *Memory*: the result so far.
  /// - *Scheduling*: the thread that completes the signal.
  @preconcurrency
  public func reduce<Result>(
    into initialResult: Result,
    _ nextPartialResult: @escaping @Sendable (inout Result, Value) -> Void
  ) -> Signal<Result, Failure> { applying(.reduce(into: initialResult, nextPartialResult)) }

  /// Folds the values into one result, which begins as a new object, and sends it when the signal
  /// completes.
  ///
  ///     self                               --1--2--3--|
  ///     reduce(startingWith: Sum.init, +)  -----------6|
  ///
  /// - *Events*: the result precedes completion. Failure and interruption are forwarded, and the
  ///   result is dropped.
  /// - *Memory*: the result so far.
  /// - *Scheduling*: the thread that completes the signal.
  ///
  /// - Parameters:
  ///   - makeInitialResult: called once, when the operator is applied; with producers, once for
  ///     each start.
  ///   - nextPartialResult: returns the next result for the result so far and a value.
  @preconcurrency
  public func reduce<Result>(
    startingWith makeInitialResult: @escaping @Sendable () -> Result,
    _ nextPartialResult: @escaping @Sendable (Result, Value) -> Result
  ) -> Signal<Result, Failure> {
    applying(.reduce(startingWith: makeInitialResult, nextPartialResult))
  }

  /// Folds the values, each with its index, into one result and sends it when the signal completes.
  ///
  ///     self                                 --5--5--5--|
  ///     reduceIndexed(0) { $0 + $1 * $2 }    -----------15|
  ///
  /// - *Events*: the result precedes completion; it is `initialResult` if there was no value.
  ///   Failure and interruption are forwarded, and the result is dropped.
  /// - *Memory*: the result so far.
  /// - *Scheduling*: the thread that completes the signal.
  ///
  /// - Parameters:
  ///   - initialResult: the result that the first value is combined with.
  ///   - nextPartialResult: returns the next result for the result so far, a value, and the value's
  ///     index from 0.
  @preconcurrency
  public func reduceIndexed<Result>(
    _ initialResult: Result,
    _ nextPartialResult: @escaping @Sendable (Result, Value, Int) -> Result
  ) -> Signal<Result, Failure> { applying(.reduceIndexed(initialResult, nextPartialResult)) }
}

extension SignalProducer {
  /// Folds the values into one result and sends it at completion. See `Signal.reduce(_:_:)`.
  @preconcurrency
  public func reduce<Result>(
    _ initialResult: Result, _ nextPartialResult: @escaping @Sendable (Result, Value) -> Result
  ) -> SignalProducer<Result, Failure> { applying(.reduce(initialResult, nextPartialResult)) }

  /// Folds the values into a result that is changed in place, and sends it at completion. Each
  /// start begins with `initialResult`. See `Signal.reduce(into:_:)`.
  @preconcurrency
  public func reduce<Result>(
    into initialResult: Result,
    _ nextPartialResult: @escaping @Sendable (inout Result, Value) -> Void
  ) -> SignalProducer<Result, Failure> {
    applying(.reduce(into: initialResult, nextPartialResult))
  }

  /// Folds the values into one result, which begins as a new object at each start, and sends it at
  /// completion. See `Signal.reduce(startingWith:_:)`.
  @preconcurrency
  public func reduce<Result>(
    startingWith makeInitialResult: @escaping @Sendable () -> Result,
    _ nextPartialResult: @escaping @Sendable (Result, Value) -> Result
  ) -> SignalProducer<Result, Failure> {
    applying(.reduce(startingWith: makeInitialResult, nextPartialResult))
  }

  /// Folds the values, each with its index, into one result and sends it at completion. See
  /// `Signal.reduceIndexed(_:_:)`.
  @preconcurrency
  public func reduceIndexed<Result>(
    _ initialResult: Result,
    _ nextPartialResult: @escaping @Sendable (Result, Value, Int) -> Result
  ) -> SignalProducer<Result, Failure> {
    applying(.reduceIndexed(initialResult, nextPartialResult))
  }
}
