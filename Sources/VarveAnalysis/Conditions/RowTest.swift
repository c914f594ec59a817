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
    if stretches != nil { columns.formUnion([.kinds, .streams, .subscriptions]) }
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
    stretches?.sift(&rows, columns)
    conditions.first?.sift(&rows, columns)
  }
}

/// The events of some schedulers: the records about their work, and whatever a thread did while it
/// ran that work.
struct SchedulerStretches {
  private let schedulers: Set<UInt32>
  private let work: WorkAtBlocks

  /// What a thread was doing where that could not be remembered. The events in it are missing.
  var passedOver: PassedOver { work.passedOver }

  init(
    _ isChosen: (String) -> Bool, in source: some EventSource
  ) throws(SelectionError) {
    let matching = source.definitions.schedulers.values.filter { isChosen($0.name) }
    schedulers = Set(matching.map(\.id))
    work = try WorkAtBlocks(in: source)
  }

  /// Removes the events of a block that are not among them. The rows are in order, and the columns those
  /// of the whole block.
  func sift(_ rows: inout [UInt32], _ columns: ColumnPointers) {
    guard let last = rows.last else { return }
    var work = work.work(of: columns.ring, at: columns.firstSequence)
    var isChosen = isChosen(work)
    var (next, kept) = (0, 0)
    for index in 0...Int(last) {
      let kind = columns.kinds[index]
      let ends = kind == RecordKind.hopEnded.rawValue
      if kind == RecordKind.hopBegan.rawValue {
        work.follow(columns, index)
        isChosen = isChosen || schedulers.contains(columns.streams[index])
      }
      if Int(rows[next]) == index {
        let isHop = RecordKind(rawValue: kind)?.isHop ?? false
        if isHop ? schedulers.contains(columns.streams[index]) : isChosen {
          rows[kept] = rows[next]
          kept += 1
        }
        next += 1
      }
      if ends, work.follow(columns, index), isChosen { isChosen = self.isChosen(work) }
    }
    rows.removeLast(rows.count - kept)
  }

  private func isChosen(_ work: ThreadWork) -> Bool {
    work.hops.contains { schedulers.contains($0.scheduler) }
  }
}
