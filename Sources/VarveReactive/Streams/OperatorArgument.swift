/// An argument of an operator of your own, as names show it: counts, times, labels and schedulers.
/// Values of streams are not arguments: a name never tells them.
public struct OperatorArgument: Sendable {
  let argument: Operation.Argument

  /// A number: `3`.
  public static func count(_ count: Int) -> OperatorArgument {
    OperatorArgument(argument: .count(count))
  }

  /// A time: `300ms`.
  public static func duration(_ duration: Duration) -> OperatorArgument {
    OperatorArgument(argument: .duration(duration))
  }

  /// A text as it is.
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
