internal import VarveFormat
internal import VarveProbe

/// The scheduler whose work each thread was running, event by event.
public struct RunningSchedulers {
  /// The scheduler whose work a thread runs from an event on; 0 for none.
  private struct Change {
    var sequence: UInt64
    var scheduler: UInt32
  }

  private var changes: [UInt32: [Change]] = [:]
  /// What was passed over because it would have taken too much memory.
  public var passedOver: PassedOver { walk.passedOver }
  private let walk: TraceWalk

  /// Reads the beginnings and ends of work in a trace.
  public init(in source: some EventSource) {
    walk = TraceWalk(source)
    var hops = Selection()
    hops.kinds = KindSelection([.hopBegan, .hopEnded])
    // The selection names no event, so it cannot fail.
    guard
      var query = try? EventQuery(hops, in: source, columns: [.kinds, .streams, .subscriptions])
    else { return }
    var running = RunningHops(walk)
    query.run { page in
      page.forEach { batch, index in note(batch.columns, index, &running) }
      return true
    }
  }

  private mutating func note(
    _ columns: borrowing EventColumns, _ index: Int, _ running: inout RunningHops
  ) {
    let ring = columns.ring
    let hop = RunningHops.Hop(
      number: columns.subscriptions[index], scheduler: columns.streams[index])
    let sequence = columns.firstSequence + UInt64(index)
    if columns.kinds[index] == RecordKind.hopBegan.rawValue {
      guard running.begin(hop, ring: ring) else { return }
      note(Change(sequence: sequence, scheduler: hop.scheduler), ring: ring)
    } else if running.end(hop.number, ring: ring) {
      let outer = running.stacks[ring]?.last?.scheduler ?? 0
      note(Change(sequence: sequence + 1, scheduler: outer), ring: ring)
    }
  }

  private mutating func note(_ change: Change, ring: UInt32) {
    guard walk.take(2 * MemoryLayout<Change>.stride, or: .work) else { return }
    changes[ring, default: []].append(change)
  }

  /// Returns the scheduler whose work a thread was running when it wrote an event; 0 for none.
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
