/// The form in which an operator with several inputs was written, which its name shows.
@usableFromInline
enum JoinForm {
  /// A static function of all inputs: `combineLatest(a, b)`.
  case function
  /// A method of the first input: `a.combineLatest(with: b)`.
  case method

  /// An operator that needs a value of each input for one of its output.
  func joining(function: StaticString, method: StaticString) -> Operation {
    let traits: Traits = [.joins, .needsAllInputs, .holds]
    return switch self {
    case .function:
      Operation(function, form: .function, [.parents], absorbs: .gathered, traits: traits)
    case .method: Operation(method, [.parent(1)], absorbs: .gathered, traits: traits)
    }
  }
}
