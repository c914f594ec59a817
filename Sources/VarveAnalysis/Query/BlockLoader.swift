internal import VarveFormat

/// Decodes blocks for a query, and selects the events in them that it wants.
struct BlockLoader<Source: EventSource> {
  let source: Source
  let filter: EventFilter
  let test: RowTest?
  /// The kinds of events whose payloads are read; nil for all.
  let payloadKinds: KindSelection?
  /// Selects fewer events of a block, and lets them stand for others. It gets whether all events were
  /// selected, in which case `selected` is not filled.
  var thin: ((EventBatch, _ isWhole: Bool) -> Void)?
  /// The tick before which no event is wanted.
  var firstTick: UInt64 = 0

  /// Decodes a block; returns false when no event in it matches.
  ///
  /// - Parameters:
  ///   - block: its index.
  ///   - start: the index of the first event of interest.
  ///   - batch: where to put the columns and what is selected.
  ///   - wanted: the columns to decode if there is a match.
  /// - Throws: a `TraceFileError` whenever the block is damaged.
  func load(
    _ block: Int, from start: Int = 0, into batch: EventBatch, columns wanted: ColumnSet
  ) throws(TraceFileError) -> Bool {
    batch.block = block
    var wanted = wanted
    if let payloadKinds, !payloadKinds.mayIntersect(source.blocks[block].kinds) {
      wanted.subtract([.payloads, .words])
    }
    if let thin, filter.takesAllKinds, !filter.needsTicks(source.blocks[block]) {
      try source.decode(block, into: &batch.columns, columns: wanted)
      thin(batch, true)
      return !batch.selected.isEmpty
    }
    var first: ColumnSet = filter.passesAll ? [] : .kinds
    if filter.checksStreams { first.insert(.streams) }
    if filter.chosen != nil {
      try source.decode(block, into: &batch.columns, columns: .streams)
      guard
        filter.mayMatch(streams: batch.columns.streams)
          || filter.mayHaveHops(source.blocks[block])
      else { return false }
      first = .kinds
    }
    let checksTicks = filter.needsTicks(source.blocks[block]) || firstTick > 0
    if checksTicks { first.insert(.ticks) }
    if filter.needsReasons { first.insert(.payloads) }
    try source.decode(block, into: &batch.columns, columns: first)
    filter.select(from: batch.columns, checksTicks: checksTicks, into: &batch.selected)
    if firstTick > 0 { batch.selected.removeAll { batch.columns.ticks[Int($0)] < firstTick } }
    if start > 0 { batch.selected.removeAll { Int($0) < start } }
    guard !batch.selected.isEmpty else { return false }
    var known: ColumnSet = filter.chosen != nil ? first.union(.streams) : first
    if let test {
      try source.decode(block, into: &batch.columns, columns: test.columns.subtracting(known))
      known.formUnion(test.columns)
      batch.sift { test.sift(&$0, $1) }
      guard !batch.selected.isEmpty else { return false }
      if let late = test.late {
        try source.decode(block, into: &batch.columns, columns: late.columns.subtracting(known))
        known.formUnion(late.columns)
        batch.sift { late.sift(&$0, $1) }
        guard !batch.selected.isEmpty else { return false }
      }
    }
    try source.decode(block, into: &batch.columns, columns: wanted.subtracting(known))
    guard let thin else { return true }
    thin(batch, false)
    return !batch.selected.isEmpty
  }
}
