/// An operator with one input that works inside the domain of its input: what it is called, and how
/// a stage of it is made in front of whatever follows.
///
/// Each operator is written once, as a stage and a static function here; `Signal` and
/// `SignalProducer` apply it.
struct UnaryOperator<Input, InputFailure: Error, Output, OutputFailure: Error> {
  let operation: Operation
  let makeStage:
    (Observer<Output, OutputFailure>, Origin) -> Stage<Input, InputFailure, Output, OutputFailure>

  init(
    _ operation: Operation,
    _ makeStage:
      @escaping (Observer<Output, OutputFailure>, Origin) -> Stage<
        Input, InputFailure, Output, OutputFailure
      >
  ) {
    self.operation = operation
    self.makeStage = makeStage
  }
}

extension Signal {
  /// The signal that an operator makes of this one. The operator observes at once.
  func applying<Output, OutputFailure>(
    _ unary: UnaryOperator<Value, Failure, Output, OutputFailure>, name: String? = nil,
    place: SourcePlace? = nil
  ) -> Signal<Output, OutputFailure> {
    let identity = StreamIdentity(
      unary.operation, parents: [identity], name: name, place: place, valueType: Output.self)
    let output = FanOut<Output, OutputFailure>(in: fanOut.audience.domain, identity)
    let edge = Edge(to: fanOut.audience, from: unary.makeStage(output, .identity(identity)))
    output.audience.prepare { edge.dispose() }
    edge.attach()
    return Signal<Output, OutputFailure>(output)
  }
}

extension SignalProducer {
  /// The producer that an operator makes of this one: each start makes a stage of its own.
  func applying<Output, OutputFailure>(
    _ unary: UnaryOperator<Value, Failure, Output, OutputFailure>, name: String? = nil,
    place: SourcePlace? = nil
  ) -> SignalProducer<Output, OutputFailure> {
    SignalProducer<Output, OutputFailure>(
      StageRecipe(unary, of: recipe, name: name, place: place))
  }
}

/// A producer's recipe with one more stage.
private final class StageRecipe<Input, InputFailure: Error, Output, OutputFailure: Error>:
  Recipe<Output, OutputFailure>, @unchecked Sendable
{
  // Safety: immutable; each start makes its own stage.
  private let makeStage:
    (Observer<Output, OutputFailure>, Origin) -> Stage<Input, InputFailure, Output, OutputFailure>
  private let source: Recipe<Input, InputFailure>

  init(
    _ unary: UnaryOperator<Input, InputFailure, Output, OutputFailure>,
    of source: Recipe<Input, InputFailure>, name: String?, place: SourcePlace?
  ) {
    makeStage = unary.makeStage
    self.source = source
    super.init(
      unary.operation, parents: [.recipe(source)], name: name, place: place,
      valueType: Output.self)
  }

  override func start(into sink: Observer<Output, OutputFailure>, run: Run) {
    source.start(into: makeStage(sink, .recipe(self)), run: run)
  }
}
