public import VarveProbe

/// Which events somebody wants to see; the same in every verb of the command.
public struct Selection {
  /// Streams whose names match one of these; all when empty.
  public var names: [NamePattern] = []
  /// But not those whose names match one of these.
  public var excluded: [NamePattern] = []
  /// Of these, only those with one of these ids; nil for all.
  public var streams: Set<UInt32>?
  /// Of these, only streams that lead to one that matches, and these themselves.
  public var upstreamOf: [NamePattern] = []
  /// Of these, only streams that one that matches leads to, and these themselves.
  public var downstreamOf: [NamePattern] = []
  /// Only what bears the number of one of these subscriptions, runs or hops.
  public var subscriptions: Set<UInt64> = []
  /// Only what happened on threads with such a name, number or id.
  public var threads: [NamePattern] = []
  /// Only what happened in work of schedulers with such a name, and what happened to that work.
  public var schedulers: [NamePattern] = []
  /// Only what satisfies a condition.
  public var condition: Condition?
  /// Kinds of events.
  public var kinds = KindSelection.all
  /// Not before.
  public var since: TimeExpression?
  /// Not after.
  public var until: TimeExpression?
  /// Of these, at most so many of the first.
  public var head: Int?
  /// Of these, at most so many of the last.
  public var tail: Int?

  /// Everything.
  public init() {}

  /// The same stretch of time, and all that is in it.
  public var times: Selection {
    var times = Selection()
    times.since = since
    times.until = until
    return times
  }

  /// Whether streams are chosen; then events that belong to no stream are left out.
  public var choosesStreams: Bool { !names.isEmpty || streams != nil }

  /// Whether a stream of this name is chosen.
  public func matches(name: String) -> Bool {
    (names.isEmpty || names.contains { $0.matches(name) })
      && !excluded.contains { $0.matches(name) }
  }

  /// Whether a stream is chosen.
  public func matches(_ stream: StreamDefinition) -> Bool {
    (streams?.contains(stream.id) ?? true) && matches(name: stream.name)
  }
}
