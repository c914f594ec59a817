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
  /// An operation that a user named.
  init(
    _ label: StaticString, _ arguments: [OperatorArgument],
    absorbs: Absorption? = nil, traits: Traits = []
  ) {
    self.init(
      label, arguments.map(\.argument), absorbs: absorbs, traits: traits)
  }
}
