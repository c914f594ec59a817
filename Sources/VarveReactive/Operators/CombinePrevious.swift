extension UnaryOperator where InputFailure == OutputFailure, Output == (Input, Input) {
  static var combinePrevious: Self {
    Self(
      Operation("combinePrevious()", absorbs: .gathered, traits: .holds)
    ) {
      CombinePreviousStage(Slot())
    }
  }

  static func combinePrevious(_ initial: Input) -> Self {
    Self(
      Operation("combinePrevious(_:)", traits: .holds)
    ) { CombinePreviousStage(Slot(initial)) }
  }
}

private final class CombinePreviousStage<Value, Failure: Error>:
  ForwardingStage<Value, (Value, Value), Failure>
{
  private let previous: Slot<Value>
  /// The cause of the previous value; `isNamed` says whether a pair has named it.
  private let cause = CauseList()
  private var isNamed = false

  init(
    _ previous: consuming Slot<Value>
  ) {
    self.previous = previous
    super.init()
  }

  override func receive(_ value: Value) {
    guard previous.isFull else {
      cause.add(account)
      return previous.fill(value)
    }
    let pair = (previous.pointer.pointee, value)
    previous.fill(value)
    cause.recall()
    cause.add(account)
    isNamed = true
    forward(pair)
  }

  override func terminate(_ termination: Termination<Failure>) {
    if !isNamed { cause.discard(account) }
    finish(termination)
  }
}

extension Signal {
  /// Sends each value together with the one before it, starting with the second value.
  ///
  ///     self                 --1--2------3------4------|
  ///     combinePrevious()    -----(1,2)--(2,3)--(3,4)--|
  ///
  /// - *Events*: the end is forwarded unchanged.
  /// - *Memory*: the last value.
  /// - *Scheduling*: the sender's thread.
  public func combinePrevious() -> Signal<(Value, Value), Failure> { applying(.combinePrevious) }

  /// Sends each value together with the one before it; the first is paired with `initial`.
  ///
  ///     self                  --1------2------3------|
  ///     combinePrevious(0)    --(0,1)--(1,2)--(2,3)--|
  ///
  /// - *Events*: the end is forwarded unchanged.
  /// - *Memory*: the last value.
  /// - *Scheduling*: the sender's thread.
  public func combinePrevious(_ initial: Value) -> Signal<(Value, Value), Failure> {
    applying(.combinePrevious(initial))
  }
}

extension SignalProducer {
  /// Sends each value together with the one before it. See `Signal.combinePrevious()`.
  public func combinePrevious() -> SignalProducer<(Value, Value), Failure> {
    applying(.combinePrevious)
  }

  /// Sends each value together with the one before it; the first is paired with `initial`. See
  /// `Signal.combinePrevious(_:)`.
  public func combinePrevious(_ initial: Value) -> SignalProducer<(Value, Value), Failure> {
    applying(.combinePrevious(initial))
  }
}
