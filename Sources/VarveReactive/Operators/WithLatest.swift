/// Returns a junction that delivers each value of `source` together with the latest one of
/// `samplee`.
private func withLatest<Value, Sample, Failure: Error>(
  _ source: Feed<Value, Failure>, _ samplee: Feed<Sample, Never>
) -> Junction<(Value, Sample), Failure> {
  let operation = Operation(
    "withLatest(from: $)", [.parent(1)], absorbs: .notSampled,
    traits: [.joins, .needsAllInputs, .holds])
  return Junction(operation, inputs: [source, samplee]) { root, disposables in
    let latest = LatestValue<Sample>()
    let outlet = Outlet(root: root, disposables: disposables)
    samplee.connect(StoringInlet(sampledBy: outlet, latest), stoppedBy: disposables)
    source.connect(PairingInlet(root, latest), stoppedBy: disposables)
  }
}

private final class PairingInlet<Value, Sample, Failure: Error>:
  Inlet<Value, Failure, (Value, Sample), Failure>
{
  private let latest: LatestValue<Sample>

  init(_ root: Root<(Value, Sample), Failure>, _ latest: LatestValue<Sample>) {
    self.latest = latest
    super.init(root)
  }

  override func receive(_ value: Value) {
    root.takeTurn(from: feed) {
      if let held = latest.sample() {
        root.deliver((value, held.recall()))
      } else {
        swallow(.notSampled)
      }
    }
  }

  override func terminate(_ termination: Termination<Failure>) { root.send(termination) }
}

extension Signal {
  /// Delivers each value together with the latest one of `samplee`; drops values while there is
  /// none.
  ///
  ///     self                      --1--2-----3--|
  ///     samplee                   ----a----b------c
  ///     withLatest(from: samplee) -----A-----B--|   A = (2, a), B = (3, b)
  ///
  /// - *Events*: the end is forwarded unchanged. The samplee's end has no effect.
  /// - *Memory*: the samplee's latest value.
  /// - *Scheduling*: the sender's thread.
  public func withLatest<Sample>(
    from samplee: some SignalProducerConvertible<Sample, Never>
  ) -> Signal<(Value, Sample), Failure> {
    Signal<(Value, Sample), Failure>(VarveReactive.withLatest(feed, samplee.producer.feed))
  }

  /// Delivers each value together with the latest one of `samplee`. See `withLatest(from:)`.
  public func withLatest<Sample>(
    from samplee: Signal<Sample, Never>
  ) -> Signal<(Value, Sample), Failure> {
    Signal<(Value, Sample), Failure>(VarveReactive.withLatest(feed, samplee.feed))
  }
}

extension SignalProducer {
  /// Delivers each value together with the latest one of `samplee`. See `Signal.withLatest(from:)`.
  public func withLatest<Sample>(
    from samplee: some SignalProducerConvertible<Sample, Never>
  ) -> SignalProducer<(Value, Sample), Failure> {
    SignalProducer<(Value, Sample), Failure>(
      VarveReactive.withLatest(feed, samplee.producer.feed))
  }
}
