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

  /// Finds the work that chosen events made be scheduled, and of that the work that ran on chosen
  /// threads.
  ///
  /// - Throws: a `SelectionError` whenever the selection names an event that is not there.
  public init(of selection: Selection, in source: some EventSource) throws(SelectionError) {
    let walk = TraceWalk(source)
    var found: Set<UInt64>?
    if selection.choosesStreams || !selection.excluded.isEmpty || selection.condition != nil {
      var causing = selection
      // Work may begin long after what it is about, and elsewhere.
      (causing.since, causing.until, causing.ticks, causing.threads) = (nil, nil, nil, [])
      causing.kinds = .all
      let choice = try EventChoice(causing, in: source)
      found = try hops(.hopScheduled, [], in: source, walk) { columns, index in
        columns.causes(of: index).contains { choice.contains($0) }
      }
      damage += choice.damage
      passedOver = choice.passedOver
    }
    if !selection.threads.isEmpty {
      let begun = try hops(.hopBegan, selection.threads, in: source, walk) { _, _ in true }
      found = found?.intersection(begun) ?? begun
    }
    hops = found ?? []
    passedOver = walk.passedOver.merged(passedOver)
  }

  /// Returns the hops of which there is a record of a kind that is chosen.
  private mutating func hops<Source: EventSource>(
    _ kind: RecordKind, _ threads: [NamePattern], in source: Source, _ walk: TraceWalk,
    where isChosen: (borrowing EventColumns, Int) -> Bool
  ) throws(SelectionError) -> Set<UInt64> {
    var selection = Selection()
    selection.kinds = KindSelection([kind])
    selection.threads = threads
    var hops: Set<UInt64> = []
    var query = try EventQuery(selection, in: source, columns: [.kinds, .subscriptions, .causes])
    query.run { page in
      page.forEach { batch, index in
        guard isChosen(batch.columns, index), walk.take(Self.bytes, or: .work) else { return }
        hops.insert(batch.columns.subscriptions[index])
      }
      return true
    }
    damage += query.damage
    return hops
  }
}
