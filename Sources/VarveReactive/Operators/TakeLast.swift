extension UnaryOperator where InputFailure == OutputFailure, Input == Output {
  static func take(last count: Int) -> Self {
    precondition(count >= 0, "take(last:) cannot take \(count) values")
    let operation = Operation(
      "take(last: $)", [.count(count)], absorbs: .superseded,
      traits: .holds)
    return Self(operation) { TakeLastStage(count) }
  }
}

private final class TakeLastStage<Value, Failure: Error>: Stage<Value, Failure, Value, Failure> {
  private let count: Int
  private let newest = HandOffQueue<Value>()
  private var held = 0

  init(_ count: Int) {
    self.count = count
    super.init()
  }

  // The remaining values are released with the stage if no end arrives.
  deinit { discard() }

  override func receive(_ value: Value) {
    newest.put(value, cause: HeldCause.current)
    if held < count {
      held += 1
    } else {
      _ = newest.takeFirst { _, cause in
        if InputAccount.isKept { account?.swallow(from: cause, .superseded) }
      }
    }
  }

  override func terminate(_ termination: Termination<Failure>) {
    if case .completed = termination {
      while !forwardsInVain, let value = newest.takeFirst()?.recall() { forward(value) }
    }
    finish(termination)
    discard()
  }

  private func discard() {
    guard HeldCause.isKept else { return }
    while let held = newest.takeFirst() { account?.swallow(held, .ended) }
  }
}

extension Signal {
  /// Sends the last `count` values when the signal completes.
  ///
  ///     self             --1--2--3--|
  ///     take(last: 2)    -----------23|
  ///
  /// - *Events*: the values precede completion. Failure and interruption are forwarded, and the
  ///   values are dropped.
  /// - *Memory*: `count` values.
  /// - *Scheduling*: the thread that completes the signal.
  ///
  /// - Precondition: `count >= 0`.
  public func take(last count: Int) -> Signal { applying(.take(last: count)) }
}

extension SignalProducer {
  /// Sends the last `count` values at completion. See `Signal.take(last:)`.
  public func take(last count: Int) -> SignalProducer { applying(.take(last: count)) }
}
