extension EventPage {
  /// Calls `body` with each event that is due, on its own; every column must have been asked for.
  ///
  /// Slower than looking at the columns: for those who write formats that are slower still.
  public func forEachEvent(_ body: (TraceEvent) -> Void) {
    forEach { batch, index in body(batch.columns.event(at: index)) }
  }
}
