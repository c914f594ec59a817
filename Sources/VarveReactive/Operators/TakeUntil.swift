extension Junction {
  fileprivate static func take(
    _ source: Feed<Output, OutputFailure>, until trigger: Feed<Void, Never>
  ) -> Junction {
    let operation = Operation("take(until: $)", [.parent(1)], traits: [.joins, .endsEarly])
    return Junction(operation, inputs: [source, trigger]) { root, disposables in
      root.connect(source) {
        source.connect(PassInlet(root), stoppedBy: disposables)
      } under: {
        trigger.connect(TriggerInlet(root) { root.send(.completed) }, stoppedBy: disposables)
      }
    }
  }

  fileprivate static func skip(
    _ source: Feed<Output, OutputFailure>, until trigger: Feed<Void, Never>
  ) -> Junction {
    let operation = Operation(
      "skip(until: $)", [.parent(1)], absorbs: .pastLimit,
      traits: [.joins, .needsAllInputs])
    return Junction(operation, inputs: [source, trigger]) { root, disposables in
      let gate = GatedInlet(root)
      root.connect(source) {
        source.connect(gate, stoppedBy: disposables)
      } under: {
        trigger.connect(
          TriggerInlet(root, endsOutput: false) { gate.open() }, stoppedBy: disposables)
      }
    }
  }

  fileprivate static func take(
    _ source: Feed<Output, OutputFailure>, untilReplacement other: Feed<Output, OutputFailure>
  ) -> Junction {
    let operation = Operation(
      "take(untilReplacement: $)", [.parent(1)],
      traits: [.joins, .endsEarly])
    return Junction(operation, inputs: [source, other]) { root, disposables in
      let original = CompositeDisposable()
      disposables.add(original)
      root.connect(source) {
        guard !original.isDisposed else { return }
        source.connect(OriginalInlet(root, stoppedBy: original), stoppedBy: original)
      } under: {
        other.connect(ReplacementInlet(root, instead: original), stoppedBy: disposables)
      }
    }
  }
}

extension Root {
  /// Connects a source and what controls it.
  ///
  /// Of producers the control is started first: one that fires at once prevents the source's work. Of
  /// signals the source is observed first: what a signal sends that controls itself was sent before.
  fileprivate func connect<Input, InputFailure>(
    _ source: Feed<Input, InputFailure>, _ connectSource: () -> Void,
    under connectControl: () -> Void
  ) {
    if source.isCold {
      connectControl()
      if !isOver { connectSource() }
    } else {
      connectSource()
      if !isOver { connectControl() }
    }
  }
}

/// Passes an input on.
final class PassInlet<Value, Failure: Error>: Inlet<Value, Failure, Value, Failure> {
  override func receive(_ value: Value) { root.send(value, from: feed) }
  override func terminate(_ termination: Termination<Failure>) { root.send(termination) }
}

/// Does something once, at the first value or at the completion of a trigger.
final class TriggerInlet<Output, Failure: Error>: Inlet<Void, Never, Output, Failure> {
  private let fire: () -> Void
  private let endsOutput: Bool

  /// - Parameter endsOutput: whether that is the end of the output, which the trigger then causes.
  init(_ root: Root<Output, Failure>, endsOutput: Bool = true, _ fire: @escaping () -> Void) {
    self.fire = fire
    self.endsOutput = endsOutput
    super.init(root)
  }

  override func receive(_ value: Void) {
    fire()
    if !endsOutput { swallow(.control) }
  }

  override func terminate(_ termination: Termination<Never>) {
    switch termination {
    case .completed: fire()
    case .interrupted: break
    }
  }
}

/// Passes an input on once it has been opened.
private final class GatedInlet<Value, Failure: Error>: Inlet<Value, Failure, Value, Failure>,
  @unchecked Sendable
{
  // Safety: `isOpen` is locked.
  private let isOpen = Lock(false)

  func open() { isOpen.withLock { $0 = true } }

  override func receive(_ value: Value) {
    if isOpen.withLock({ $0 }) { root.send(value, from: feed) } else { swallow(.pastLimit) }
  }

  override func terminate(_ termination: Termination<Failure>) { root.send(termination) }
}

/// Passes the original on, except for its completion: a replacement may still come. When it has, a
/// run of the original is interrupted, which is nobody else's end.
private final class OriginalInlet<Value, Failure: Error>: Inlet<Value, Failure, Value, Failure> {
  private let original: CompositeDisposable

  init(_ root: Root<Value, Failure>, stoppedBy original: CompositeDisposable) {
    self.original = original
    super.init(root)
  }

  // The replacement may come while this waits for its turn: it is looked for inside.

  override func receive(_ value: Value) {
    root.takeTurn(from: feed) {
      if original.isDisposed { swallow(.superseded) } else { root.deliver(value) }
    }
  }

  override func terminate(_ termination: Termination<Failure>) {
    switch termination {
    case .completed: break
    case .failed, .interrupted:
      root.perform(
        DeferredClosure(inside: { [root, original] in
          if !original.isDisposed { root.finish(termination) }
        }))
    }
  }
}

/// Passes the replacement on, and lets go of the original at the first event.
private final class ReplacementInlet<Value, Failure: Error>: Inlet<Value, Failure, Value, Failure> {
  private let original: CompositeDisposable

  init(_ root: Root<Value, Failure>, instead original: CompositeDisposable) {
    self.original = original
    super.init(root)
  }

  override func receive(_ value: Value) {
    original.dispose()
    root.send(value, from: feed)
  }

  override func terminate(_ termination: Termination<Failure>) {
    original.dispose()
    root.send(termination)
  }
}

extension Signal {
  /// Forwards values until `trigger` sends or completes, then completes.
  ///
  ///     self                 --1--2--3--4--|
  ///     trigger              --------x
  ///     take(until: trigger) --1--2--|
  ///
  /// - *Events*: completes with the trigger; the end of this stream is forwarded. The trigger's
  ///   interruption is ignored.
  /// - *Memory*: none.
  /// - *Scheduling*: the sender's thread.
  public func take(until trigger: Signal<Void, Never>) -> Signal {
    Signal(.take(feed, until: trigger.feed))
  }

  /// Drops values until `trigger` sends or completes.
  ///
  ///     self                 --1--2--3--4--|
  ///     trigger              --------x
  ///     skip(until: trigger) --------3--4--|
  ///
  /// - *Events*: the end is forwarded as it is. The trigger's interruption is ignored.
  /// - *Memory*: none.
  /// - *Scheduling*: the sender's thread.
  public func skip(until trigger: Signal<Void, Never>) -> Signal {
    Signal(.skip(feed, until: trigger.feed))
  }

  /// Forwards this stream until `replacement` sends its first event, and that one from there on.
  ///
  ///     self                              --1--2--3--4--|
  ///     replacement                       --------x--y----|
  ///     take(untilReplacement: …)         --1--2--x--y----|
  ///
  /// - *Events*: completes with the replacement only; fails or is interrupted as soon as this stream
  ///   or the replacement is.
  /// - *Memory*: none.
  /// - *Scheduling*: the sender's thread.
  public func take(untilReplacement replacement: Signal) -> Signal {
    Signal(.take(feed, untilReplacement: replacement.feed))
  }
}

extension SignalProducer {
  /// Forwards values until `trigger` sends or completes. See `Signal.take(until:)`.
  public func take(until trigger: SignalProducer<Void, Never>) -> SignalProducer {
    SignalProducer(.take(feed, until: trigger.feed))
  }

  /// Forwards values until `trigger` sends or completes. See `Signal.take(until:)`.
  public func take(
    until trigger: some SignalProducerConvertible<Void, Never>
  ) -> SignalProducer { take(until: trigger.producer) }

  /// Drops values until `trigger` sends or completes. See `Signal.skip(until:)`.
  public func skip(until trigger: SignalProducer<Void, Never>) -> SignalProducer {
    SignalProducer(.skip(feed, until: trigger.feed))
  }

  /// Drops values until `trigger` sends or completes. See `Signal.skip(until:)`.
  public func skip(
    until trigger: some SignalProducerConvertible<Void, Never>
  ) -> SignalProducer { skip(until: trigger.producer) }

  /// Forwards this stream until another's first event. See `Signal.take(untilReplacement:)`.
  public func take(untilReplacement replacement: SignalProducer) -> SignalProducer {
    SignalProducer(.take(feed, untilReplacement: replacement.feed))
  }

  /// Forwards this stream until another's first event. See `Signal.take(untilReplacement:)`.
  public func take(
    untilReplacement replacement: some SignalProducerConvertible<Value, Failure>
  ) -> SignalProducer { take(untilReplacement: replacement.producer) }
}
