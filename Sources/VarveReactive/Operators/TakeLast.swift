extension UnaryOperator where InputFailure == OutputFailure, Input == Output {
  static func take(last count: Int) -> Self {
    precondition(count >= 0, "take(last:) cannot take \(count) values")
    let operation = Operation(
      "take(last: $)", older: "-takeLast: $", [.count(count)], absorbs: .gathered)
    return Self(operation) { TakeLastStage(into: $0, $1, count) }
  }
}

private final class TakeLastStage<Value, Failure: Error>: Stage<Value, Failure, Value, Failure> {
  private let count: Int
  private let newest = Backlog<Value>()
  private var held = 0

  init(into downstream: Observer<Value, Failure>, _ origin: Origin, _ count: Int) {
    self.count = count
    super.init(into: downstream, origin)
  }

  override func receive(_ value: Value) {
    newest.put(value, cause: Records.currentCause)
    if held < count {
      held += 1
    } else {
      _ = newest.takeFirst { _, _ in }
    }
  }

  override func terminate(_ termination: Termination<Failure>) {
    if case .completed = termination {
      while !hasEnough, newest.takeFirst({ send($0, $1) }) {}
    }
    finish(termination)
  }

  private func send(_ value: Value, _ cause: UInt64) {
    Records.recall(cause)
    forward(value)
  }
}

extension Signal {
  /// Sends the last `count` values when the signal completes.
  ///
  ///     self             --1--2--3--|
  ///     take(last: 2)    -----------23|
  ///
  /// - *Events*: completion is preceded by the values. Failure and interruption are forwarded, and the
  ///   values are lost.
  /// - *Memory*: `count` values.
  /// - *Scheduling*: the thread that completes.
  ///
  /// - Precondition: `count >= 0`.
  public func take(last count: Int) -> Signal { applying(.take(last: count)) }
}

extension SignalProducer {
  /// Sends the last `count` values at completion. See `Signal.take(last:)`.
  public func take(last count: Int) -> SignalProducer { applying(.take(last: count)) }
}
