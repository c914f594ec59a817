/// The last operator of a producer, detached from its input, through which a list pulls its
/// elements (`ReactiveCocoa2Compatibility`). These do not appear in a trace.
package final class PulledOperator<Input, Output> {
  private let stage: Stage<Input, Never, Output, Never>
  private let outputs: Outputs<Output>

  /// - Returns: nil if the operator ends without input.
  package init?(lastOf producer: SignalProducer<Output, Never>) {
    guard let recipe = producer.recipe as? StageRecipe<Input, Never, Output, Never> else {
      return nil
    }
    outputs = Outputs()
    stage = recipe.makeStage()
    stage.link(into: outputs, as: nil)
  }

  /// Passes a value to the operator, or completion if the value is nil.
  package func push(_ value: Input?) {
    if let value { stage.receive(value) } else { stage.complete() }
  }

  /// Removes and returns the oldest value that the operator has sent.
  package func takeFirst() -> Output? { outputs.waiting.takeFirst() }

  /// Whether the operator has ended its output.
  package var hasEnded: Bool { outputs.hasEnded }
}

/// The values that an operator has sent and that have not been read.
private final class Outputs<Value>: Observer<Value, Never> {
  var waiting = FIFOQueue<Value>()
  private(set) var hasEnded = false

  override func receive(_ value: Value) { waiting.append(value) }
  override func terminate(_ termination: Termination<Never>) { hasEnded = true }
}
