public import VarveFormat

/// All events that led to one event, as far as the trace knows. They form a graph, because
/// operators such as `zip` make one event from several.
///
/// A cause that is also reached through another cause is left out: a value delivered through a
/// scheduler names both the hop and the value that was put aside for it, and the path leads through
/// the hop.
public struct CausalGraph: Sendable {
  /// The event in question.
  public let effect: EventName
  /// The effect and all events that led to it.
  public private(set) var events: [EventName: TraceEvent] = [:]
  /// The causes of each event, latest first, without those that are also causes of its other
  /// causes.
  public private(set) var causes: [EventName: [EventName]] = [:]
  /// Causes that the trace does not hold because they were lost or are older than the recording, by
  /// an event that names them.
  public private(set) var missing: [EventName: EventName] = [:]
  /// Whether there were more events than the limit allowed.
  public private(set) var isCut = false

  /// Follows the causes of an event.
  ///
  /// - Parameters:
  ///   - effect: the event to explain.
  ///   - events: looks up the events of the trace.
  ///   - most: the maximum number of events examined, latest first.
  ///   - tellsCauses: whether `causes` is needed: leaving out the causes that are reached through
  ///     others takes longer than everything else.
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

  /// The events that led to the effect, excluding the effect itself.
  public var ancestors: some Sequence<TraceEvent> {
    events.values.lazy.filter { [effect] in $0.name != effect }
  }

  /// Collects the latest events first, so that the farthest ones are cut off.
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
        // A cause that does not precede its effect would form a cycle; the file is damaged.
        guard let event = lookup[cause]?.brief, event.isBefore(next) else { continue }
        events[cause] = event
        open.insert(event)
      }
    }
  }
}

extension TraceEvent {
  /// Returns whether it happened before another by the trace's clock, which puts causes before
  /// their effects.
  func isBefore(_ other: TraceEvent) -> Bool {
    (ticks, name) < (other.ticks, other.name)
  }
}

/// The events still to be visited, latest first, as a heap.
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
