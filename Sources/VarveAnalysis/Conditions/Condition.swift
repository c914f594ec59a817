/// What must be true of an event, as somebody wrote it: `value > 3 && name ~ "search*"`.
///
/// Fields are `value`, `name`, `thread`, `kind`, `time`; they are compared by `==`, `!=`, `<`, `<=`,
/// `>`, `>=`, and `~` for a pattern as in `--name`. Conditions are joined by `&&`, `||`, `!` and
/// parentheses.
public struct Condition: Sendable {
  /// What is compared.
  enum Field: String, CaseIterable, Sendable {
    case value, name, thread, kind, time
  }

  /// How it is compared.
  enum Comparison: String, CaseIterable, Sendable {
    case equal = "=="
    case unequal = "!="
    case lessOrEqual = "<="
    case greaterOrEqual = ">="
    case less = "<"
    case greater = ">"
    case matches = "~"
  }

  /// What it is compared with.
  enum Literal: Sendable, Equatable {
    case number(Double)
    case integer(Int64)
    case text(String)
    case boolean(Bool)
    case null
    /// Nanoseconds.
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
