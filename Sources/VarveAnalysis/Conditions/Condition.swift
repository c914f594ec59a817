/// A condition on events, as the user wrote it: `value > 3 && name ~ "search*"`.
///
/// The fields are `value`, `name`, `thread`, `kind` and `time`. They are compared by `==`, `!=`,
/// `<`, `<=`, `>`, `>=`, and `~` for a pattern as in `--name`. Conditions are joined by `&&`, `||`,
/// `!` and parentheses.
public struct Condition: Sendable {
  /// The part of an event that is compared.
  enum Field: String, CaseIterable, Sendable {
    case value, name, thread, kind, time
  }

  /// The operator that compares it.
  enum Comparison: String, CaseIterable, Sendable {
    case equal = "=="
    case unequal = "!="
    case lessOrEqual = "<="
    case greaterOrEqual = ">="
    case less = "<"
    case greater = ">"
    case matches = "~"
  }

  /// The constant that it is compared with.
  enum Literal: Sendable, Equatable {
    case number(Double)
    case integer(Int64)
    case text(String)
    case boolean(Bool)
    case null
    /// A duration in nanoseconds.
    case duration(Int64)
  }

  indirect enum Term: Sendable {
    case comparison(Field, Comparison, Literal)
    case both(Term, Term)
    case either(Term, Term)
    case not(Term)
  }

  /// The condition as it was written.
  public let text: String
  let term: Term

  /// Reads a condition.
  ///
  /// - Throws: a `SelectionError` whose message shows the mistake with a caret under it.
  public init(_ text: String) throws(SelectionError) {
    self.text = text
    var parser = ConditionParser(text)
    term = try parser.condition()
  }
}
