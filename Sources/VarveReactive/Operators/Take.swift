extension UnaryOperator where InputFailure == OutputFailure, Input == Output {
  static func take(first count: Int) -> Self {
    precondition(count >= 0, "take(first:) cannot take \(count) values")
    let operation = Operation(
      "take(first: $)", [.count(count)], absorbs: .pastLimit,
      traits: .endsEarly)
    return Self(operation, needsNoInput: count == 0) { TakeFirstStage(count) }
  }

  static func take(while shouldContinue: @escaping (Input) -> Bool) -> Self {
    Self(
      Operation("take(while:)", absorbs: .pastLimit, traits: .endsEarly)
    ) {
      TakeWhileStage(shouldContinue)
    }
  }

  static func take(until shouldContinue: @escaping (Input) -> Bool) -> Self {
    Self(
      Operation("take(until:)", absorbs: .pastLimit, traits: .endsEarly)
    ) {
      TakeUntilStage(shouldContinue)
    }
  }
}

private final class TakeFirstStage<Value, Failure: Error>: ForwardingStage<Value, Value, Failure> {
  private var remaining: Int

  init(_ count: Int) {
    remaining = count
    super.init()
  }

  override func receive(_ value: Value) {
    guard remaining > 0 else { return swallow(.pastLimit) }
    remaining -= 1
    forward(value)
    if remaining == 0 { succeed() }
  }
}

private final class TakeWhileStage<Value, Failure: Error>: ForwardingStage<Value, Value, Failure> {
  private let shouldContinue: (Value) -> Bool

  init(
    _ shouldContinue: @escaping (Value) -> Bool
  ) {
    self.shouldContinue = shouldContinue
    super.init()
  }

  override func receive(_ value: Value) {
    guard !isFinished else { return swallow(.pastLimit) }
    if shouldContinue(value) {
      forward(value)
    } else {
      swallow(.pastLimit)
      succeed()
    }
  }
}

private final class TakeUntilStage<Value, Failure: Error>: ForwardingStage<Value, Value, Failure> {
  private let shouldContinue: (Value) -> Bool

  init(
    _ shouldContinue: @escaping (Value) -> Bool
  ) {
    self.shouldContinue = shouldContinue
    super.init()
  }

  override func receive(_ value: Value) {
    guard !isFinished else { return swallow(.pastLimit) }
    let goesOn = shouldContinue(value)
    forward(value)
    if !goesOn { succeed() }
  }
}

extension Signal {
  /// Forwards the first `count` values and completes.
  ///
  ///     self              --1--2--3--4--|
  ///     take(first: 2)    --1--2|
  ///
  /// - *Events*: completes with the last of the values, or at once, without observing anything, if
  ///   `count` is 0. If the input ends first, its end is forwarded unchanged.
  /// - *Memory*: none.
  /// - *Scheduling*: the sender's thread.
  ///
  /// - Precondition: `count >= 0`.
  public func take(first count: Int) -> Signal { applying(.take(first: count)) }

  /// Forwards values while they satisfy `shouldContinue`, and completes with the first one that
  /// does not, which is not forwarded.
  ///
  ///     self                --1--2--9--3--|
  ///     take(while: < 5)    --1--2--|
  ///
  /// - *Events*: if the input ends first, its end is forwarded unchanged.
  /// - *Memory*: none.
  /// - *Scheduling*: the sender's thread.
  @preconcurrency
  public func take(
    while shouldContinue: @escaping @Sendable (Value) -> Bool
  ) -> Signal { applying(.take(while: shouldContinue)) }

  /// Forwards values up to and including the first one that does not satisfy `shouldContinue`, and
  /// completes.
  ///
  ///     self                --1--2--9--3--|
  ///     take(until: < 5)    --1--2--9|
  ///
  /// - *Events*: if the input ends first, its end is forwarded unchanged.
  /// - *Memory*: none.
  /// - *Scheduling*: the sender's thread.
  @preconcurrency
  public func take(
    until shouldContinue: @escaping @Sendable (Value) -> Bool
  ) -> Signal { applying(.take(until: shouldContinue)) }
}

extension SignalProducer {
  /// Forwards the first `count` values and completes. If `count` is 0, a start completes at once
  /// and starts nothing. See `Signal.take(first:)`.
  public func take(first count: Int) -> SignalProducer { applying(.take(first: count)) }

  /// Forwards values while they satisfy `shouldContinue`. See `Signal.take(while:)`.
  @preconcurrency
  public func take(
    while shouldContinue: @escaping @Sendable (Value) -> Bool
  ) -> SignalProducer { applying(.take(while: shouldContinue)) }

  /// Forwards values up to and including the first one that does not satisfy `shouldContinue`. See
  /// `Signal.take(until:)`.
  @preconcurrency
  public func take(
    until shouldContinue: @escaping @Sendable (Value) -> Bool
  ) -> SignalProducer { applying(.take(until: shouldContinue)) }
}
