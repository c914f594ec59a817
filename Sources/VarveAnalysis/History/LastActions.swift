internal import VarveFormat

/// When a program, and each of its threads, did something last: delivered a value, observed a stream
/// or began work. Found from the end of the trace, so that few blocks are read.
struct LastActions {
  /// When the program did.
  private(set) var last: UInt64 = 0
  /// When each thread did, by ring.
  private(set) var ofRings: [UInt32: UInt64] = [:]

  /// Reads the last actions among events selected by time. Damaged blocks are passed over; whoever
  /// reads the events reports them.
  init<Source: EventSource>(_ selection: Selection, in source: Source) throws(SelectionError) {
    var selection = selection
    selection.kinds = KindSelection([.value, .subscribed, .hopBegan])
    let filter = try EventFilter(selection, in: source)
    let loader = BlockLoader(source: source, filter: filter, test: nil, payloadKinds: nil)
    let blocks = source.blocks
    let newest = blocks.indices.filter { filter.mayMatch(blocks[$0]) }.sorted {
      (blocks[$0].firstSequence, $0) > (blocks[$1].firstSequence, $1)
    }
    let batch = EventBatch()
    for block in newest where ofRings[blocks[block].ring] == nil {
      guard (try? loader.load(block, into: batch, columns: .ticks)) ?? false,
        let index = batch.selected.last
      else { continue }
      let tick = batch.columns.ticks[Int(index)]
      ofRings[blocks[block].ring] = tick
      last = max(last, tick)
    }
  }
}
