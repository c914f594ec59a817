internal import VarveFormat
internal import VarveProbe

/// Whose work each thread was running, event by event.
public struct RunningSchedulers {
  /// From an event of a thread on, that scheduler's work ran; 0 for none's.
  private struct Change {
    var sequence: UInt64
    var scheduler: UInt32
  }

  private var changes: [UInt32: [Change]] = [:]

  /// Runs through the beginnings and ends of work in a trace.
  public init(in source: some EventSource) {
    var hops = Selection()
    hops.kinds = KindSelection([.hopBegan, .hopEnded])
    // The selection names no event, so nothing is wrong with it.
    guard
      var query = try? EventQuery(hops, in: source, columns: [.kinds, .streams, .subscriptions])
    else { return }
    var running: [UInt32: [(hop: UInt64, scheduler: UInt32)]] = [:]
    query.run { page in
      page.forEach { batch, index in
        let ring = batch.columns.ring
        let hop = batch.columns.subscriptions[index]
        let sequence = batch.columns.firstSequence + UInt64(index)
        if batch.columns.kinds[index] == RecordKind.hopBegan.rawValue {
          let scheduler = batch.columns.streams[index]
          running[ring, default: []].append((hop, scheduler))
          changes[ring, default: []].append(Change(sequence: sequence, scheduler: scheduler))
        } else if let place = running[ring]?.lastIndex(where: { $0.hop == hop }) {
          running[ring]?.removeSubrange(place...)
          let outer = running[ring]?.last?.scheduler ?? 0
          changes[ring]?.append(Change(sequence: sequence + 1, scheduler: outer))
        }
      }
      return true
    }
  }

  /// The scheduler whose work a thread was running when it wrote an event; 0 for none's.
  public func scheduler(ring: UInt32, sequence: UInt64) -> UInt32 {
    guard let changes = changes[ring] else { return 0 }
    var lower = 0
    var upper = changes.count
    while lower < upper {
      let middle = (lower + upper) / 2
      if changes[middle].sequence <= sequence { lower = middle + 1 } else { upper = middle }
    }
    return lower > 0 ? changes[lower - 1].scheduler : 0
  }
}
