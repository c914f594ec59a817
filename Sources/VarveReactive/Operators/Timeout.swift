private func timingOut<Value, Failure: Error, NewFailure: Error>(
  _ feed: Feed<Value, Failure>, after interval: Duration, raising failure: NewFailure,
  on scheduler: any TimedScheduler, translate: @escaping (Failure) -> NewFailure
) -> Junction<Value, NewFailure> {
  precondition(interval >= .zero, "An interval must not be negative.")
  let operation = Operation(
    "timeout(after: $, raising:, on: $)",
    [.duration(interval), .scheduler(scheduler)], traits: .endsEarly)
  let kept = SchedulerReference(scheduler)
  return Junction(operation, of: feed) { outlet in
    let root = outlet.root
    if let scheduler = kept.existing {
      outlet.disposables.add(
        scheduler.hop(at: scheduler.now + interval) { root.send(.failed(failure)) })
    }
    return TimeoutInlet(root, translate)
  }
}

/// Forwards all events.
private final class TimeoutInlet<Value, Failure: Error, NewFailure: Error>:
  Inlet<Value, Failure, Value, NewFailure>
{
  private let translate: (Failure) -> NewFailure

  init(_ root: Root<Value, NewFailure>, _ translate: @escaping (Failure) -> NewFailure) {
    self.translate = translate
    super.init(root)
  }

  override func receive(_ value: Value) { root.send(value, from: feed) }

  override func terminate(_ termination: Termination<Failure>) {
    root.send(termination.mapError(translate))
  }
}

extension Signal {
  /// Fails with `failure` if the stream has not ended within `interval`.
  ///
  ///     self                                      --1--2--3--4--|
  ///     timeout(after: 8, raising: #, on: scheduler) --1--2--#
  ///
  /// - *Events*: all events are forwarded unchanged.
  /// - *Memory*: `failure`.
  /// - *Scheduling*: the sender's thread; the failure is delivered on `scheduler`. The interval
  ///   begins when the operator is applied.
  public func timeout(
    after interval: some TimeSpan, raising failure: Failure, on scheduler: any TimedScheduler
  ) -> Signal {
    Signal(
      timingOut(
        feed, after: interval.asDuration, raising: failure, on: scheduler,
        translate: Translation.same))
  }
}

extension Signal where Failure == Never {
  /// Fails with `failure` if the stream has not ended within `interval`. See
  /// `timeout(after:raising:on:)`.
  public func timeout<NewFailure>(
    after interval: some TimeSpan, raising failure: NewFailure, on scheduler: any TimedScheduler
  ) -> Signal<Value, NewFailure> {
    Signal<Value, NewFailure>(
      timingOut(
        feed, after: interval.asDuration, raising: failure, on: scheduler,
        translate: Translation.never))
  }
}

extension SignalProducer {
  /// Fails with `failure` if the stream has not ended within `interval` of the start. See
  /// `Signal.timeout(after:raising:on:)`.
  public func timeout(
    after interval: some TimeSpan, raising failure: Failure, on scheduler: any TimedScheduler
  ) -> SignalProducer {
    SignalProducer(
      timingOut(
        feed, after: interval.asDuration, raising: failure, on: scheduler,
        translate: Translation.same))
  }
}

extension SignalProducer where Failure == Never {
  /// Fails with `failure` if the stream has not ended within `interval` of the start. See
  /// `Signal.timeout(after:raising:on:)`.
  public func timeout<NewFailure>(
    after interval: some TimeSpan, raising failure: NewFailure, on scheduler: any TimedScheduler
  ) -> SignalProducer<Value, NewFailure> {
    SignalProducer<Value, NewFailure>(
      timingOut(
        feed, after: interval.asDuration, raising: failure, on: scheduler,
        translate: Translation.never))
  }
}
