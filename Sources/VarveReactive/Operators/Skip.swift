extension UnaryOperator where InputFailure == OutputFailure, Input == Output {
  static func skip(first count: Int) -> Self {
    precondition(count >= 0, "skip(first:) cannot skip \(count) values")
    let operation = Operation("skip(first: $)", [.count(count)], absorbs: .pastLimit)
    return Self(operation) { SkipFirstStage(count) }
  }

  static func skip(while shouldContinue: @escaping (Input) -> Bool) -> Self {
    Self(Operation("skip(while:)", absorbs: .pastLimit)) {
      SkipWhileStage(shouldContinue)
    }
  }
}

private final class SkipFirstStage<Value, Failure: Error>: ForwardingStage<Value, Value, Failure> {
  private var remaining: Int

  init(_ count: Int) {
    remaining = count
    super.init()
  }

  override func receive(_ value: Value) {
    if remaining == 0 { return forward(value) }
    remaining -= 1
    swallow(.pastLimit)
  }
}

private final class SkipWhileStage<Value, Failure: Error>: ForwardingStage<Value, Value, Failure> {
  private let shouldContinue: (Value) -> Bool
  private var isSkipping = true

  init(
    _ shouldContinue: @escaping (Value) -> Bool
  ) {
    self.shouldContinue = shouldContinue
    super.init()
  }

  override func receive(_ value: Value) {
    if isSkipping {
      if shouldContinue(value) { return swallow(.pastLimit) }
      isSkipping = false
    }
    forward(value)
  }
}

extension Signal {
  /// Drops the first `count` values.
  ///
  ///     self              --1--2--3--4--|
  ///     skip(first: 2)    --------3--4--|
  ///
  /// - *Events*: the end is forwarded unchanged.
  /// - *Memory*: none.
  /// - *Scheduling*: the sender's thread.
  ///
  /// - Precondition: `count >= 0`.
  public func skip(first count: Int) -> Signal { applying(.skip(first: count)) }

  /// Drops values while they satisfy `shouldContinue`, and forwards everything from the first one
  /// that does not.
  ///
  ///     self                --1--2--9--3--|
  ///     skip(while: < 5)    --------9--3--|
  ///
  /// - *Events*: the end is forwarded unchanged.
  /// - *Memory*: none.
  /// - *Scheduling*: the sender's thread.
  @preconcurrency
  public func skip(
    while shouldContinue: @escaping @Sendable (Value) -> Bool
  ) -> Signal { applying(.skip(while: shouldContinue)) }
}

extension SignalProducer {
  /// Drops the first `count` values. See `Signal.skip(first:)`.
  public func skip(first count: Int) -> SignalProducer { applying(.skip(first: count)) }

  /// Drops values while they satisfy `shouldContinue`. See `Signal.skip(while:)`.
  @preconcurrency
  public func skip(
    while shouldContinue: @escaping @Sendable (Value) -> Bool
  ) -> SignalProducer { applying(.skip(while: shouldContinue)) }
}
