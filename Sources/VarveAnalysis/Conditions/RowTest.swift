internal import VarveFormat
internal import VarveProbe

/// The part of a selection that tests single events, beyond their streams, kinds and times.
final class RowTest {
  /// The columns that the test reads.
  let columns: ColumnSet
  private let subscriptions: Set<UInt64>
  private let conditions: [ConditionTest]
  private let stretches: SchedulerStretches?
  private let rings: Set<UInt32>?

  /// What was passed over because it would have taken too much memory.
  var passedOver: PassedOver {
    conditions.reduce(stretches?.passedOver ?? PassedOver()) { $0.merged($1.passedOver) }
  }

  /// The part of the condition that reads values, if others do not: it is for events that match.
  var late: ConditionTest? { conditions.count > 1 ? conditions.last : nil }

  /// - Returns: nil when the selection has no such part.
  init?(_ selection: Selection, in source: some EventSource) throws(SelectionError) {
    guard Self.isNeeded(selection) else { return nil }
    subscriptions = selection.subscriptions
    if let condition = selection.condition {
      conditions = try ConditionTest.parts(of: condition, in: source)
    } else {
      conditions = []
    }
    rings = selection.threads.isEmpty ? nil : Self.rings(selection.threads, in: source)
    if selection.schedulers.isEmpty {
      stretches = nil
    } else {
      let patterns = selection.schedulers
      stretches = try SchedulerStretches(
        { name in patterns.contains { $0.matches(name) } }, in: source)
    }
    var columns = conditions.first?.columns ?? []
    if !subscriptions.isEmpty { columns.insert(.subscriptions) }
    if stretches != nil { columns.formUnion([.kinds, .streams]) }
    self.columns = columns
  }

  /// Returns whether a selection has such a part.
  static func isNeeded(_ selection: Selection) -> Bool {
    !selection.subscriptions.isEmpty || selection.condition != nil
      || !selection.schedulers.isEmpty || !selection.threads.isEmpty
  }

  static func rings(_ patterns: [NamePattern], in source: some EventSource) -> Set<UInt32> {
    let names = ThreadNames(source.definitions.threads, pid: source.pid)
    let matching = source.definitions.threads.filter { ring, thread in
      let called = names.all(of: thread)
      return patterns.contains { pattern in called.contains { pattern.matches($0) } }
    }
    return Set(matching.keys)
  }

  /// Returns whether any event of a block may pass.
  func mayMatch(_ block: BlockSummary) -> Bool {
    rings?.contains(block.ring) ?? true && conditions.allSatisfy { $0.mayMatch(block) }
  }

  /// Removes the events of a block that do not pass. It may be called on several threads.
  func sift(_ rows: inout [UInt32], _ columns: ColumnPointers) {
    if !subscriptions.isEmpty {
      rows.removeAll { !subscriptions.contains(columns.subscriptions[Int($0)]) }
    }
    if let stretches { rows.removeAll { !stretches.contain(columns, Int($0)) } }
    conditions.first?.sift(&rows, columns)
  }
}

/// The events of some schedulers: the records about their work, and whatever a thread did while it
/// ran that work.
struct SchedulerStretches {
  private let schedulers: Set<UInt32>
  /// The sequence numbers of each run, from beginning to end, by ring.
  private var runs: [UInt32: [ClosedRange<UInt64>]] = [:]
  private let walk: TraceWalk

  /// Runs that could not be remembered. The events in them are missing.
  var passedOver: PassedOver { walk.passedOver }

  /// The memory for a run and, until it ends, its hop, including their table entries, in bytes.
  private static let runBytes = 96

  init(
    _ isChosen: (String) -> Bool, in source: some EventSource
  ) throws(SelectionError) {
    let matching = source.definitions.schedulers.values.filter { isChosen($0.name) }
    schedulers = Set(matching.map(\.id))
    var hops = Selection()
    hops.kinds = KindSelection([.hopBegan, .hopEnded])
    var query = try EventQuery(hops, in: source, columns: [.kinds, .streams, .subscriptions])
    // The places of the runs of hops that have not ended.
    var begun: [UInt64: (ring: UInt32, place: Int)] = [:]
    var runs: [UInt32: [ClosedRange<UInt64>]] = [:]
    let walk = TraceWalk(source)
    self.walk = walk
    let schedulers = schedulers
    query.run { page in
      page.forEach { batch, index in
        guard schedulers.contains(batch.columns.streams[index]) else { return }
        let sequence = batch.columns.firstSequence + UInt64(index)
        let hop = batch.columns.subscriptions[index]
        let ring = batch.columns.ring
        if batch.columns.kinds[index] == RecordKind.hopBegan.rawValue {
          guard walk.take(Self.runBytes, or: .work) else { return }
          begun[hop] = (ring, runs[ring]?.count ?? 0)
          runs[ring, default: []].append(sequence...UInt64.max)
        } else if let (began, place) = begun.removeValue(forKey: hop), began == ring,
          let start = runs[ring]?[place].lowerBound, start <= sequence
        {
          runs[ring]?[place] = start...sequence
        }
      }
      return true
    }
    self.runs = runs
  }

  func contain(_ columns: ColumnPointers, _ index: Int) -> Bool {
    let isHop = RecordKind(rawValue: columns.kinds[index])?.isHop ?? false
    if isHop { return schedulers.contains(columns.streams[index]) }
    guard let runs = runs[columns.ring] else { return false }
    let sequence = columns.firstSequence + UInt64(index)
    var lower = 0
    var upper = runs.count
    while lower < upper {
      let middle = (lower + upper) / 2
      if runs[middle].lowerBound <= sequence { lower = middle + 1 } else { upper = middle }
    }
    // A run may lie inside an earlier one that is still going on; few are nested that deep.
    return runs[..<lower].suffix(16).contains { $0.contains(sequence) }
  }
}
