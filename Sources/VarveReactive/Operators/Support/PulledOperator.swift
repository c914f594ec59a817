/// The last operator of a producer without its input: a list pulls its elements through it
/// (`ReactiveCocoa2Compatibility`). A trace knows nothing of them.
package final class PulledOperator<Input, Output> {
  private let stage: Stage<Input, Never, Output, Never>
  private let outputs: Outputs<Output>

  /// - Returns: nil when the operator needs no input to end.
  package init?(lastOf producer: SignalProducer<Output, Never>) {
    guard let recipe = producer.recipe as? StageRecipe<Input, Never, Output, Never> else {
      return nil
    }
    outputs = Outputs()
    stage = recipe.makeStage()
    stage.link(into: outputs, as: nil)
  }

  /// Gives the operator a value, or the end.
  package func push(_ value: Input?) {
    if let value { stage.receive(value) } else { stage.complete() }
  }

  /// Takes the oldest of what it has sent.
  package func takeFirst() -> Output? { outputs.waiting.takeFirst() }

  /// Whether it has ended its output.
  package var hasEnded: Bool { outputs.hasEnded }
}

/// What an operator has sent and nobody has read.
private final class Outputs<Value>: Observer<Value, Never> {
  var waiting = FIFOQueue<Value>()
  private(set) var hasEnded = false

  override func receive(_ value: Value) { waiting.append(value) }
  override func terminate(_ termination: Termination<Never>) { hasEnded = true }
}
