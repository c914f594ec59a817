extension Junction {
  /// Ignores the values of `producer` and continues with `next` after completion.
  static func then<Value, Failure: Error>(
    _ producer: SignalProducer<Value, Failure>,
    _ next: SignalProducer<Output, OutputFailure>,
    translate: @escaping (Failure) -> OutputFailure
  ) -> Junction {
    let operation = Operation("then($)", [.parent(1)], absorbs: .filtered)
    return Junction(operation, inputs: [producer, next]) { root, disposables in
      let first = Restarting<Value, Failure, Output, OutputFailure>(
        producer, into: root, disposables, once: true, deliver: nil
      ) { termination in
        switch termination {
        case .completed: next.feed.connect(PassInlet(root), stoppedBy: disposables)
        case .failed(let failure): root.send(.failed(translate(failure)))
        case .interrupted: root.send(.interrupted)
        }
        return false
      }
      first.start()
    }
  }
}

extension SignalProducer {
  /// Ignores all values and continues with `next` after completion.
  ///
  ///     self       --1--2|
  ///     next             --x--y|
  ///     then(next) --------x--y|
  ///
  /// - *Events*: failure and interruption are forwarded; completion starts `next`.
  /// - *Memory*: `next`.
  /// - *Scheduling*: `next` starts on the thread that completed this one.
  public func then<NewValue>(
    _ next: SignalProducer<NewValue, Failure>
  ) -> SignalProducer<NewValue, Failure> {
    SignalProducer<NewValue, Failure>(.then(self, next, translate: Translation.same))
  }

  /// Ignores all values and continues with `next` after completion. See `then(_:)`.
  public func then<NewValue>(
    _ next: SignalProducer<NewValue, Never>
  ) -> SignalProducer<NewValue, Failure> {
    SignalProducer<NewValue, Failure>(
      .then(self, next.promoted(to: Failure.self), translate: Translation.same))
  }

  /// Ignores all values and continues with `next`, which has the same type, after completion. See
  /// `then(_:)`.
  public func then(_ next: SignalProducer) -> SignalProducer {
    SignalProducer(.then(self, next, translate: Translation.same))
  }

  /// Ignores all values and continues with `next` after completion. See `then(_:)`.
  public func then<Next: SignalProducerConvertible>(
    _ next: Next
  ) -> SignalProducer<Next.Value, Failure> where Next.Failure == Failure {
    SignalProducer<Next.Value, Failure>(.then(self, next.producer, translate: Translation.same))
  }

  /// Ignores all values and continues with `next` after completion. See `then(_:)`.
  public func then<Next: SignalProducerConvertible>(
    _ next: Next
  ) -> SignalProducer<Next.Value, Failure> where Next.Failure == Never {
    SignalProducer<Next.Value, Failure>(
      .then(self, next.producer.promoted(to: Failure.self), translate: Translation.same))
  }
}

extension SignalProducer where Failure == Never {
  /// Ignores all values and continues with `next` after completion. See `then(_:)`.
  public func then<NewValue, NewFailure>(
    _ next: SignalProducer<NewValue, NewFailure>
  ) -> SignalProducer<NewValue, NewFailure> {
    SignalProducer<NewValue, NewFailure>(.then(self, next, translate: Translation.never))
  }

  /// Ignores all values and continues with `next` after completion. See `then(_:)`.
  public func then<NewValue>(
    _ next: SignalProducer<NewValue, Never>
  ) -> SignalProducer<NewValue, Never> {
    SignalProducer<NewValue, Never>(.then(self, next, translate: Translation.same))
  }

  /// Ignores all values and continues with `next`, which has the same type, after completion. See
  /// `then(_:)`.
  public func then(_ next: SignalProducer) -> SignalProducer {
    SignalProducer(.then(self, next, translate: Translation.same))
  }

  /// Ignores all values and continues with `next` after completion. See `then(_:)`.
  public func then<Next: SignalProducerConvertible>(
    _ next: Next
  ) -> SignalProducer<Next.Value, Next.Failure> {
    SignalProducer<Next.Value, Next.Failure>(
      .then(self, next.producer, translate: Translation.never))
  }

  /// Ignores all values and continues with `next` after completion. See `then(_:)`.
  public func then<Next: SignalProducerConvertible>(
    _ next: Next
  ) -> SignalProducer<Next.Value, Never> where Next.Failure == Never {
    SignalProducer<Next.Value, Never>(.then(self, next.producer, translate: Translation.same))
  }
}
