/// The form in which an operator with several inputs was written, which its name shows.
@usableFromInline
enum JoinForm {
  /// A static function of all inputs: `combineLatest(a, b)`.
  case function
  /// A method of the first input: `a.combineLatest(with: b)`.
  case method
}
