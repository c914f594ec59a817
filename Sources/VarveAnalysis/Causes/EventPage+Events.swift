extension EventPage {
  /// Calls `body` with each due event. Every column must have been requested.
  ///
  /// This is slower than reading the columns, and suits the writers of formats that are slower
  /// still.
  public func forEachEvent(_ body: (TraceEvent) -> Void) {
    forEach { batch, index in body(batch.columns.event(at: index)) }
  }
}
