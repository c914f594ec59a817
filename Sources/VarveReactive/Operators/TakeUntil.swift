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
  /// Connects a source and its control.
  ///
  /// With producers, the control is started first: if it fires at once, the source's work is
  /// prevented. With signals, the source is observed first: if a signal is its own control, its
  /// value is delivered before the control acts.
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

/// Forwards an input.
final class PassInlet<Value, Failure: Error>: Inlet<Value, Failure, Value, Failure> {
  override func receive(_ value: Value) { root.send(value, from: feed) }
  override func terminate(_ termination: Termination<Failure>) { root.send(termination) }
}

/// Performs an action at the first value or at the completion of a trigger.
final class TriggerInlet<Output, Failure: Error>: Inlet<Void, Never, Output, Failure> {
  private let fire: () -> Void
  private let endsOutput: Bool

  /// - Parameter endsOutput: whether the action ends the output, which the trigger then causes.
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

/// Forwards an input once it has been opened.
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

/// Forwards the original, except for its completion, because a replacement may still follow. The
/// replacement interrupts the original's run, which does not end the output.
private final class OriginalInlet<Value, Failure: Error>: Inlet<Value, Failure, Value, Failure> {
  private let original: CompositeDisposable

  init(_ root: Root<Value, Failure>, stoppedBy original: CompositeDisposable) {
    self.original = original
    super.init(root)
  }

  // The replacement may come while this waits for its turn, so the check is made inside the turn.

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

/// Forwards the replacement and disposes of the original at the first event.
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
  /// - *Events*: completes when the trigger fires; the end of this stream is forwarded. The
  ///   trigger's interruption is ignored.
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
  /// - *Events*: the end is forwarded unchanged. The trigger's interruption is ignored.
  /// - *Memory*: none.
  /// - *Scheduling*: the sender's thread.
  public func skip(until trigger: Signal<Void, Never>) -> Signal {
    Signal(.skip(feed, until: trigger.feed))
  }

  /// Forwards this stream until `replacement` sends its first event, and `replacement` from then
  /// on.
  ///
  ///     self                              --1--2--3--4--|
  ///     replacement                       --------x--y----|
  ///     take(untilReplacement: …)         --1--2--x--y----|
  ///
  /// - *Events*: completes only when the replacement completes. The failure or interruption of the
  ///   replacement is forwarded, and that of this stream until it is replaced.
  /// - *Memory*: none.
  /// - *Scheduling*: the sender's thread.
  public func take(untilReplacement replacement: Signal) -> Signal {
    Signal(.take(feed, untilReplacement: replacement.feed))
  }
}

extension SignalProducer {
  /// Forwards values until `trigger` sends or completes. See `Signal.take(until:)`.
  public func take(until trigger: some SignalProducerConvertible<Void, Never>) -> SignalProducer {
    SignalProducer(.take(feed, until: trigger.producer.feed))
  }

  /// Drops values until `trigger` sends or completes. See `Signal.skip(until:)`.
  public func skip(until trigger: some SignalProducerConvertible<Void, Never>) -> SignalProducer {
    SignalProducer(.skip(feed, until: trigger.producer.feed))
  }

  /// Forwards this stream until the first event of another, and the other from then on. See
  /// `Signal.take(untilReplacement:)`.
  public func take(
    untilReplacement replacement: some SignalProducerConvertible<Value, Failure>
  ) -> SignalProducer {
    SignalProducer(.take(feed, untilReplacement: replacement.producer.feed))
  }
}
