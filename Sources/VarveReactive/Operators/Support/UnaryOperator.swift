/// An operator with one input that works inside the serializer of its input: what it is called, and
/// how a stage of it is made in front of whatever follows.
///
/// Each operator is written once, as a stage and a static function here; `Signal` and
/// `SignalProducer` apply it.
struct UnaryOperator<Input, InputFailure: Error, Output, OutputFailure: Error> {
  let operation: Operation
  /// Whether the operator ends at once, without a look at its input: a signal completes, a producer
  /// is interrupted, as ReactiveSwift has it (contract P3).
  let needsNoInput: Bool
  fileprivate let makeStage: () -> Stage<Input, InputFailure, Output, OutputFailure>
  /// What a producer does before and after each start of its input.
  var aroundStart: (before: (StreamLog) -> Void, after: (StreamLog) -> Void)?

  init(
    _ operation: Operation, needsNoInput: Bool = false,
    _ makeStage: @escaping () -> Stage<Input, InputFailure, Output, OutputFailure>
  ) {
    self.operation = operation
    self.needsNoInput = needsNoInput
    self.makeStage = makeStage
  }

  /// The same operator under another name.
  func called(_ operation: Operation) -> Self { Self(operation, makeStage) }

  /// A stage of the operator in front of what follows, which delivers as `stream`, if that is one.
  func stage(
    into downstream: Observer<Output, OutputFailure>, as stream: StreamReference?
  ) -> Stage<Input, InputFailure, Output, OutputFailure> {
    let stage = makeStage()
    stage.link(into: downstream, as: stream)
    return stage
  }
}

extension Signal {
  /// The signal that an operator makes of this one. The operator observes at once.
  ///
  /// - Parameter receiver: whose operator the derived name says that it is, if not this stream's.
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

  /// A signal that has completed.
  static func completed(_ identity: StreamIdentity) -> Signal {
    let (fanOut, root) = makeRoot(identity)
    root.send(.completed)
    return Signal(fanOut)
  }
}

extension SignalProducer {
  /// The producer that an operator makes of this one: each start makes a stage of its own.
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

/// A producer's recipe with one more stage.
final class StageRecipe<Input, InputFailure: Error, Output, OutputFailure: Error>:
  Recipe<Output, OutputFailure>, @unchecked Sendable
{
  // Safety: changed by `deinit` alone; each start makes its own stage.
  // Of the operator what a start needs: a start that copies the whole looks up its type.
  let makeStage: () -> Stage<Input, InputFailure, Output, OutputFailure>
  private let aroundStart: (before: (StreamLog) -> Void, after: (StreamLog) -> Void)?
  /// Emptied when the recipe goes.
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
