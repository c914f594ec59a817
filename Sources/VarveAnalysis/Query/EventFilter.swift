public import VarveFormat
public import VarveProbe

/// A selection prepared for one trace: which blocks can match, and which events in them do.
public struct EventFilter: Sendable {
  /// The chosen streams; nil when none were chosen by name.
  public let chosen: [StreamDefinition]?
  /// The chosen ticks; nil when no event can match.
  public let ticks: ClosedRange<UInt64>?
  /// The chosen kinds.
  public let kinds: KindSelection
  /// The losses of the chosen time and threads, in which chosen events may be missing.
  package let losses: [TraceLoss]
  /// Whether only the first events are chosen.
  package let isHead: Bool
  /// Whether only the last events are chosen.
  package let isTail: Bool

  private let members: IdentifierSet
  private let bitmap: StreamSet
  private let choosesStreams: Bool
  /// Whether hops match, whatever streams are chosen.
  private let keepsHops: Bool
  /// Whether the streams of events are needed to decide which match.
  let checksStreams: Bool
  private let wantsKind: [Bool]
  private let isHop: [Bool]

  /// Prepares a selection for a trace.
  ///
  /// - Throws: a `SelectionError` whenever it names an event that is not there.
  public init(_ selection: Selection, in source: some EventSource) throws(SelectionError) {
    let span = TraceSpan(of: source)
    let period = try span.ticks(since: selection.since, until: selection.until, in: source)
    ticks = Self.common(period, selection.ticks)
    kinds = selection.kinds
    losses = Self.losses(selection, ticks, in: source)
    // Where both are wanted, they begin and end where the rest does.
    isHead = selection.head != nil && selection.tail == nil
    isTail = selection.tail != nil && selection.head == nil
    choosesStreams = selection.choosesStreams
    keepsHops = selection.keepsHops
    checksStreams = choosesStreams || !selection.excluded.isEmpty
    let streams = source.definitions.streams.values
    let found = checksStreams ? streams.filter { selection.matches($0) } : []
    chosen = choosesStreams ? found.sorted { $0.id < $1.id } : nil
    bitmap = found.reduce(into: StreamSet()) { $0.insert($1.id) }
    let isMember = Set(found.map(\.id))
    members = IdentifierSet(
      choosesStreams ? Array(isMember) : streams.map(\.id).filter { !isMember.contains($0) })
    wantsKind = (0...255).map { selection.kinds.contains(UInt8($0)) }
    isHop = (0...255).map { RecordKind(rawValue: UInt8($0))?.isHop ?? false }
  }

  private static func common(
    _ period: ClosedRange<UInt64>?, _ chosen: ClosedRange<UInt64>?
  ) -> ClosedRange<UInt64>? {
    guard let period, let chosen else { return period }
    return period.overlaps(chosen) ? period.clamped(to: chosen) : nil
  }

  private static func losses(
    _ selection: Selection, _ ticks: ClosedRange<UInt64>?, in source: some EventSource
  ) -> [TraceLoss] {
    guard !source.losses.isEmpty else { return [] }
    let rings = selection.threads.isEmpty ? nil : RowTest.rings(selection.threads, in: source)
    let (from, to) = (selection.since == nil, selection.until == nil)
    return source.losses.filter { loss in
      let isSince = from || ticks.map { $0.lowerBound <= loss.ticks.upperBound } ?? false
      let isUntil = to || ticks.map { $0.upperBound >= loss.ticks.lowerBound } ?? false
      return isSince && isUntil && rings?.contains(loss.ring) ?? true
    }
  }

  /// Returns whether any event of a block may match, judging by the block's summary alone.
  public func mayMatch(_ block: BlockSummary) -> Bool {
    guard let ticks, ticks.overlaps(block.ticks), kinds.mayIntersect(block.kinds) else {
      return false
    }
    return !choosesStreams || bitmap.mayIntersect(block.streams) || mayHaveHops(block)
  }

  /// Returns whether a block may have hops that match, judging by its summary.
  func mayHaveHops(_ block: BlockSummary) -> Bool {
    keepsHops && Self.hops.mayIntersect(block.kinds)
  }

  private static let hops = KindSelection([.hopScheduled, .hopBegan, .hopEnded, .hopCancelled])

  /// Whether every event matches regardless of its columns.
  var passesAll: Bool { !checksStreams && kinds.isAll }

  /// Whether kinds do not matter.
  var takesAllKinds: Bool { kinds.isAll }

  var needsReasons: Bool { kinds.needsReasons }

  func needsTicks(_ block: BlockSummary) -> Bool {
    guard let ticks else { return false }
    return !(ticks.contains(block.ticks.lowerBound) && ticks.contains(block.ticks.upperBound))
  }

  /// Returns whether the streams of a decoded block can match. Only the stream column is read.
  func mayMatch(streams: [UInt32]) -> Bool {
    guard choosesStreams else { return true }
    return members.dense.withUnsafeBufferPointer { dense in
      streams.withUnsafeBufferPointer { streams in
        streams.contains { members.contains($0, dense: dense) }
      }
    }
  }

  /// Stores the indices of the matching events in `selected`.
  func select(
    from columns: borrowing EventColumns, checksTicks: Bool, into selected: inout [UInt32]
  ) {
    selected.removeAll(keepingCapacity: true)
    selected.reserveCapacity(columns.count)
    if passesAll {
      for index in 0..<columns.count { selected.append(UInt32(truncatingIfNeeded: index)) }
    } else {
      selectByColumns(columns, into: &selected)
    }
    if needsReasons { selected.removeAll { isUnwanted(Int($0), columns) } }
    if checksTicks, let ticks { selected.removeAll { !ticks.contains(columns.ticks[Int($0)]) } }
  }

  private func isUnwanted(_ index: Int, _ columns: borrowing EventColumns) -> Bool {
    !kinds.contains(columns.kinds[index], reason: columns.words[index])
  }

  private func selectByColumns(_ columns: borrowing EventColumns, into selected: inout [UInt32]) {
    let ifMember = choosesStreams
    members.dense.withUnsafeBufferPointer { dense in
      wantsKind.withUnsafeBufferPointer { wanted in
        isHop.withUnsafeBufferPointer { hops in
          columns.kinds.withUnsafeBufferPointer { kinds in
            columns.streams.withUnsafeBufferPointer { streams in
              for index in 0..<kinds.count where wanted[Int(kinds[index])] {
                if checksStreams {
                  let isHop = hops[Int(kinds[index])]
                  if isHop, keepsHops {
                    selected.append(UInt32(truncatingIfNeeded: index))
                    continue
                  }
                  let isMember = !isHop && members.contains(streams[index], dense: dense)
                  guard isMember == ifMember else { continue }
                }
                selected.append(UInt32(truncatingIfNeeded: index))
              }
            }
          }
        }
      }
    }
  }
}
