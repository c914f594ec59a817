public import VarveFormat

/// A query that visits matching events in the order in which they happened.
///
/// Blocks that cannot match, judging by their streams or times, are not read. Of a block that may
/// match, only the streams are decoded until one of them matches. The blocks of all threads are
/// merged by ticks. Only blocks that overlap in time are held at once, and only parts of them if
/// there are very many, so memory does not grow with the trace.
public struct EventQuery<Source: EventSource> {
  /// Damaged blocks that were passed over, and blocks of which a part was passed over because, in
  /// such a small file, so many overlap that ordering them would take too long.
  public var damage: [TraceFileError] { walk.damage }
  /// What was passed over because it would have taken too much memory.
  public var passedOver: PassedOver { test?.passedOver ?? PassedOver() }
  /// Whether fewer events of blocks are selected, as was asked for.
  package var isThinned: Bool { loader.thin != nil }
  /// The number of events delivered.
  public private(set) var count: UInt64 = 0

  /// The selection, prepared for the source.
  public let filter: EventFilter

  private let source: Source
  private let columns: ColumnSet
  private var loader: BlockLoader<Source>
  /// Loads the next blocks on another thread, if all that matches is read.
  private var ahead: ReadAhead?
  /// The number of events to deliver, from the first on.
  private var head: UInt64
  /// The last events, to be delivered after the first where both are wanted.
  private var ending: Ending?
  /// Whether pages are delivered that have no events, at which whoever has no more time can stop.
  package var deliversNothing = false
  /// How many blocks without events were read since a page was delivered.
  private var empty = 0
  /// Whether `body` has had enough.
  private var isStopped = false
  private var skip: UInt64 = 0
  private var merge: EventMerge
  /// Batches whose events are all on the page that is being assembled.
  private var used: [EventBatch] = []
  private var pool = BatchPool(mostBytes: Self.mostBytes / 8)
  private let walk: TraceWalk
  private let test: RowTest?

  /// Creates a query.
  ///
  /// - Parameters:
  ///   - selection: the wanted events.
  ///   - source: the source to query.
  ///   - columns: the columns that `body` of `run` reads.
  /// - Throws: a `SelectionError` whenever the selection names an event that is not there.
  public init(_ selection: Selection, in source: Source, columns: ColumnSet)
    throws(SelectionError)
  {
    try self.init(selection, in: source, columns: columns, payloadsOf: nil)
  }

  /// Creates a query that decodes payloads only in blocks with events of the given kinds: `body` must
  /// read no payloads of others.
  ///
  /// - Parameter thin: Selects fewer events of a block, on any thread, and lets them stand for others. It
  ///   gets whether all events were selected, also those of streams that were not chosen; `selected` is
  ///   not filled then. It is not called where blocks may be held in parts, or where events are
  ///   counted.
  /// - Parameter isByThread: Visits the events of one thread after those of another, which takes one
  ///   block at a time, unless the first or last ones are wanted.
  package init(
    _ selection: Selection, in source: Source, columns: ColumnSet, payloadsOf kinds: KindSelection?,
    isByThread: Bool = false, thin: ((EventBatch, _ isWhole: Bool) -> Void)? = nil
  ) throws(SelectionError) {
    self.source = source
    let selection = try selection.resolved(in: source)
    filter = try EventFilter(selection, in: source)
    let test = try RowTest(selection, in: source)
    self.test = test
    loader = BlockLoader(source: source, filter: filter, test: test, payloadKinds: kinds)
    self.columns = columns.union(.ticks)
    head = selection.head.map { UInt64(max($0, 0)) } ?? .max
    merge = EventMerge([], of: [])
    walk = TraceWalk(source)
    let blocks = source.blocks
    var candidates = blocks.indices.filter {
      filter.mayMatch(blocks[$0]) && test?.mayMatch(blocks[$0]) ?? true
    }
    if let tail = selection.tail {
      let start = try tailStart(max(tail, 0), candidates: candidates)
      let late = candidates.filter { blocks[$0].ticks.upperBound >= start.tick }
      let ending = Ending(tick: start.tick, skip: start.skip, blocks: late)
      if selection.head == nil {
        candidates = late
        (skip, loader.firstTick) = (ending.skip, ending.tick)
      } else {
        self.ending = ending
      }
    }
    let isInOrder = !isByThread || selection.head != nil || selection.tail != nil
    merge = EventMerge(candidates, of: blocks, isByThread: !isInOrder)
    let isWhole =
      selection.head == nil && selection.tail == nil && merge.depth <= ReadAhead.mostOpen
    if isWhole, test == nil, candidates.allSatisfy({ blocks[$0].count <= Self.mostThinned }) {
      loader.thin = thin
    }
    if source.decodesConcurrently, isWhole {
      // Blocks that are thinned are used up sooner than others, and whoever wants all columns takes longer
      // for an event than to decode it.
      let most = loader.thin != nil ? 3 : columns == .all ? 1 : 2
      ahead = ReadAhead(merge.blocks, most: most) {
        [loader, columns = self.columns] block, batch in
        Result { () throws(TraceFileError) in
          try loader.load(block, into: batch, columns: columns)
        }
      }
    }
  }

  /// The last events: those from a tick on, but for the first of them.
  private struct Ending {
    let tick: UInt64
    var skip: UInt64
    let blocks: [Int]
    /// The number of events from the tick on that were delivered before.
    var delivered: UInt64 = 0
  }

  /// Delivers all events, page by page, until `body` returns false.
  public mutating func run(_ body: (EventPage) -> Bool) {
    let page = EventPage()
    read(page, body)
    guard let ending, !isStopped, count >= head else { return }
    // What was among the first is not repeated: both are parts of one order.
    merge = EventMerge(ending.blocks, of: source.blocks)
    (skip, loader.firstTick) = (max(ending.skip, ending.delivered), ending.tick)
    head = .max
    self.ending = nil
    read(page, body)
  }

  private mutating func read(_ page: EventPage, _ body: (EventPage) -> Bool) {
    var goesOn = head > 0
    while goesOn {
      switch merge.fill(page) {
      case .due(let block):
        // The page may already hold enough.
        if isEnough(page) { goesOn = turn(page, body) } else { open(block) }
        if deliversNothing, empty >= Self.mostUsed { goesOn = turn(page, body) }
      case .used(let batch):
        used.append(batch)
        if isMuchUsed { goesOn = turn(page, body) }
      case .full: goesOn = turn(page, body)
      case .end:
        _ = turn(page, body)
        goesOn = false
      }
    }
  }

  /// Assembles the next page, for readers that pull; false after the last. The page is valid until the
  /// next call. Selections of the first or last events are not kept to.
  package mutating func advance(_ page: EventPage) -> Bool {
    release(page)
    while true {
      switch merge.fill(page) {
      case .due(let block): open(block)
      case .used(let batch):
        used.append(batch)
        guard isMuchUsed else { continue }
        if !page.due.isEmpty { return true }
        release(page)
      case .full: return true
      case .end: return !page.due.isEmpty
      }
    }
  }

  /// Empties a page, whose blocks can then be used for others.
  private mutating func release(_ page: EventPage) {
    page.clear()
    for batch in used { pool.put(batch) }
    used.removeAll(keepingCapacity: true)
    empty = 0
  }

  private func isEnough(_ page: EventPage) -> Bool {
    let found = UInt64(page.due.count)
    return found >= skip && found - skip >= head - count
  }

  /// Delivers the page and starts another.
  private mutating func turn(_ page: EventPage, _ body: (EventPage) -> Bool) -> Bool {
    let goesOn = deliver(page, to: body)
    release(page)
    return goesOn
  }

  private mutating func deliver(_ page: EventPage, to body: (EventPage) -> Bool) -> Bool {
    if skip > 0 {
      let skipped = min(skip, UInt64(page.due.count))
      skip -= skipped
      page.skip(Int(skipped))
    }
    page.keep(Int(min(head - count, UInt64(page.due.count))))
    count += UInt64(page.due.count)
    if let tick = ending?.tick, page.lastTick ?? 0 >= tick {
      page.forEach { batch, index in
        if batch.columns.ticks[index] >= tick { ending?.delivered += 1 }
      }
    }
    isStopped = (deliversNothing || !page.due.isEmpty) && !body(page)
    return !isStopped && count < head
  }
}

// MARK: - Memory

extension EventQuery {
  /// The approximate limit on decoded blocks held at once, in bytes. It excludes the block being
  /// decoded and the blocks waiting for a page to be delivered.
  package static var mostBytes: Int { 16 << 20 }
  /// The maximum number of used blocks that wait for a page to be delivered.
  private static var mostUsed: Int { 2 }

  /// The maximum number of events of a block that is thinned, which is held as a whole.
  private static var mostThinned: Int { 1 << 16 }

  private var isMuchUsed: Bool {
    used.count == Self.mostUsed || used.reduce(0) { $0 + $1.heldBytes } > Self.mostBytes / 32
  }

  /// The maximum memory of decoded blocks held at once so far, in bytes.
  package var heldBytes: Int { merge.mostBytes }
}

// MARK: - Blocks

extension EventQuery {
  /// Opens a block. It gets an equal share of the memory for all blocks that may be open at the
  /// same time; what does not fit is decoded again when its turn comes.
  private mutating func open(_ due: EventMerge.Due) {
    var batch = pool.take()
    guard load(due, into: &batch) else {
      merge.giveUp()
      empty += 1
      return pool.put(batch)
    }
    let share = Self.mostBytes / due.depth
    if batch.heldBytes <= share || loader.thin != nil { return merge.open(batch, rest: nil) }
    let fitting = batch.fitting(share)
    let first = Int(batch.selected[0])
    let tick = batch.columns.ticks[first]
    if fitting == 0, !merge.isNext(tick: tick) {
      if mayRepeat(due.block, for: batch.selected.count) {
        merge.leave((first, tick))
      } else {
        merge.giveUp()
      }
    } else {
      let (part, rest) = batch.beginning(max(fitting, 1))
      let isRepeated =
        rest != nil && mayRepeat(due.block, for: batch.selected.count - part.selected.count)
      merge.open(part, rest: isRepeated ? rest : nil)
    }
    pool.put(batch)
  }

  /// Returns whether a block may be decoded again for the given number of its events. If not, the
  /// events are reported as passed over.
  private func mayRepeat(_ block: Int, for events: Int) -> Bool {
    let summary = source.blocks[block]
    if walk.mayRepeat(summary.count) { return true }
    walk.passOver(
      TraceFileError(
        .damaged,
        """
        \(events) of its events: so many blocks overlap that to put them in order would take too \
        long; choose one thread or a shorter time
        """, offset: summary.offset, block: block))
    return false
  }

  /// Loads the block that is due into a batch, or takes another batch that it has been loaded into;
  /// returns false when no event in it matches.
  private func load(_ due: EventMerge.Due, into batch: inout EventBatch) -> Bool {
    do {
      if let loaded = ahead?.take(due.block, for: batch) {
        batch = loaded.batch
        return try loaded.result.get()
      }
      return try loader.load(due.block, from: due.start, into: batch, columns: columns)
    } catch {
      walk.passOver(block: due.block, error)
      return false
    }
  }
}

// MARK: - The last ones

extension EventQuery {
  /// Finds the start of the last `count` events, going backwards from the end and holding only
  /// their ticks. `skip` is the number of surplus events at the first tick.
  private mutating func tailStart(
    _ count: Int, candidates: [Int]
  ) throws(SelectionError) -> (tick: UInt64, skip: UInt64) {
    guard count > 0 else { return (.max, 0) }
    let blocks = source.blocks
    guard candidates.reduce(0, { $0 + blocks[$1].count }) > count else { return (0, 0) }
    var room = WalkRoom(walk, bytes: NewestTicks.bytes)
    var newest = NewestTicks(count)
    let batch = EventBatch()
    for block in candidates.sorted(by: { blocks[$0].ticks.upperBound > blocks[$1].ticks.upperBound }
    ) {
      if let oldest = newest.oldest, blocks[block].ticks.upperBound < oldest { break }
      do {
        guard try loader.load(block, into: batch, columns: .ticks) else { continue }
      } catch {
        walk.passOver(block: block, error)
        continue
      }
      newest.add(batch.selected.lazy.map { batch.columns.ticks[Int($0)] })
      guard room.hold(newest.held) else {
        throw SelectionError("these are more events than a tail may have; choose with --since")
      }
    }
    return newest.oldest.map { ($0, newest.surplus) } ?? (0, 0)
  }
}
