extension Junction {
  /// Runs the producers one after the other.
  fileprivate static func concat(
    _ operation: Operation, _ producers: [SignalProducer<Output, OutputFailure>],
    inputs: [any Upstream]
  ) -> Junction {
    Junction(operation, inputs: inputs) { root, disposables in
      let inners = Inners(root, .concat)
      disposables += inners
      for producer in producers { _ = inners.add(producer.recipe) }
      inners.outerCompleted()
    }
  }
}

extension SignalProducer {
  /// Continues with `next` after completion.
  ///
  ///     self         --1--2|
  ///     next               --3--4|
  ///     concat(next) --1--2--3--4|
  ///
  /// - *Events*: completes when `next` has completed; failure and interruption are forwarded at
  ///   once.
  /// - *Memory*: `next`.
  /// - *Scheduling*: `next` starts on the thread that completed this one.
  public func concat(_ next: SignalProducer) -> SignalProducer {
    SignalProducer(
      .concat(
        Operation("concat($)", [.parent(1)]), [self, next],
        inputs: [self, next]))
  }

  /// Continues with anything that converts to a producer. See `concat(_:)`.
  public func concat(
    _ next: some SignalProducerConvertible<Value, Failure>
  ) -> SignalProducer { concat(next.producer) }

  /// Sends one more value after completion. See `concat(_:)`.
  public func concat(value: Value) -> SignalProducer {
    SignalProducer(
      .concat(
        Operation("concat(value:)"),
        [self, SignalProducer(value: value)],
        inputs: [self]))
  }

  /// Fails after completion. See `concat(_:)`.
  public func concat(error: Failure) -> SignalProducer {
    SignalProducer(
      .concat(
        Operation("concat(error:)"),
        [self, SignalProducer(error: error)],
        inputs: [self]))
  }

  /// Starts with `previous`, and continues with this producer after its completion. See
  /// `concat(_:)`.
  public func prefix(_ previous: SignalProducer) -> SignalProducer {
    SignalProducer(
      .concat(
        Operation("prefix($)", [.parent(1)]), [previous, self],
        inputs: [self, previous]))
  }

  /// Starts with anything that converts to a producer. See `prefix(_:)`.
  public func prefix(
    _ previous: some SignalProducerConvertible<Value, Failure>
  ) -> SignalProducer { prefix(previous.producer) }

  /// Sends `value` first. See `concat(_:)`.
  public func prefix(value: Value) -> SignalProducer {
    SignalProducer(
      .concat(
        Operation("prefix(value:)"),
        [SignalProducer(value: value), self],
        inputs: [self]))
  }
}
