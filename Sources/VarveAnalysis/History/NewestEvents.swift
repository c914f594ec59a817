internal import VarveFormat

/// The last events of each thread among those that a selection wants, found from the end of the
/// trace, so that few blocks are read.
struct NewestEvents {
  /// The events, by ring, oldest first.
  private(set) var ofRings: [UInt32: [EventMoment]] = [:]
  /// Damaged blocks that were passed over.
  private(set) var damage: [TraceFileError] = []

  /// When the last of all happened; 0 if there is none.
  var lastTick: UInt64 { ofRings.values.lazy.compactMap(\.last?.ticks).max() ?? 0 }

  /// Reads up to `most` events of each thread among those selected by time and kind.
  init<Source: EventSource>(_ selection: Selection, in source: Source, most: Int)
    throws(SelectionError)
  {
    let filter = try EventFilter(selection, in: source)
    let loader = BlockLoader(source: source, filter: filter, test: nil, payloadKinds: nil)
    let blocks = source.blocks
    let newest = blocks.indices.filter { filter.mayMatch(blocks[$0]) }.sorted {
      (blocks[$0].firstSequence, $0) > (blocks[$1].firstSequence, $1)
    }
    let batch = EventBatch()
    for block in newest {
      let known = ofRings[blocks[block].ring] ?? []
      guard known.count < most else { continue }
      do throws(TraceFileError) {
        guard try loader.load(block, into: batch, columns: .ticks) else { continue }
      } catch {
        damage.append(error)
        continue
      }
      let found = batch.selected.suffix(most - known.count).map { index in
        EventMoment(
          name: blocks[block].name(Int(index)), ticks: batch.columns.ticks[Int(index)])
      }
      ofRings[blocks[block].ring] = found + known
    }
  }
}

extension Selection {
  /// Returns the selection with other kinds of events.
  func with(_ kinds: KindSelection) -> Selection {
    var selection = self
    selection.kinds = kinds
    return selection
  }
}
