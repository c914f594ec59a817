private let lifting = Operation("lift(_:)")

/// Applies a function of signals to the signal of each start of a producer.
private final class LiftRecipe<Value, Failure: Error>: Recipe<Value, Failure>, @unchecked Sendable {
  // Safety: changed by `deinit` alone; the closure consists of Sendable ones.

  /// Passes the signal made from those of the sources, together with the handles that stop them, to
  /// `setup`, and then starts the sources. Set to nil by `deinit`.
  private var begin: ((_ setup: (Signal<Value, Failure>, [RunHandle]) -> Void) -> Void)?

  init(
    parents: [StreamReference],
    _ begin: @escaping ((Signal<Value, Failure>, [RunHandle]) -> Void) -> Void
  ) {
    self.begin = begin
    super.init(lifting, parents: parents, valueType: Value.self)
  }

  override func start(into sink: Observer<Value, Failure>, run: Run) {
    begin? { signal, sources in
      let subscription = Subscription(to: signal.fanOut.observers, from: sink)
      run.adopt(subscription)
      for source in sources {
        run.adopt(AdoptedRun(source.run))
        run.keep(source)
      }
      subscription.attach()
    }
  }

  deinit { DeepRelease.letGo(of: &begin) }
}

/// Makes another start part of a run.
final class AdoptedRun: RunMember, @unchecked Sendable {
  // Safety: immutable.
  private let run: Run

  init(_ run: Run) { self.run = run }

  override func interrupt() { run.end() }
}

extension SignalProducer {
  /// Applies an operator on signals to the signal of each start.
  ///
  ///     let titles = pages.lift { $0.map(\.title).skipRepeats() }
  ///
  /// - *Events*: those of the signal that `transform` returns. Its end stops the producer.
  /// - *Memory*: that of the operator.
  /// - *Scheduling*: `transform` runs at each start, before the work begins.
  @preconcurrency
  public func lift<NewValue, NewFailure>(
    _ transform: @escaping @Sendable (Signal<Value, Failure>) -> Signal<NewValue, NewFailure>
  ) -> SignalProducer<NewValue, NewFailure> {
    SignalProducer<NewValue, NewFailure>(
      LiftRecipe(parents: [.recipe(recipe)]) { setup in
        startWithRun { signal, run in setup(transform(signal), [run]) }
      })
  }

  /// Applies an operator on two signals to the signals of this producer and another.
  ///
  ///     let merged = local.lift(Signal.merge(with:))(remote)
  ///
  /// The other producer is started first. See `lift(_:)`.
  @preconcurrency
  public func lift<OtherValue, OtherFailure, NewValue, NewFailure>(
    _ transform:
      @escaping @Sendable (Signal<Value, Failure>) -> (Signal<OtherValue, OtherFailure>) -> Signal<
        NewValue, NewFailure
      >
  ) -> (SignalProducer<OtherValue, OtherFailure>) -> SignalProducer<NewValue, NewFailure> {
    { other in
      SignalProducer<NewValue, NewFailure>(
        LiftRecipe(parents: [.recipe(recipe), .recipe(other.recipe)]) { setup in
          startWithRun { signal, run in
            other.startWithRun { otherSignal, otherRun in
              setup(transform(signal)(otherSignal), [run, otherRun])
            }
          }
        })
    }
  }
}
