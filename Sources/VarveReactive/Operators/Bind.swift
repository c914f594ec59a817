// The primitive on which ReactiveCocoa 2 built its other operators: it maps each value to a stream
// and can stop early.

extension UnaryOperator where InputFailure == OutputFailure {
  /// Sends the streams that the steps return, until a step sets `stop` or returns nil.
  fileprivate static func binding(
    _ makeStep: @escaping () -> (Input, inout Bool) -> Output?
  ) -> Self {
    Self(
      Operation("bind(_:)", absorbs: .pastLimit, traits: .endsEarly, isTransparent: true)
    ) {
      BindStage(makeStep())
    }
  }
}

private final class BindStage<Input, Inner, Failure: Error>: ForwardingStage<Input, Inner, Failure>
{
  private let step: (Input, inout Bool) -> Inner?

  init(
    _ step: @escaping (Input, inout Bool) -> Inner?
  ) {
    self.step = step
    super.init()
  }

  override func receive(_ value: Input) {
    guard !isFinished else { return swallow(.pastLimit) }
    var stop = false
    guard let inner = step(value, &stop) else {
      swallow(.pastLimit)
      return succeed()
    }
    forward(inner)
    if stop { succeed() }
  }
}

extension Junction {
  /// Merges the streams that the steps return.
  fileprivate static func bind(
    _ steps: Feed<SignalProducer<Output, OutputFailure>, OutputFailure>
  ) -> Junction {
    flatten(
      Operation("bind(_:)", traits: [.makesStreams, .runsSideBySide]), .merge,
      steps, transform: { $0 },
      translate: Translation.same)
  }
}

extension Signal {
  /// Maps each value to a stream and merges these streams, until a step asks to stop.
  ///
  ///     digits.bind { digit, stop in
  ///       stop = digit == 9
  ///       return SignalProducer([digit, digit])
  ///     }
  ///
  /// - *Events*: a step that sets `stop` is the last, and its stream is still merged; a step that
  ///   returns nil is the last, too. Completes when all streams have completed; fails as soon as
  ///   one fails.
  /// - *Memory*: the running streams.
  /// - *Scheduling*: the sender's thread; streams on different threads wait for each other.
  ///
  /// - Parameter step: returns the stream for a value, or nil to stop.
  @preconcurrency
  public func bind<NewValue>(
    _ step:
      @escaping @Sendable (_ value: Value, _ stop: inout Bool) -> SignalProducer<NewValue, Failure>?
  ) -> Signal<NewValue, Failure> {
    Signal<NewValue, Failure>(.bind(applying(.binding { step }).feed))
  }
}

extension SignalProducer {
  /// Maps each value to a stream and merges these streams, until a step asks to stop. See
  /// `Signal.bind(_:)`.
  @preconcurrency
  public func bind<NewValue>(
    _ step:
      @escaping @Sendable (_ value: Value, _ stop: inout Bool) -> SignalProducer<NewValue, Failure>?
  ) -> SignalProducer<NewValue, Failure> {
    SignalProducer<NewValue, Failure>(.bind(applying(.binding { step }).feed))
  }

  /// Maps each value to a stream with a step that has its own state in each start, and merges these
  /// streams. See `Signal.bind(_:)`.
  ///
  /// - Parameter makeStep: returns the step; called once for each start.
  @preconcurrency
  public func bind<NewValue>(
    startingWith makeStep:
      @escaping @Sendable () -> (
        _ value: Value, _ stop: inout Bool
      ) -> SignalProducer<NewValue, Failure>?
  ) -> SignalProducer<NewValue, Failure> {
    SignalProducer<NewValue, Failure>(.bind(applying(.binding(makeStep)).feed))
  }
}
