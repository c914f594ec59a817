internal import VarveProbe

/// The part of two stacks in which both were in one call of a function.
enum SharedCall {
  /// Returns the number of frames outside the function that was called, from which both stacks go on;
  /// nil if they have no such call in common.
  static func outerFrames(_ one: [StackFrame], _ other: [StackFrame]) -> Int? {
    let shared = zip(one.reversed(), other.reversed()).prefix { $0 == $1 }.count
    return shared > 0 && shared < one.count && shared < other.count ? shared : nil
  }
}
