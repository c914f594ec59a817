/// An argument of a custom operator, as names show it: a count, a duration, a label or a scheduler.
/// Stream values are not arguments, because names never reveal them.
public struct OperatorArgument: Sendable {
  let argument: Operation.Argument

  /// A number: `3`.
  public static func count(_ count: Int) -> OperatorArgument {
    OperatorArgument(argument: .count(count))
  }

  /// A duration: `300ms`.
  public static func duration(_ duration: Duration) -> OperatorArgument {
    OperatorArgument(argument: .duration(duration))
  }

  /// A text, shown as it is.
  public static func label(_ label: String) -> OperatorArgument {
    OperatorArgument(argument: .label(label))
  }

  /// A scheduler's own description, taken now.
  public static func scheduler(_ scheduler: any Scheduler) -> OperatorArgument {
    OperatorArgument(argument: .scheduler(scheduler))
  }
}

extension Operation {
  /// The label with a `$` for each argument. Those of users' operators have none: their arguments
  /// come after the colons, one after the other.
  package var template: String {
    let label = label.description
    guard !arguments.isEmpty, !label.contains("$") else { return label }
    var text = ""
    var remaining = arguments.count
    for character in label {
      if text.hasSuffix("$"), character != ")" { text += ", " }
      text.append(character)
      guard character == ":", remaining > 0 else { continue }
      text += " $"
      remaining -= 1
    }
    return text
  }

  /// An operation that a user named.
  init(
    _ label: StaticString, _ arguments: [OperatorArgument],
    absorbs: Absorption? = nil, traits: Traits = []
  ) {
    self.init(
      label, arguments.map(\.argument), absorbs: absorbs, traits: traits)
  }
}
