public import VarveProbe

/// A selection of events, the same in every subcommand.
public struct Selection {
  /// Only streams whose names match one of these; all streams when empty.
  public var names: [NamePattern] = []
  /// Except streams whose names match one of these.
  public var excluded: [NamePattern] = []
  /// Of these, only streams with one of these IDs; nil for all.
  public var streams: Set<UInt32>?
  /// Of these, only streams that match and streams that lead to one that matches.
  public var upstreamOf: [NamePattern] = []
  /// Of these, only streams that match and streams that one that matches leads to.
  public var downstreamOf: [NamePattern] = []
  /// Only events with the number of one of these subscriptions, runs or hops.
  public var subscriptions: Set<UInt64> = []
  /// Only events on threads with a matching name, number or ID.
  public var threads: [NamePattern] = []
  /// Only events in work on schedulers with a matching name, and the records about that work.
  public var schedulers: [NamePattern] = []
  /// Only events that satisfy a condition.
  public var condition: Condition?
  /// Only these kinds of events.
  public var kinds = KindSelection.all
  /// Whether work on schedulers is selected, too, if streams are chosen and its kinds are.
  package var keepsHops = false
  /// Only events at or after a moment.
  public var since: TimeExpression?
  /// Only events at or before a moment.
  public var until: TimeExpression?
  /// Of these, only events with one of these ticks; nil for all.
  package var ticks: ClosedRange<UInt64>?
  /// Of these, at most this many of the first; nil for all.
  public var head: Int?
  /// Of these, at most this many of the last; nil for all. With `head`, the first and the last are
  /// selected, each event once.
  public var tail: Int?

  /// Selects everything.
  public init() {}

  /// A selection of everything in the same period.
  public var times: Selection {
    var times = Selection()
    times.since = since
    times.until = until
    times.ticks = ticks
    return times
  }

  /// A selection of everything from the start to the end of the same period.
  public var past: Selection {
    var past = Selection()
    past.until = until
    past.ticks = ticks.map { 0...$0.upperBound }
    return past
  }

  /// Whether streams are chosen. If so, events that belong to no stream are left out.
  public var choosesStreams: Bool { !names.isEmpty || streams != nil }

  /// Returns whether streams with a name are chosen.
  public func matches(name: String) -> Bool {
    (names.isEmpty || names.contains { $0.matches(name) })
      && !excluded.contains { $0.matches(name) }
  }

  /// Whether events are chosen by names and times alone, if at all: then it chooses tasks, too.
  public var isOfNames: Bool {
    kinds.isAll && streams == nil && condition == nil && upstreamOf.isEmpty
      && downstreamOf.isEmpty && subscriptions.isEmpty && threads.isEmpty && schedulers.isEmpty
      && head == nil && tail == nil
  }

  /// Returns whether a stream is chosen.
  public func matches(_ stream: StreamDefinition) -> Bool {
    (streams?.contains(stream.id) ?? true) && matches(name: stream.name)
  }
}
