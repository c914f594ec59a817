public import VarveFormat
internal import VarveProbe

/// The hops that were running on each thread, or queued, at the end of a trace or at an event.
public struct HopStates: Sendable {
  /// The hops that each ring's thread was running, outermost first.
  public private(set) var running: [UInt32: [UInt64]] = [:]
  /// Hops that were scheduled but neither began nor were cancelled, oldest first.
  public private(set) var queued: [UInt64] = []
  /// The last event of each ring and its tick.
  public private(set) var last: [UInt32: (event: EventName, ticks: UInt64)] = [:]
  /// Blocks that could not be read.
  public var damage: [TraceFileError] { walk.damage }
  /// What was passed over because it would have taken too much memory.
  public var passedOver: PassedOver { walk.passedOver }

  private var walk: TraceWalk
  private var begun: RunningHops

  /// Reads all hops of a trace.
  public init(atEndOf source: some EventSource) {
    walk = TraceWalk(source)
    begun = RunningHops(walk)
    var open = WalkTable<UInt64, Int>(walk, bytes: Self.openBytes, of: .work)
    read(source, of: nil) { states, kind, hop, ring, _ in
      states.note(kind, hop, ring)
      switch kind {
      case .hopScheduled: Self.note(1, hop, in: &open)
      case .hopBegan, .hopCancelled: Self.note(-1, hop, in: &open)
      default: return
      }
    }
    // Within a thread, hop numbers increase.
    queued = open.entries.lazy.filter { $0.value > 0 }.map(\.key)
    queued.sort()
  }

  /// Reads the hops that threads were running at the end of a trace, but not those that were queued.
  ///
  /// - Parameters:
  ///   - source: the trace.
  ///   - history: its history, if there is one: it tells from where on blocks have to be read.
  public init(runningAtEndOf source: some EventSource, history: TraceHistory? = nil) {
    walk = TraceWalk(source)
    begun = RunningHops(walk)
    let first = history?.firstRunning
    var isSure = true
    read(source, of: nil, unlessOver: true, from: first) { states, kind, hop, ring, _ in
      let isKnown = states.note(kind, hop, ring)
      guard first != nil, kind == .hopEnded, !isKnown else { return }
      // What ends has begun before, perhaps around work that is taken to be running.
      if states.begun.stacks[ring]?.isEmpty == false { isSure = false }
    }
    if !isSure { self = HopStates(runningAtEndOf: source) }
  }

  /// The memory for a queued hop and its table entry, in bytes.
  private static let openBytes = 48

  /// Counts how many times a hop was scheduled without having begun. The file holds one block after
  /// another, each of one thread, so a beginning may come before its scheduling.
  private static func note(_ change: Int, _ hop: UInt64, in open: inout WalkTable<UInt64, Int>) {
    let count = (open[hop] ?? 0) + change
    if count == 0 { open.removeValue(forKey: hop) } else { open.set(count, for: hop) }
  }

  /// Reads the hops of one thread, up to but not including one of its events.
  public init(before event: EventName, in source: some EventSource) {
    walk = TraceWalk(source)
    begun = RunningHops(walk)
    read(source, of: event.ring) { states, kind, hop, ring, other in
      if other < event { states.note(kind, hop, ring) }
    }
  }

  /// Returns whether the event had an effect.
  @discardableResult
  private mutating func note(_ kind: RecordKind, _ hop: UInt64, _ ring: UInt32) -> Bool {
    switch kind {
    case .hopBegan: begun.begin(RunningHops.Hop(number: hop, scheduler: 0), ring: ring)
    case .hopEnded: begun.end(hop, ring: ring)
    default: false
    }
  }

  /// - Parameters:
  ///   - isUnlessOver: Whether hops that begin and end in the same block may be left out.
  ///   - first: The ordinal from which on the blocks of each thread are read, none of other threads; nil
  ///     reads all.
  private mutating func read(
    _ source: some EventSource, of ring: UInt32?, unlessOver isUnlessOver: Bool = false,
    from first: [UInt32: UInt64]? = nil,
    _ body: (
      inout HopStates, RecordKind, _ hop: UInt64, _ ring: UInt32, _ event: EventName
    ) -> Void
  ) {
    let hops = [RecordKind.hopScheduled, .hopBegan, .hopEnded, .hopCancelled]
    var blocks: [Int] = []
    for (index, block) in source.blocks.enumerated() where ring == nil || block.ring == ring {
      last[block.ring] = (block.name(block.count - 1), block.ticks.upperBound)
      if let first, first[block.ring] ?? .max > block.name(block.count - 1).sequence { continue }
      let kinds = block.kinds
      if hops.contains(where: { kinds.mayContain($0.rawValue) }) { blocks.append(index) }
    }
    let isHop = (0...255).map { kind in hops.contains { $0.rawValue == kind } }
    let load = { (index: Int, batch: EventBatch) in
      Result { () throws(TraceFileError) in
        try source.decode(index, into: &batch.columns, columns: [.kinds, .subscriptions])
        batch.selected.removeAll(keepingCapacity: true)
        let kinds = batch.columns.kinds
        for index in kinds.indices where isHop[Int(kinds[index])] {
          batch.selected.append(UInt32(truncatingIfNeeded: index))
        }
        if isUnlessOver { batch.sift { Self.removeOver(from: &$0, $1) } }
        return true
      }
    }
    let ahead = source.decodesConcurrently ? ReadAhead(blocks, load) : nil
    var batch = EventBatch()
    for index in blocks {
      let block = source.blocks[index]
      let result: Result<Bool, TraceFileError>
      if let loaded = ahead?.take(index, for: batch) {
        (batch, result) = (loaded.batch, loaded.result)
      } else {
        result = load(index, batch)
      }
      if case .failure(let error) = result {
        walk.passOver(error)
        continue
      }
      let (kinds, numbers) = (batch.columns.kinds, batch.columns.subscriptions)
      for row in batch.selected {
        let event = Int(row)
        guard let kind = RecordKind(rawValue: kinds[event]) else { continue }
        body(&self, kind, numbers[event], block.ring, block.name(event))
      }
    }
    running = begun.stacks.mapValues { $0.map(\.number) }
  }

  /// The number of hops within one another from which on those of a block are left as they are.
  private static let deepest = 64

  /// Keeps of a block's hops the beginnings and ends that tell what its thread is running after it. An
  /// end of a hop that began before the block may end those within it, too, so none that began before
  /// such an end is taken for over after it. A block in which a hop begins within itself, as in a damaged
  /// file, is left as it is.
  private static func removeOver(from rows: inout [UInt32], _ columns: ColumnPointers) {
    let numbers = columns.subscriptions
    var open: [UInt32] = []
    var kept: [UInt32] = []
    for row in rows {
      let (kind, hop) = (columns.kinds[Int(row)], numbers[Int(row)])
      guard kind == RecordKind.hopBegan.rawValue || kind == RecordKind.hopEnded.rawValue else {
        continue
      }
      let place = open.lastIndex { numbers[Int($0)] == hop }
      if kind == RecordKind.hopBegan.rawValue {
        guard place == nil, open.count < deepest else { return }
        open.append(row)
      } else if let place {
        open.removeSubrange(place...)
      } else {
        kept += open
        kept.append(row)
        open.removeAll(keepingCapacity: true)
      }
    }
    rows = kept + open
  }
}
