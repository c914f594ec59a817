package import VarveFormat
internal import VarveProbe

extension EventLookup {
  /// Which causes a way follows.
  enum Way {
    /// Values and the work that delivered them.
    case values
    /// The same; at work that a value waited for, the value itself.
    case pastWork
    /// Values, the work that delivered them, and failures.
    case outcomes
  }

  /// Returns an event and the events that led to it, each by its nearest cause, effect first: the
  /// way that one value took through the streams.
  ///
  /// The way ends where something other than a value or work was the cause: the start or the end of
  /// an observation, for example; or a failure, unless outcomes are followed.
  func way(to name: EventName, _ way: Way = .values, most: Int = 256) -> [TraceEvent] {
    guard var event = self[name]?.brief else { return [] }
    var found = [event]
    while found.count < most, let cause = cause(of: event, way),
      cause.kind == .value || cause.isHop || way == .outcomes && cause.kind == .failed,
      cause.isBefore(event)
    {
      found.append(cause)
      event = cause
    }
    return found
  }

  /// Returns when the delivery began of which a value was a part: when the first value on its way was sent by
  /// the same thread, without work in between; nil if the event is not there.
  package func beginningOfDelivery(of value: EventName) -> UInt64? {
    way(to: value).prefix { $0.kind == .value && $0.ring == value.ring }.last?.ticks
  }

  private func cause(of event: TraceEvent, _ way: Way) -> TraceEvent? {
    guard let nearest = event.causes.first, let cause = self[nearest]?.brief else { return nil }
    guard way == .pastWork, cause.isHop else { return cause }
    for other in event.causes.dropFirst() {
      if let held = self[other]?.brief, held.kind == .value { return held }
    }
    return cause
  }
}
