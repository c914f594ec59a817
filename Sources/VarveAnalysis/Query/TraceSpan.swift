internal import VarveFormat

/// The time that a trace covers, and the conversion of time expressions to its ticks.
public struct TraceSpan: Sendable {
  /// The first and last tick of all events; nil when there are none.
  public let ticks: ClosedRange<UInt64>?
  /// The time from the recording's start to the last event, in nanoseconds.
  public let duration: UInt64

  /// Measures a trace by its blocks' summaries.
  public init(of source: some EventSource) {
    let first = source.blocks.lazy.map(\.ticks.lowerBound).min()
    let last = source.blocks.lazy.map(\.ticks.upperBound).max()
    ticks = if let first, let last { first...last } else { nil }
    duration = last.map { UInt64(max(source.time.nanoseconds(sinceStart: $0), 0)) } ?? 0
  }

  /// Returns the last tick of the time that a selection chooses; 0 if there are no events.
  ///
  /// - Throws: A `SelectionError` if it names an event that is not there.
  public func end(
    of selection: Selection, in source: some EventSource
  ) throws(SelectionError) -> UInt64 {
    let until = try ticks(since: nil, until: selection.until, in: source)
    let end = until?.upperBound ?? ticks?.lowerBound ?? 0
    return min(end, selection.ticks?.upperBound ?? end)
  }

  /// Returns the ticks between two moments, both inclusive; nil when no event can lie between them.
  func ticks(
    since: TimeExpression?, until: TimeExpression?, in source: some EventSource
  ) throws(SelectionError) -> ClosedRange<UInt64>? {
    guard let ticks else { return nil }
    var lower = ticks.lowerBound
    var upper = ticks.upperBound
    if let since {
      guard let tick = try tick(of: since, in: source, atLeast: true) else { return nil }
      lower = max(lower, tick)
    }
    if let until {
      guard let tick = try tick(of: until, in: source, atLeast: false) else { return nil }
      upper = min(upper, tick)
    }
    return lower <= upper ? lower...upper : nil
  }

  /// Returns the first tick not before the moment, or the last tick not after it.
  private func tick(
    of expression: TimeExpression, in source: some EventSource, atLeast: Bool
  ) throws(SelectionError) -> UInt64? {
    if case .event(let event) = expression { return try tick(of: event, in: source) }
    let time = try nanoseconds(at: expression, in: source)
    if atLeast { return source.time.ticks(sinceStart: time) }
    let after = source.time.ticks(sinceStart: time == .max ? time : time + 1)
    return after == 0 ? nil : after - 1
  }

  /// Returns the time of a moment since the start.
  func nanoseconds(
    at expression: TimeExpression, in source: some EventSource
  ) throws(SelectionError) -> Int64 {
    switch expression {
    case .sinceStart(let nanoseconds): Int64(clamping: nanoseconds)
    case .beforeEnd(let nanoseconds): Int64(clamping: duration) - Int64(clamping: nanoseconds)
    case .part(let part): Int64(min(Double(duration) * part, Double(TraceTime.farthest)))
    case .wall(let wall): TraceTime.sinceStart(wall, started: source.started)
    case .event(let event): source.time.nanoseconds(sinceStart: try tick(of: event, in: source))
    }
  }

  private func tick(
    of event: EventName, in source: some EventSource
  ) throws(SelectionError) -> UInt64 {
    guard let block = source.block(of: event), let index = source.blocks[block].index(of: event)
    else { throw UnknownEvent.error(event, in: source) }
    var columns = EventColumns()
    do {
      try source.decode(block, into: &columns, columns: .ticks)
    } catch {
      throw SelectionError("event #\(event) lies in a damaged part of the trace: \(error)")
    }
    return columns.ticks[index]
  }
}
