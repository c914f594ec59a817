internal import CSQLite
internal import VarveAnalysis
internal import VarveFormat
internal import VarveProbe

/// The columns of the virtual table `events`, in the order in which `TraceSchema` declares them.
enum EventColumn: Int32, CaseIterable {
  case id, event, time, thread, name, kind, value, type, place, operation, stream, scheduler,
    subscription, reason, cause, causeID, bytes, truncated

  /// The columns of the trace that it is made of.
  var columns: ColumnSet {
    switch self {
    case .id, .event, .thread: []
    case .time: .ticks
    case .kind: .kinds
    case .name, .place, .operation, .stream, .scheduler: [.streams, .kinds]
    case .subscription: .subscriptions
    case .value, .type, .bytes, .truncated: .payloads
    case .reason: [.kinds, .payloads]
    case .cause, .causeID: .causes
    }
  }
}

/// Goes through the events that a condition may hold for, in the order of time. Only the blocks that
/// can match are read, and only the columns that are asked for.
final class EventCursor {
  private let trace: QueriedTrace
  private let page = EventPage()
  private var query: EventQuery<TraceReader>?
  private var position = 0
  private var batch: EventBatch?
  /// The columns of the block that the event lies in.
  private(set) var columns = EventColumns()
  /// The index of the event in its block.
  private(set) var index = 0
  private(set) var isAtEnd = true

  init(_ trace: QueriedTrace) { self.trace = trace }

  /// Begins with what may match.
  func start(_ wanted: WantedEvents, _ needed: ColumnSet) throws(SelectionError) {
    close()
    switch wanted {
    case .nothing: isAtEnd = true
    case .one(let event):
      guard trace.contains(event), let (columns, index) = trace.event(event) else {
        return isAtEnd = true
      }
      (self.columns, self.index, isAtEnd) = (columns, index, false)
    case .some(let selection):
      query = try EventQuery(selection, in: trace.reader, columns: needed)
      turn()
    }
  }

  /// Moves to the next event.
  func step() {
    guard query != nil else { return isAtEnd = true }
    position += 1
    if position < page.due.upperBound { show() } else { turn() }
  }

  /// Reports what could not be read, and gives back the memory.
  func close() {
    columns = EventColumns()
    batch = nil
    if let query { trace.report(query.damage, query.passedOver) }
    query = nil
    isAtEnd = true
  }

  private func turn() {
    // The columns are released first, so that the next blocks are decoded in their memory.
    columns = EventColumns()
    batch = nil
    guard query?.advance(page) ?? false else { return close() }
    position = page.due.lowerBound
    isAtEnd = false
    show()
  }

  private func show() {
    let entry = page.entries[position]
    let next = page.batches[Int(entry.batch)]
    if next !== batch {
      batch = next
      columns = next.columns
    }
    index = Int(entry.index)
  }

  // MARK: - Cells

  var event: EventName { columns.name(index) }
  private var isHop: Bool { RecordKind(rawValue: columns.kinds[index])?.isHop ?? false }

  /// Gives a cell to SQLite.
  func give(_ column: EventColumn, to context: OpaquePointer?) {
    switch column {
    case .id: give(trace.tables.numbers.number(event), to: context)
    case .event: give(event.description, to: context)
    case .time:
      sqlite3_result_int64(
        context, trace.reader.time.nanoseconds(sinceStart: columns.ticks[index]))
    case .thread: trace.names.give(thread: columns.ring, to: context)
    case .kind: trace.names.give(kind: columns.kinds[index], to: context)
    case .name, .place, .operation, .stream: giveStream(column, to: context)
    case .scheduler:
      if isHop { trace.names.give(scheduler: columns.streams[index], to: context) }
    case .subscription:
      let number = columns.subscriptions[index]
      if number != 0 { sqlite3_result_int64(context, Int64(bitPattern: number)) }
    case .reason:
      let (kind, payload) = (columns.kinds[index], columns.payloadKinds[index])
      give(
        ReasonNames.name(kind: kind, payload: payload, word: columns.words[index]), to: context)
    case .cause: give(columns.causes(of: index).first?.description, to: context)
    case .causeID:
      let cause = columns.causes(of: index).lazy.compactMap { self.trace.tables.numbers.number($0) }
      give(cause.first, to: context)
    case .value, .type, .bytes, .truncated: givePayload(column, to: context)
    }
  }

  private func giveStream(_ column: EventColumn, to context: OpaquePointer?) {
    let stream = columns.streams[index]
    guard stream != 0, !isHop else { return }
    switch column {
    case .stream: sqlite3_result_int64(context, Int64(stream))
    case .name: trace.names.give(.name, of: stream, to: context)
    case .operation: trace.names.give(.operation, of: stream, to: context)
    default: trace.names.give(.place, of: stream, to: context)
    }
  }

  private func givePayload(_ column: EventColumn, to context: OpaquePointer?) {
    let (raw, word) = (columns.payloadKinds[index], columns.words[index])
    let end = min(Int(columns.textStarts[index + 1]), columns.heap.count)
    let start = min(Int(columns.textStarts[index]), end)
    switch column {
    case .value:
      columns.heap.withUnsafeBufferPointer {
        EventValue.give(raw, word, UnsafeBufferPointer(rebasing: $0[start..<end]), to: context)
      }
    case .type: give(EventValue.typeName(raw), to: context)
    case .bytes: give(EventValue.bytes(raw, word, end - start)?.whole, to: context)
    default: give(EventValue.bytes(raw, word, end - start).map { $0.isCut ? 1 : 0 }, to: context)
    }
  }

  private func give(_ number: Int64?, to context: OpaquePointer?) {
    if let number { sqlite3_result_int64(context, number) }
  }

  private func give(_ text: String?, to context: OpaquePointer?) {
    if let text { varve_result_copied_text(context, text, Int32(text.utf8.count)) }
  }
}
