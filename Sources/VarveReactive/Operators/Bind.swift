// The primitive from which ReactiveCocoa 2 made its other operators: a stream for each value, and a
// way to stop.

extension UnaryOperator where InputFailure == OutputFailure {
  /// The streams that the steps make, until one says stop or makes none.
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
  /// One stream of all that the steps make.
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
  /// Makes a stream of each value, and one stream of these, until a step says stop.
  ///
  ///     digits.bind { digit, stop in
  ///       stop = digit == 9
  ///       return SignalProducer([digit, digit])
  ///     }
  ///
  /// - *Events*: a step that sets `stop` is the last, but its stream counts; one that returns nil is
  ///   the last, too. Completes when the streams that were made have; fails as soon as one does.
  /// - *Memory*: the streams that run.
  /// - *Scheduling*: the sender's thread; streams on different threads wait for each other.
  ///
  /// - Parameter step: makes a stream of a value, or nil to stop.
  @preconcurrency
  public func bind<NewValue>(
    _ step:
      @escaping @Sendable (_ value: Value, _ stop: inout Bool) -> SignalProducer<NewValue, Failure>?
  ) -> Signal<NewValue, Failure> {
    Signal<NewValue, Failure>(.bind(applying(.binding { step }).feed))
  }
}

extension SignalProducer {
  /// Makes a stream of each value, and one stream of these, until a step says stop. See
  /// `Signal.bind(_:)`.
  @preconcurrency
  public func bind<NewValue>(
    _ step:
      @escaping @Sendable (_ value: Value, _ stop: inout Bool) -> SignalProducer<NewValue, Failure>?
  ) -> SignalProducer<NewValue, Failure> {
    SignalProducer<NewValue, Failure>(.bind(applying(.binding { step }).feed))
  }

  /// Makes a stream of each value by a step that has a state of its own in each start. See
  /// `Signal.bind(_:)`.
  ///
  /// - Parameter makeStep: makes the step; runs once for each start.
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
