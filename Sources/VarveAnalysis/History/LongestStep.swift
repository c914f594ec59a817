public import VarveFormat
internal import VarveProbe

/// The longest stretch between two consecutive events of a thread while it ran a piece of work. The
/// time went into delivering the event at its end.
public struct LongestStep: Sendable {
  /// The event before the stretch.
  public var before: TraceEvent
  /// The event at its end.
  public var after: TraceEvent
  /// The first event from `after` on that `after` leads to and whose stream has a known place: the
  /// nearest place in the program's source.
  public var placed: TraceEvent?

  /// The maximum number of events examined in one piece of work.
  private static let mostEvents = 4_000

  /// Finds the longest stretch of the work that an event began; nil when the work contains no
  /// further event.
  public init?(ofWorkBegunBy name: EventName, in lookup: EventLookup, _ places: StreamPlaces) {
    guard let began = lookup[name], began.kind == .hopBegan else { return nil }
    var events = [began]
    while events.count < Self.mostEvents,
      let next = lookup.next(after: events[events.count - 1])?.brief
    {
      events.append(next)
      if next.kind == .hopEnded, next.subscription == began.subscription { break }
    }
    // In a damaged file, ticks may go backwards.
    func step(to index: Int) -> UInt64 {
      let (before, after) = (events[index - 1].ticks, events[index].ticks)
      return after - min(before, after)
    }
    let longest = events.indices.dropFirst().max { step(to: $0) < step(to: $1) }
    guard let longest else { return nil }
    before = events[longest - 1]
    after = events[longest]
    let walk = TraceWalk(streams: 0)
    placed = events[longest...].prefix(64).first { [after] event in
      !event.isHop && places.told(event.stream) != nil
        && places.leads(from: after.stream, to: event.stream, walk)
    }
  }
}
