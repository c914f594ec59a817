/// An operator with one input that works inside the serializer of that input: its name, and a
/// factory for its stages.
///
/// Each operator is written once, as a stage and a static member of this type; `Signal` and
/// `SignalProducer` apply it.
struct UnaryOperator<Input, InputFailure: Error, Output, OutputFailure: Error> {
  let operation: Operation
  /// Whether the operator ends at once, without observing its input. A signal completes and a
  /// producer is interrupted, as in ReactiveSwift (contract P3).
  let needsNoInput: Bool
  fileprivate let makeStage: () -> Stage<Input, InputFailure, Output, OutputFailure>
  /// The actions of a producer before and after each start of its input.
  var aroundStart: (before: (StreamLog) -> Void, after: (StreamLog) -> Void)?

  init(
    _ operation: Operation, needsNoInput: Bool = false,
    _ makeStage: @escaping () -> Stage<Input, InputFailure, Output, OutputFailure>
  ) {
    self.operation = operation
    self.needsNoInput = needsNoInput
    self.makeStage = makeStage
  }

  /// Returns the operator under another name.
  func called(_ operation: Operation) -> Self { Self(operation, makeStage) }

  /// Returns a stage of the operator before `downstream`. It delivers as `stream`, unless that is
  /// nil.
  func stage(
    into downstream: Observer<Output, OutputFailure>, as stream: StreamReference?
  ) -> Stage<Input, InputFailure, Output, OutputFailure> {
    let stage = makeStage()
    stage.link(into: downstream, as: stream)
    return stage
  }
}

extension Signal {
  /// Returns the signal that results from applying an operator to this one. The operator observes
  /// at once.
  ///
  /// - Parameter receiver: the stream to which the derived name ascribes the operator, if not this
  ///   one.
  func applying<Output, OutputFailure>(
    _ unary: UnaryOperator<Value, Failure, Output, OutputFailure>, name: String? = nil,
    place: SourcePlace? = nil, receiver: StreamReference? = nil
  ) -> Signal<Output, OutputFailure> {
    let parents = (receiver.map { [$0.identity] } ?? []) + [self.identity]
    let identity = StreamIdentity(
      unary.operation, parents: parents, name: name, place: place, valueType: Output.self)
    if unary.needsNoInput { return .completed(identity) }
    let output = FanOut<Output, OutputFailure>(in: fanOut.observers.serializer, identity)
    let subscription = Subscription(
      to: fanOut.observers, from: unary.stage(into: output, as: .identity(identity)))
    output.observers.prepare { subscription.dispose() }
    subscription.attachStage()
    return Signal<Output, OutputFailure>(output)
  }

  /// Returns a signal that has completed.
  static func completed(_ identity: StreamIdentity) -> Signal {
    let (fanOut, root) = makeRoot(identity)
    root.send(.completed)
    return Signal(fanOut)
  }
}

extension SignalProducer {
  /// Returns the producer that results from applying an operator to this one. Each start makes its
  /// own stage.
  func applying<Output, OutputFailure>(
    _ unary: UnaryOperator<Value, Failure, Output, OutputFailure>, name: String? = nil,
    place: SourcePlace? = nil, receiver: StreamReference? = nil
  ) -> SignalProducer<Output, OutputFailure> {
    if unary.needsNoInput {
      return SignalProducer<Output, OutputFailure>(
        EndRecipe(unary.operation, parents: [.recipe(recipe)], .interrupted))
    }
    return SignalProducer<Output, OutputFailure>(
      StageRecipe(unary, of: recipe, name: name, place: place, receiver: receiver))
  }
}

/// The recipe of a producer with one more stage.
final class StageRecipe<Input, InputFailure: Error, Output, OutputFailure: Error>:
  Recipe<Output, OutputFailure>, @unchecked Sendable
{
  // Safety: changed by `deinit` alone; each start makes its own stage.
  // Only the parts of the operator that a start needs: copying the whole would look up its type at
  // each start.
  let makeStage: () -> Stage<Input, InputFailure, Output, OutputFailure>
  private let aroundStart: (before: (StreamLog) -> Void, after: (StreamLog) -> Void)?
  /// Set to nil by `deinit`.
  @exclusivity(unchecked) private var source: Recipe<Input, InputFailure>?

  init(
    _ unary: UnaryOperator<Input, InputFailure, Output, OutputFailure>,
    of source: Recipe<Input, InputFailure>, name: String?, place: SourcePlace?,
    receiver: StreamReference?
  ) {
    makeStage = unary.makeStage
    aroundStart = unary.aroundStart
    self.source = source
    super.init(
      unary.operation, parents: (receiver.map { [$0] } ?? []) + [.recipe(source)], name: name,
      place: place, valueType: Output.self)
  }

  override func start(into sink: Observer<Output, OutputFailure>, run: Run) {
    guard let aroundStart else { return startSource(into: sink, run) }
    let log = StreamLog(of: .recipe(self))
    aroundStart.before(log)
    startSource(into: sink, run)
    aroundStart.after(log)
  }

  @inline(__always)
  private func startSource(into sink: Observer<Output, OutputFailure>, _ run: Run) {
    let stage = makeStage()
    stage.link(into: sink, as: .recipe(self))
    source?.start(into: stage, run: run)
  }

  deinit { DeepRelease.letGo(of: &source) }
}
