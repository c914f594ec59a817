/// How an operator of several inputs was written: its name shows it.
@usableFromInline
enum JoinForm {
  /// A static function of all inputs: `combineLatest(a, b)`.
  case function
  /// A method of the first input: `a.combineLatest(with: b)`.
  case method
}
