public import VarveFormat

/// All events that led to one event, as far as the trace knows: a graph, because operators such as
/// `zip` make one event of several.
///
/// A cause that is reached through another cause is left out: the value that came over a scheduler
/// names both the hop and the value that was put aside for it, and the way leads over the hop.
public struct CausalGraph: Sendable {
  /// The event that was asked for.
  public let effect: EventName
  /// It, and all that led to it.
  public private(set) var events: [EventName: TraceEvent] = [:]
  /// The causes of each that are not causes of its other causes, the latest first.
  public private(set) var causes: [EventName: [EventName]] = [:]
  /// The causes that the trace does not hold, lost or older than the recording, by an event that
  /// names them.
  public private(set) var missing: [EventName: EventName] = [:]
  /// Whether there were more events than were asked for.
  public private(set) var isCut = false

  /// Follows the causes of an event.
  ///
  /// - Parameters:
  ///   - effect: the event whose causes are told.
  ///   - events: looks up the events of the trace.
  ///   - most: so many events are looked at at most, the latest ones.
  ///   - tellsCauses: whether `causes` is asked for: to leave out those that are reached through others
  ///     takes longer than all the rest.
  /// - Returns: nil when the trace does not hold the event.
  public init?(
    of effect: EventName, in events: EventLookup, most: Int = 10_000, tellsCauses: Bool = true
  ) {
    guard let event = events[effect] else { return nil }
    self.effect = effect
    collect(from: event, in: events, most: most)
    guard tellsCauses else { return }
    causes = DirectCauses.find(in: self.events)
  }

  /// The events that led to the effect, without it.
  public var ancestors: some Sequence<TraceEvent> {
    events.values.lazy.filter { [effect] in $0.name != effect }
  }

  /// Takes in the latest events first, so that what is cut off is what is farthest away.
  private mutating func collect(from event: TraceEvent, in lookup: EventLookup, most: Int) {
    var open = LatestFirst()
    open.insert(event)
    events[event.name] = event
    while let next = open.removeLatest() {
      for cause in next.causes where events[cause] == nil {
        guard events.count < most else {
          isCut = true
          return
        }
        guard lookup.holds(cause) else {
          missing[next.name] = cause
          continue
        }
        // A cause that does not come before its effect would be a circle: the file lies.
        guard let event = lookup[cause]?.brief, event.isBefore(next) else { continue }
        events[cause] = event
        open.insert(event)
      }
    }
  }
}

extension TraceEvent {
  /// Whether it happened before another, by the trace's clock, which puts a cause before its
  /// effect.
  func isBefore(_ other: TraceEvent) -> Bool {
    (ticks, name) < (other.ticks, other.name)
  }
}

/// Events that are to be looked at, the latest first: a heap.
private struct LatestFirst {
  private var heap: [TraceEvent] = []

  mutating func insert(_ event: TraceEvent) {
    heap.append(event)
    var child = heap.count - 1
    while child > 0 {
      let parent = (child - 1) / 2
      guard heap[parent].isBefore(heap[child]) else { return }
      heap.swapAt(parent, child)
      child = parent
    }
  }

  mutating func removeLatest() -> TraceEvent? {
    guard let latest = heap.first else { return nil }
    let last = heap.removeLast()
    guard !heap.isEmpty else { return latest }
    heap[0] = last
    var parent = 0
    while true {
      var largest = parent
      for child in [parent * 2 + 1, parent * 2 + 2] where child < heap.count {
        if heap[largest].isBefore(heap[child]) { largest = child }
      }
      guard largest != parent else { return latest }
      heap.swapAt(parent, largest)
      parent = largest
    }
  }
}
