public import VarveFormat
internal import VarveProbe

/// The work that chosen events made be scheduled: work belongs to no stream itself.
public struct ChosenWork: Sendable {
  /// The hops of that work.
  public private(set) var hops: Set<UInt64> = []
  /// Damaged blocks that were passed over.
  public private(set) var damage: [TraceFileError] = []
  /// What was passed over because it would have taken too much memory.
  public private(set) var passedOver = PassedOver()

  /// The memory for a hop and its table entry, in bytes.
  private static let bytes = 32

  /// Finds the work of chosen events.
  ///
  /// - Throws: a `SelectionError` whenever the selection names an event that is not there.
  public init(of selection: Selection, in source: some EventSource) throws(SelectionError) {
    var causing = selection
    // Work may begin long after what it is about.
    (causing.since, causing.until, causing.ticks) = (nil, nil, nil)
    causing.kinds = .all
    let choice = try EventChoice(causing, in: source)
    var scheduled = Selection()
    scheduled.kinds = KindSelection([.hopScheduled])
    let walk = TraceWalk(source)
    var query = try EventQuery(
      scheduled, in: source, columns: [.kinds, .subscriptions, .causes])
    query.run { page in
      page.forEach { batch, index in
        guard batch.columns.causes(of: index).contains(where: { choice.contains($0) }),
          walk.take(Self.bytes, or: .work)
        else { return }
        hops.insert(batch.columns.subscriptions[index])
      }
      return true
    }
    damage = query.damage + choice.damage
    passedOver = walk.passedOver.merged(choice.passedOver)
  }
}
