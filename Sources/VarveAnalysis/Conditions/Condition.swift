/// A condition on events, as the user wrote it: `value > 3 && name ~ "search*"`.
///
/// The fields are those of `Field`. They are compared by `==`, `!=`, `<`, `<=`, `>`, `>=`, by `~` for
/// a pattern as in `--name` or a regular expression between slashes, and by `in (…, …)`. A value
/// `is truncated` if only a part of it was recorded. Conditions are joined by `&&`, `||`, `!`, by `and`,
/// `or`, `not`, which are the same, and by parentheses.
public struct Condition: Sendable {
  /// The part of an event that is compared.
  enum Field: String, CaseIterable, Sendable {
    /// The name of the stream, or of the scheduler in records about work.
    case value, name
    /// The number of the stream.
    case stream
    case `operator`, kind, thread
    /// The scheduler whose work the thread was running, or that a record about work names.
    case scheduler
    case subscription, time
    /// The time since the event before on the same thread.
    case step
    /// Where the stream was made, as `File.swift:12`.
    case place
    case reason
    /// The name of the event, as in `#4.1749`.
    case event

    /// Whether it is compared with a duration.
    var isTime: Bool { self == .time || self == .step }
    /// Whether it is compared with a number alone.
    var isNumber: Bool { self == .stream || self == .subscription }
    /// Whether its values have an order.
    var isOrdered: Bool { self == .value || self == .subscription || isTime }
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
    /// A moment that the trace tells: a part of its length, an event, a time of day.
    case moment(TimeExpression)
  }

  indirect enum Term: Sendable {
    case comparison(Field, Comparison, Literal)
    case truncated
    case both(Term, Term)
    case either(Term, Term)
    case not(Term)
  }

  /// The condition as it was written.
  public let text: String
  let term: Term

  /// Reads a condition.
  ///
  /// - Throws: a `SelectionError` whose excerpt has the place of the mistake.
  public init(_ text: String) throws(SelectionError) {
    self.text = text
    var parser = ConditionParser(text)
    term = try parser.condition()
  }
}
