internal import VarveFormat
internal import VarveProbe

/// A piece of work that never began, and the streams that it belongs to.
struct QueuedWork: Sendable {
  /// The work.
  var hop: HopHistory.Queued
  /// The streams whose deliveries scheduled it.
  var causes: Set<UInt32>
  /// The stream whose input it would start; nil when it is other work.
  var started: UInt32?

  /// Returns all work of a trace that never began.
  static func all(
    _ history: TraceHistory, _ definitions: TraceDefinitions, _ lookup: EventLookup
  ) -> [QueuedWork] {
    let elsewhere = Set(
      definitions.streams.values.lazy.filter { $0.traits?.contains(.startsElsewhere) == true }
        .map(\.id))
    return history.hops.queued.map { hop in
      guard let scheduled = lookup[hop.scheduled.name] else {
        return QueuedWork(hop: hop, causes: [], started: nil)
      }
      let causes = scheduled.causes.compactMap { lookup[$0] }.filter { !$0.isHop }
      return QueuedWork(
        hop: hop, causes: Set(causes.map(\.stream)),
        started: elsewhere.isEmpty ? nil : started(by: scheduled, among: elsewhere, lookup))
    }
  }

  /// The maximum number of events between the start of a stream and the scheduling of the work that
  /// starts its input.
  private static let mostBetween = 64

  /// Returns the stream that scheduled the work: the last one started before it, on the same thread
  /// and for the same cause. Nil if other work was scheduled in between.
  static func started(
    by scheduled: TraceEvent, among elsewhere: Set<UInt32>, _ lookup: EventLookup
  ) -> UInt32? {
    var event = scheduled
    for _ in 0..<mostBetween {
      guard let before = lookup.previous(before: event) else { return nil }
      event = before
      guard event.causes == scheduled.causes else { continue }
      switch event.kind {
      case .hopScheduled: return nil
      case .subscribed where elsewhere.contains(event.stream): return event.stream
      default: continue
      }
    }
    return nil
  }
}
