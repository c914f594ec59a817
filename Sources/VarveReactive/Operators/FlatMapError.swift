/// Returns a junction that continues with the stream that `transform` returns for a failure.
private func catching<Value, Failure: Error, NewFailure: Error>(
  _ source: Feed<Value, Failure>,
  _ transform: @escaping (Failure) -> SignalProducer<Value, NewFailure>
) -> Junction<Value, NewFailure> {
  let operation = Operation("flatMapError(_:)", traits: .handlesFailure)
  return Junction(operation, inputs: [source]) { root, disposables in
    source.connect(CatchingInlet(root, transform, disposables), stoppedBy: disposables)
  }
}

private final class CatchingInlet<Value, Failure: Error, NewFailure: Error>:
  Inlet<Value, Failure, Value, NewFailure>
{
  private let transform: (Failure) -> SignalProducer<Value, NewFailure>
  private let disposables: CompositeDisposable

  init(
    _ root: Root<Value, NewFailure>,
    _ transform: @escaping (Failure) -> SignalProducer<Value, NewFailure>,
    _ disposables: CompositeDisposable
  ) {
    self.transform = transform
    self.disposables = disposables
    super.init(root)
  }

  override func receive(_ value: Value) { root.send(value, from: feed) }

  override func terminate(_ termination: Termination<Failure>) {
    switch termination {
    case .failed(let failure):
      transform(failure).feed.connect(PassInlet(root), stoppedBy: disposables)
    case .completed: root.send(.completed)
    case .interrupted: root.send(.interrupted)
    }
  }
}

extension Signal {
  /// Continues with another stream after a failure.
  ///
  ///     self            --1--2--#
  ///     replacement             --3--|
  ///     flatMapError(…) --1--2----3--|
  ///
  /// - *Events*: the failure is passed to `transform`; completion and interruption are forwarded.
  /// - *Memory*: none.
  /// - *Scheduling*: the replacement starts on the thread that failed.
  @preconcurrency
  public func flatMapError<NewFailure: Error>(
    _ transform: @escaping @Sendable (Failure) -> SignalProducer<Value, NewFailure>
  ) -> Signal<Value, NewFailure> { Signal<Value, NewFailure>(catching(feed, transform)) }

  /// Continues with another stream after a failure. See `flatMapError(_:)`.
  @preconcurrency
  @_disfavoredOverload
  public func flatMapError<Inner: SignalProducerConvertible>(
    _ transform: @escaping @Sendable (Failure) -> Inner
  ) -> Signal<Value, Inner.Failure> where Inner.Value == Value {
    Signal<Value, Inner.Failure>(catching(feed) { transform($0).producer })
  }
}

extension SignalProducer {
  /// Continues with another stream after a failure. See `Signal.flatMapError(_:)`.
  @preconcurrency
  public func flatMapError<NewFailure: Error>(
    _ transform: @escaping @Sendable (Failure) -> SignalProducer<Value, NewFailure>
  ) -> SignalProducer<Value, NewFailure> {
    SignalProducer<Value, NewFailure>(catching(feed, transform))
  }

  /// Continues with another stream after a failure. See `Signal.flatMapError(_:)`.
  @preconcurrency
  @_disfavoredOverload
  public func flatMapError<Inner: SignalProducerConvertible>(
    _ transform: @escaping @Sendable (Failure) -> Inner
  ) -> SignalProducer<Value, Inner.Failure> where Inner.Value == Value {
    SignalProducer<Value, Inner.Failure>(catching(feed) { transform($0).producer })
  }
}
