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
  /// The newest values; a ring once it is full.
  private var values: ContiguousArray<Held<Value>> = []
  private var oldest = 0

  init(into downstream: Observer<Value, Failure>, _ origin: Origin, _ count: Int) {
    self.count = count
    super.init(into: downstream, origin)
  }

  override func receive(_ value: Value) {
    if values.count < count {
      values.append(Held(value))
    } else if count > 0 {
      values[oldest] = Held(value)
      oldest = (oldest + 1) % count
    }
  }

  override func terminate(_ termination: Termination<Failure>) {
    if case .completed = termination {
      for index in values.indices {
        forward(values[(oldest + index) % values.count].recall())
        if hasEnough { break }
      }
    }
    values = []
    finish(termination)
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
