internal import VarveFormat
internal import VarveProbe

extension EventLookup {
  /// Returns the error with which a task failed, where its code threw that; nil if the event is no failure of a
  /// task, or the trace does not tell.
  public func thrown(with failure: TraceEvent) -> TraceEvent? {
    guard failure.kind == .taskFailed else { return nil }
    let last = failure.name.sequence
    return (1...Self.mostBetween).lazy.prefix { $0 < last }
      .compactMap { self[EventName(ring: failure.ring, sequence: last - $0)] }
      .first { $0.kind == .errorThrown && $0.subscription == failure.subscription }
  }

  /// How many records may lie between an error and the failure that it leads to.
  private static let mostBetween: UInt64 = 64

  /// Returns the event that first cancelled a task; nil if none did.
  public func cancellation(of task: UInt64) -> TraceEvent? {
    Self.cancellation(of: task, in: source).flatMap { self[$0] }
  }

  private static func cancellation(of task: UInt64, in source: some EventSource) -> EventName? {
    var selection = Selection()
    selection.kinds = KindSelection([.taskCancelled])
    guard source.blocks.contains(where: { $0.kinds.mayContain(RecordKind.taskCancelled.rawValue) }),
      var query = try? EventQuery(selection, in: source, columns: [.kinds, .subscriptions])
    else { return nil }
    var found: EventName?
    query.run { page in
      page.forEach { batch, index in
        if found == nil, batch.columns.subscriptions[index] == task {
          found = batch.columns.name(index)
        }
      }
      return found == nil
    }
    return found
  }
}
