public import VarveFormat
public import VarveProbe

/// Follows hops in a trace back to what scheduled them.
///
/// A hop's record names the earlier hop that it was scheduled in. Blocks are read from the last to
/// the first, again only when records of different threads overlap; hops that were not asked for
/// are not kept.
public struct HopChains<Source: EventSource> {
  fileprivate struct Scheduling {
    var scheduler: UInt32
    var cause: HopPayload?
    var event: EventName?
    var ring: UInt32
    var ticks: UInt64
  }

  private let source: Source
  private var known: [UInt64: Scheduling] = [:]
  /// Blocks that could not be read.
  public var damage: [TraceFileError] { walk.damage }
  /// What was asked for but passed over because it would have taken too much memory.
  public var passedOver: PassedOver { walk.passedOver }
  private let walk: TraceWalk

  /// The memory for one answer and its presentation, in bytes.
  private static var answerBytes: Int { 512 }
  /// The memory for one hop along the way, in bytes.
  private static var stepBytes: Int { 128 }

  /// The maximum number of segments in a backtrace.
  private static var mostSegments: Int { 32 }
  /// The maximum number of hops to follow for each one asked for.
  private static var mostFollowed: Int { 10_000 }

  /// Prepares to follow hops.
  public init(_ source: Source) { self.init(source, TraceWalk(source)) }

  init(_ source: Source, _ walk: TraceWalk) {
    self.source = source
    self.walk = walk
  }

  /// Returns the backtrace of a hop: how its work came to run; nil when the trace has no record of
  /// it. It starts with `first`, the stack at the moment itself, if there is one.
  public mutating func backtrace(of hop: UInt64, first: [StackFrame] = []) -> TracedBacktrace? {
    backtraces(of: [hop], first: [hop: first])[hop]
  }

  /// Returns the backtraces of many hops at once. If memory runs short, only the oldest hops are
  /// answered.
  public mutating func backtraces(
    of hops: some Sequence<UInt64>, first: [UInt64: [StackFrame]] = [:]
  ) -> [UInt64: TracedBacktrace] {
    var hops = Set(hops).subtracting([0]).sorted()
    let known = hops.firstIndex { _ in !walk.take(Self.answerBytes) } ?? hops.count
    walk.passOver(.work, count: hops.count - known)
    hops.removeSubrange(known...)
    find(Set(hops))
    var backtraces: [UInt64: TracedBacktrace] = [:]
    for hop in hops { backtraces[hop] = chain(from: hop, first: first[hop] ?? []) }
    return backtraces
  }

  private mutating func chain(from hop: UInt64, first: [StackFrame]) -> TracedBacktrace? {
    guard known[hop] != nil || !first.isEmpty else { return nil }
    var backtrace = TracedBacktrace(segments: [], isCut: false)
    if !first.isEmpty {
      backtrace.segments.append(.init(frames: first, hop: 0, repeats: 0))
    }
    var next = hop
    // In a damaged file, hops can form a cycle.
    var followed = 0
    while next != 0 {
      followed += 1
      guard followed <= Self.mostFollowed, walk.step() else {
        backtrace.isCut = true
        break
      }
      guard let scheduling = known[next] else {
        backtrace.isCut = next != hop
        break
      }
      if !backtrace.collapse(scheduling.scheduler, stack(of: scheduling)) {
        let isFirst = backtrace.segments.isEmpty
        if backtrace.segments.count >= Self.mostSegments || !isFirst && !walk.take(Self.stepBytes) {
          backtrace.isCut = true
          break
        }
        backtrace.segments.append(
          .init(
            frames: stack(of: scheduling), scheduler: scheduling.scheduler, hop: next,
            event: scheduling.event, ring: scheduling.ring, ticks: scheduling.ticks, repeats: 0))
      }
      next = scheduling.cause?.parent ?? 0
    }
    return backtrace
  }

  private func stack(of scheduling: Scheduling) -> [StackFrame] {
    scheduling.cause.flatMap { source.definitions.stacks[$0.stack]?.frames } ?? []
  }

  // MARK: - Finding

  private mutating func find(_ hops: Set<UInt64>) {
    var wanted = hops.filter { known[$0] == nil }
    var left = wanted.count * Self.mostFollowed
    var isNew = true
    var isRepeated = false
    while !wanted.isEmpty, isNew, left > 0 {
      isNew = false
      for block in source.blocks.indices.reversed() where left > 0 && mayHoldHops(block) {
        guard !isRepeated || walk.mayRepeat(source.blocks[block].count) else {
          return walk.passOver(.work, count: wanted.count)
        }
        if look(into: block, for: &wanted, left: &left) { isNew = true }
        if wanted.isEmpty { return }
      }
      isRepeated = true
    }
  }

  private func mayHoldHops(_ block: Int) -> Bool {
    let kinds = source.blocks[block].kinds
    return kinds.mayContain(RecordKind.hopScheduled.rawValue)
      || kinds.mayContain(RecordKind.hopBegan.rawValue)
  }

  /// Takes the wanted hops out of a block, and adds the hops that scheduled them to `wanted`.
  private mutating func look(into block: Int, for wanted: inout Set<UInt64>, left: inout Int)
    -> Bool
  {
    var columns = EventColumns()
    do throws(TraceFileError) {
      try source.decode(block, into: &columns, columns: [.kinds, .subscriptions])
      guard columns.subscriptions.contains(where: wanted.contains) else { return false }
      try source.decode(block, into: &columns, columns: [.streams, .payloads, .ticks])
    } catch {
      walk.passOver(block: block, error)
      return false
    }
    var isNew = false
    for index in columns.kinds.indices.reversed() {
      let hop = columns.subscriptions[index]
      guard wanted.contains(hop), let scheduling = Scheduling(columns, index) else { continue }
      wanted.remove(hop)
      known[hop] = scheduling
      isNew = true
      left -= 1
      let parent = scheduling.cause?.parent ?? 0
      if parent != 0, known[parent] == nil, walk.take(Self.stepBytes) { wanted.insert(parent) }
    }
    return isNew
  }
}

extension HopChains.Scheduling {
  /// Creates a scheduling from the record at an index; nil when the record does not say where a hop
  /// came from.
  fileprivate init?(_ columns: EventColumns, _ index: Int) {
    let isScheduling = columns.kinds[index] == RecordKind.hopScheduled.rawValue
    let hasCause = columns.payloadKinds[index] == PayloadKind.cause.rawValue
    // A beginning carries the cause when no recording saw the scheduling.
    let isBeginning = columns.kinds[index] == RecordKind.hopBegan.rawValue && hasCause
    guard isScheduling || isBeginning else { return nil }
    scheduler = columns.streams[index]
    cause = hasCause ? HopPayload(word: columns.words[index]) : nil
    event = isScheduling ? columns.name(index) : nil
    ring = columns.ring
    ticks = columns.ticks[index]
  }
}

extension TracedBacktrace {
  /// Counts a segment that repeats the last one instead of adding it.
  fileprivate mutating func collapse(_ scheduler: UInt32, _ frames: [StackFrame]) -> Bool {
    guard let last = segments.last, last.scheduler == scheduler, !frames.isEmpty,
      last.frames == frames
    else { return false }
    segments[segments.count - 1].repeats += 1
    return true
  }
}
