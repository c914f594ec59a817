internal import VarveAnalysis
internal import VarveFormat

/// The neighborhood of an event: `--around 4.1749 --context 50ms`.
struct AroundEvent {
  private enum Context {
    case nanoseconds(UInt64)
    case events(Int)
  }

  private let event: EventArgument
  private let context: Context

  /// - Parameter context: a duration or a number of events; nil means 20 events.
  init(_ event: String, context: String?) throws(SelectionError) {
    self.event = EventArgument(event)
    guard let context else {
      self.context = .events(20)
      return
    }
    if let count = Int(context) {
      guard count >= 0 else { throw SelectionError("\(context) is not a number of events") }
      self.context = .events(min(count, Int.max - 1))
    } else {
      self.context = .nanoseconds(try DurationText.nanoseconds(context))
    }
  }

  /// Narrows a selection to the neighborhood.
  func narrow(_ selection: inout Selection, in reader: TraceReader) throws {
    let event = try event.name(in: reader)
    guard let ticks = EventLookup(reader)[event]?.ticks else { return }
    switch context {
    case .nanoseconds(let span):
      let moment = UInt64(max(reader.nanoseconds(sinceStart: ticks), 0))
      selection.since = .sinceStart(moment - min(span, moment))
      let (end, isBeyond) = moment.addingReportingOverflow(span)
      selection.until = .sinceStart(isBeyond ? .max : end)
    case .events(let count):
      let (first, last) = try neighbours(of: event, count, selection, in: reader)
      selection.since = .event(first)
      selection.until = .event(last)
    }
  }

  /// Returns the events `count` selected events before and after the event.
  private func neighbours(
    of event: EventName, _ count: Int, _ selection: Selection, in reader: TraceReader
  ) throws(SelectionError) -> (EventName, EventName) {
    var before = selection
    before.until = .event(event)
    before.tail = count + 1
    var after = selection
    after.since = .event(event)
    after.head = count + 1
    return (
      try names(before, in: reader).first ?? event,
      try names(after, in: reader).last ?? event
    )
  }

  private func names(_ selection: Selection, in reader: TraceReader) throws(SelectionError)
    -> [EventName]
  {
    var query = try EventQuery(selection, in: reader, columns: [])
    var names: [EventName] = []
    query.run { page in
      page.forEach { names.append($0.columns.name($1)) }
      return true
    }
    return names
  }
}
