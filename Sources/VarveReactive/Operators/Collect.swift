extension UnaryOperator where InputFailure == OutputFailure, Output == [Input] {
  static var collect: Self { collecting("collect()") }

  static func collect(count: Int) -> Self {
    precondition(count > 0, "collect(count:) cannot make arrays of \(count) values")
    return collecting("collect(count: $)", [.count(count)], count: count)
  }

  static func collect(_ shouldEmit: @escaping ([Input]) -> Bool) -> Self {
    collecting("collect(_:)", isFull: shouldEmit)
  }

  static func collect(_ shouldEmit: @escaping ([Input], Input) -> Bool) -> Self {
    collecting("collect(_:)", isFullBefore: shouldEmit)
  }

  private static func collecting(
    _ label: StaticString, _ arguments: [Operation.Argument] = [],
    count: Int = .max, isFull: (([Input]) -> Bool)? = nil,
    isFullBefore: (([Input], Input) -> Bool)? = nil
  ) -> Self {
    Self(Operation(label, arguments, absorbs: .gathered, traits: [.holds, .gathers])) {
      CollectStage(count: count, isFull: isFull, isFullBefore: isFullBefore)
    }
  }
}

private final class CollectStage<Value, Failure: Error>: Stage<Value, Failure, [Value], Failure> {
  private let count: Int
  private let isFull: (([Value]) -> Bool)?
  private let isFullBefore: (([Value], Value) -> Bool)?
  private let values = Slot<[Value]>([])
  /// The number of values gathered; negative before the first.
  private var gathered = -1
  private let causes = CauseList()

  init(
    count: Int,
    isFull: (([Value]) -> Bool)?, isFullBefore: (([Value], Value) -> Bool)?
  ) {
    self.count = count
    self.isFull = isFull
    self.isFullBefore = isFullBefore
    super.init()
  }

  override func receive(_ value: Value) {
    let hasLed = isFullBefore?(values.pointer.pointee, value) ?? false
    if hasLed { emit() }
    causes.add(account, hasLed: hasLed)
    values.pointer.pointee.append(value)
    gathered = max(gathered, 0) + 1
    if gathered == count { return emit() }
    if let isFull, isFull(values.pointer.pointee) { emit() }
  }

  override func terminate(_ termination: Termination<Failure>) {
    // An empty array is sent only if there was no value at all.
    if case .completed = termination, gathered != 0 { emit() }
    causes.discard(account)
    finish(termination)
  }

  private func emit() {
    let collected = values.pointer.move()
    values.pointer.initialize(to: [])
    gathered = 0
    causes.recall()
    forward(collected)
  }
}

extension Signal {
  /// Gathers all values and sends them as one array when the signal completes.
  ///
  ///     self         --1--2--3--|
  ///     collect()    -----------[1,2,3]|
  ///
  /// - *Events*: the array precedes completion; it is empty if there was no value. Failure and
  ///   interruption are forwarded, and the gathered values are dropped.
  /// - *Memory*: all values.
  /// - *Scheduling*: the thread that completes the signal.
  public func collect() -> Signal<[Value], Failure> { applying(.collect) }

  /// Sends the values in arrays of `count`.
  ///
  ///     self                --1--2------3--|
  ///     collect(count: 2)   -----[1,2]-----[3]|
  ///
  /// - *Events*: an array of the remaining values precedes completion; it is empty only if there
  ///   was no value at all. Failure and interruption are forwarded, and the gathered values are
  ///   dropped.
  /// - *Memory*: at most `count` values.
  /// - *Scheduling*: the sender's thread.
  ///
  /// - Precondition: `count > 0`.
  public func collect(count: Int) -> Signal<[Value], Failure> { applying(.collect(count: count)) }

  /// Gathers values and sends them as an array whenever the array satisfies `shouldEmit`.
  ///
  ///     self                     --1--2--3------4--|
  ///     collect { sum($0) > 5 }  --------[1,2,3]---[4]|
  ///
  /// - *Events*: an array of the remaining values precedes completion; it is empty only if there
  ///   was no value at all. Failure and interruption are forwarded, and the gathered values are
  ///   dropped.
  /// - *Memory*: the values since the last array.
  /// - *Scheduling*: the sender's thread.
  ///
  /// - Parameter shouldEmit: returns whether to send the values since the last array, including the
  ///   newest.
  @preconcurrency
  public func collect(
    _ shouldEmit: @escaping @Sendable (_ collected: [Value]) -> Bool
  ) -> Signal<[Value], Failure> { applying(.collect(shouldEmit)) }

  /// Gathers values and sends them as an array whenever `shouldEmit` asks for it; the value at hand
  /// then begins the next array.
  ///
  ///     self                          --1--2--9----------3--|
  ///     collect { _, new in new > 5 } --------[1,2]---------[9,3]|
  ///
  /// - *Events*: an array of the remaining values precedes completion; it is empty only if there
  ///   was no value at all. Failure and interruption are forwarded, and the gathered values are
  ///   dropped.
  /// - *Memory*: the values since the last array.
  /// - *Scheduling*: the sender's thread.
  ///
  /// - Parameter shouldEmit: returns whether to send the values collected since the last array,
  ///   which do not include the latest value.
  @preconcurrency
  public func collect(
    _ shouldEmit: @escaping @Sendable (_ collected: [Value], _ latest: Value) -> Bool
  ) -> Signal<[Value], Failure> { applying(.collect(shouldEmit)) }
}

extension SignalProducer {
  /// Gathers all values and sends them as one array at completion. See `Signal.collect()`.
  public func collect() -> SignalProducer<[Value], Failure> { applying(.collect) }

  /// Sends the values in arrays of `count`. See `Signal.collect(count:)`.
  public func collect(count: Int) -> SignalProducer<[Value], Failure> {
    applying(.collect(count: count))
  }

  /// Gathers values and sends them as an array whenever the array satisfies `shouldEmit`. See
  /// `Signal.collect(_:)`.
  @preconcurrency
  public func collect(
    _ shouldEmit: @escaping @Sendable (_ collected: [Value]) -> Bool
  ) -> SignalProducer<[Value], Failure> { applying(.collect(shouldEmit)) }

  /// Gathers values and sends them as an array whenever `shouldEmit` asks for it. See
  /// `Signal.collect(_:)`.
  @preconcurrency
  public func collect(
    _ shouldEmit: @escaping @Sendable (_ collected: [Value], _ latest: Value) -> Bool
  ) -> SignalProducer<[Value], Failure> { applying(.collect(shouldEmit)) }
}
