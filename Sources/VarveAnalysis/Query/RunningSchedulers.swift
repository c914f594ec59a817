internal import VarveFormat
internal import VarveProbe

/// The scheduler whose work each thread was running, event by event.
public struct RunningSchedulers {
  private var changes: [UInt32: SchedulerChanges] = [:]
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
      note(from: sequence, hop.scheduler, ring: ring)
    } else if running.end(hop.number, ring: ring) {
      let outer = running.stacks[ring]?.last?.scheduler ?? 0
      note(from: sequence + 1, outer, ring: ring)
    }
  }

  private mutating func note(from sequence: UInt64, _ scheduler: UInt32, ring: UInt32) {
    guard walk.take(SchedulerChanges.mostBytes, or: .work) else { return }
    let taken = changes[ring, default: SchedulerChanges()].append(
      sequence: sequence, scheduler: scheduler)
    walk.giveBack(SchedulerChanges.mostBytes - taken)
  }

  /// Returns the scheduler whose work a thread was running when it wrote an event; 0 for none.
  public func scheduler(ring: UInt32, sequence: UInt64) -> UInt32 {
    changes[ring]?.scheduler(at: sequence) ?? 0
  }
}
