extension Junction {
  fileprivate static func take(
    _ source: Feed<Output, OutputFailure>, during lifetime: Lifetime
  ) -> Junction {
    let operation = Operation("take(during:)", traits: .endsEarly)
    return Junction(operation, inputs: [source]) { root, disposables in
      disposables += lifetime.list.add(.disposable(Completion(of: root)))
      guard !root.isOver else { return }
      source.connect(PassInlet(root), stoppedBy: disposables)
    }
  }
}

/// Completes a stream when it is disposed of.
private final class Completion<Value, Failure: Error>: Disposable {
  private let root: Root<Value, Failure>

  init(of root: Root<Value, Failure>) { self.root = root }

  var isDisposed: Bool { root.isOver }
  func dispose() { root.send(.completed) }
}

extension Signal {
  /// Forwards values until `lifetime` ends, then completes.
  ///
  ///     self                   --1--2--3--4--|
  ///     lifetime               --------|
  ///     take(during: lifetime) --1--2--|
  ///
  /// - *Events*: completes when the lifetime ends; the end of this stream is forwarded.
  /// - *Memory*: none. The lifetime releases the stream when the stream ends.
  /// - *Scheduling*: values are delivered on the sender's thread, completion on the thread that
  ///   ends the lifetime, unless that thread would have to wait for a delivery.
  public func take(during lifetime: Lifetime) -> Signal {
    Signal(.take(feed, during: lifetime))
  }
}

extension SignalProducer {
  /// Forwards values until `lifetime` ends, then completes. See `Signal.take(during:)`.
  public func take(during lifetime: Lifetime) -> SignalProducer {
    SignalProducer(.take(feed, during: lifetime))
  }
}

extension Lifetime {
  /// A signal that completes when the lifetime ends, or at once if it has ended.
  public var ended: Signal<Never, Never> {
    Signal { observer, lifetime in
      lifetime += observeEnded { observer.sendCompleted() }
    }
  }
}
