/// How an operator of several inputs was written: its name shows it.
@usableFromInline
enum JoinForm {
  /// A static function of all inputs: `combineLatest(a, b)`.
  case function
  /// A method of the first input: `a.combineLatest(with: b)`.
  case method
}

/// An inlet whose work is done inside the root's domain, value by value.
final class CombineInlet<Input, Output, Failure: Error>: Inlet<Input, Failure, Output, Failure> {
  private let onValue: (Input) -> Void
  private let onCompleted: () -> Void

  init(
    _ root: Root<Output, Failure>, value: @escaping (Input) -> Void,
    completed: @escaping () -> Void
  ) {
    onValue = value
    onCompleted = completed
    super.init(root)
  }

  override func receive(_ value: Input) { root.takeTurn(from: feed) { onValue(value) } }

  override func terminate(_ termination: Termination<Failure>) {
    switch termination {
    case .completed: root.perform(ClosureErrand(inside: onCompleted))
    case .failed, .interrupted: root.send(termination)
    }
  }
}
