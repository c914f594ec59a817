extension UnaryOperator where Output == Event<Input, InputFailure>, OutputFailure == Never {
  static var materialize: Self {
    Self(Operation("materialize()", traits: .handlesFailure)) {
      MaterializeStage()
    }
  }
}

extension UnaryOperator
where Input: EventProtocol<Output, OutputFailure>, InputFailure == Never {
  static var dematerialize: Self {
    Self(Operation("dematerialize()", traits: .endsEarly)) {
      DematerializeStage()
    }
  }
}

extension UnaryOperator where Output == Result<Input, InputFailure>, OutputFailure == Never {
  static var materializeResults: Self {
    Self(Operation("materializeResults()", traits: .handlesFailure)) {
      MaterializeResultsStage()
    }
  }
}

extension UnaryOperator where Input == Result<Output, OutputFailure>, InputFailure == Never {
  static var dematerializeResults: Self {
    Self(Operation("dematerializeResults()", traits: .endsEarly)) {
      DematerializeResultsStage()
    }
  }
}

private final class MaterializeStage<Value, Failure: Error>:
  Stage<Value, Failure, Event<Value, Failure>, Never>
{
  override func receive(_ value: Value) { forward(.value(value)) }

  override func terminate(_ termination: Termination<Failure>) {
    forward(Event(termination))
    switch termination {
    case .failed, .completed: finish(.completed)
    case .interrupted: finish(.interrupted)
    }
  }
}

private final class DematerializeStage<Input: EventProtocol>:
  Stage<Input, Never, Input.Value, Input.Failure>
{
  override func receive(_ value: Input) {
    guard !isFinished else { return swallow(.ended) }
    switch value.event {
    case .value(let value): forward(value)
    case .failed(let failure): fail(failure)
    case .completed: succeed()
    case .interrupted: finish(.interrupted)
    }
  }

  override func terminate(_ termination: Termination<Never>) {
    finish(termination.promoted())
  }
}

private final class MaterializeResultsStage<Value, Failure: Error>:
  Stage<Value, Failure, Result<Value, Failure>, Never>
{
  override func receive(_ value: Value) { forward(.success(value)) }

  override func terminate(_ termination: Termination<Failure>) {
    switch termination {
    case .failed(let failure):
      forward(.failure(failure))
      finish(.completed)
    case .completed: finish(.completed)
    case .interrupted: finish(.interrupted)
    }
  }
}

private final class DematerializeResultsStage<Value, Failure: Error>:
  Stage<Result<Value, Failure>, Never, Value, Failure>
{
  override func receive(_ value: Result<Value, Failure>) {
    guard !isFinished else { return swallow(.ended) }
    switch value {
    case .success(let value): forward(value)
    case .failure(let failure): fail(failure)
    }
  }

  override func terminate(_ termination: Termination<Never>) {
    finish(termination.promoted())
  }
}

extension Signal {
  /// Sends each event as a value, including the end.
  ///
  ///     self             --1--2--x
  ///     materialize()    --1--2--x|
  ///
  /// - *Events*: a failure or completion is sent as a value, followed by completion; an
  ///   interruption is sent as a value, followed by interruption.
  /// - *Memory*: none.
  /// - *Scheduling*: the sender's thread.
  public func materialize() -> Signal<VarveReactive.Event<Value, Failure>, Never> {
    applying(.materialize)
  }

  /// Sends each value and the failure as results.
  ///
  ///     self                    --1--2--x
  ///     materializeResults()    --1--2--x|
  ///
  /// - *Events*: a failure is sent as a value, followed by completion; completion and interruption
  ///   are forwarded unchanged.
  /// - *Memory*: none.
  /// - *Scheduling*: the sender's thread.
  public func materializeResults() -> Signal<Result<Value, Failure>, Never> {
    applying(.materializeResults)
  }
}

extension Signal where Value: EventProtocol, Failure == Never {
  /// Turns values that are events back into events; the inverse of `materialize()`.
  ///
  ///     self               --1--2--x--3--|
  ///     dematerialize()    --1--2--x
  ///
  /// - *Events*: ends with the first value that is a terminal event. If the input ends first, its
  ///   end is forwarded unchanged.
  /// - *Memory*: none.
  /// - *Scheduling*: the sender's thread.
  public func dematerialize() -> Signal<Value.Value, Value.Failure> { applying(.dematerialize) }
}

extension Signal where Failure == Never {
  /// Turns results back into values and a failure; the inverse of `materializeResults()`.
  ///
  ///     self                      --1--2--x--3--|
  ///     dematerializeResults()    --1--2--x
  ///
  /// - *Events*: fails with the first value that is a failure. If the input ends first, its end is
  ///   forwarded unchanged.
  /// - *Memory*: none.
  /// - *Scheduling*: the sender's thread.
  public func dematerializeResults<Success, NewFailure>() -> Signal<Success, NewFailure>
  where Value == Result<Success, NewFailure> { applying(.dematerializeResults) }
}

extension SignalProducer {
  /// Sends each event as a value, including the end. See `Signal.materialize()`.
  public func materialize() -> SignalProducer<Event<Value, Failure>, Never> {
    applying(.materialize)
  }

  /// Sends each value and the failure as results. See `Signal.materializeResults()`.
  public func materializeResults() -> SignalProducer<Result<Value, Failure>, Never> {
    applying(.materializeResults)
  }
}

extension SignalProducer where Value: EventProtocol, Failure == Never {
  /// Turns values that are events back into events. See `Signal.dematerialize()`.
  public func dematerialize() -> SignalProducer<Value.Value, Value.Failure> {
    applying(.dematerialize)
  }
}

extension SignalProducer where Failure == Never {
  /// Turns results back into values and a failure. See `Signal.dematerializeResults()`.
  public func dematerializeResults<Success, NewFailure>() -> SignalProducer<Success, NewFailure>
  where Value == Result<Success, NewFailure> { applying(.dematerializeResults) }
}
