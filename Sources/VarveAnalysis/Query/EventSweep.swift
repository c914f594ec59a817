internal import Dispatch
internal import Synchronization
package import VarveFormat
internal import VarvePlatform
internal import VarveProbe

/// A pass over the events of a selection for which their order across blocks does not matter: what
/// is counted, or found anywhere.
///
/// Blocks are not merged, and of each all events are looked at together. Each thread takes the next
/// block that nobody has taken, and keeps what it finds in a part of its own; the caller joins the
/// parts. A selection that tests single events, or wants the first or last ones, is read in order on
/// one thread.
package struct EventSweep<Source: EventSource> {
  /// The selection, prepared for the source.
  package let filter: EventFilter
  /// Damaged blocks that were passed over, in the order in which a query would report them.
  package private(set) var damage: [TraceFileError] = []
  /// What was passed over because it would have taken too much memory.
  package private(set) var passedOver = PassedOver()

  private let source: Source
  private let selection: Selection
  private let columns: ColumnSet
  private let wordKinds: KindSelection?
  private let ignoresStreams: Bool
  /// Whether all events are read in order, on one thread.
  package let isOrdered: Bool

  /// The smallest number of blocks for which another thread is worth its start.
  private static var fewestBlocks: Int { 8 }
  /// The greatest number of threads; each holds a block.
  private static var mostThreads: Int { 4 }

  /// Creates a pass.
  ///
  /// - Parameters:
  ///   - selection: the wanted events.
  ///   - source: the source to read.
  ///   - columns: the columns that are looked at.
  ///   - kinds: the kinds of events whose payloads are looked at, and of these the words alone.
  ///   - ignoresStreams: whether events of streams that were not chosen are handed over, too, where they
  ///     lie in a block with others. Whoever looks up streams anyway spares the time to select them.
  package init(
    _ selection: Selection, in source: Source, columns: ColumnSet,
    wordsOf kinds: KindSelection? = nil, ignoresStreams: Bool = false
  ) throws(SelectionError) {
    self.source = source
    self.selection = try selection.resolved(in: source)
    filter = try EventFilter(self.selection, in: source)
    isOrdered =
      !source.decodesConcurrently || selection.head != nil || selection.tail != nil
      || RowTest.isNeeded(self.selection)
    self.columns = columns
    wordKinds = kinds
    self.ignoresStreams = ignoresStreams
  }

  /// Looks at all events.
  ///
  /// - Parameters:
  ///   - some: the blocks to look at, if not all; only where `isOrdered` is false.
  ///   - make: makes a part, for each thread.
  ///   - look: looks at events of a block, given by their indices, or at all of them if it gets nil. It
  ///     is called on several threads, each with a part of its own.
  /// - Returns: the parts.
  package mutating func run<Part: AnyObject>(
    over some: Set<Int>? = nil, _ make: () -> Part,
    _ look: @escaping (Part, ColumnPointers, UnsafeBufferPointer<UInt32>?) -> Void
  ) throws(SelectionError) -> [Part] {
    guard !isOrdered else { return [try runInOrder(make(), look)] }
    let blocks = source.blocks
    let order = blocks.indices.filter {
      filter.mayMatch(blocks[$0]) && some?.contains($0) ?? true
    }.sorted {
      (blocks[$0].ticks.lowerBound, blocks[$0].ring, blocks[$0].firstSequence, $0)
        < (blocks[$1].ticks.lowerBound, blocks[$1].ring, blocks[$1].firstSequence, $1)
    }
    let processors = max(Int(sysconf(Int32(_SC_NPROCESSORS_ONLN))), 1)
    let threads = order.count < Self.fewestBlocks ? 1 : min(processors, Self.mostThreads)
    let work = Work(sweep: self, order: order, parts: (0..<threads).map { _ in make() }, look: look)
    SweepThreads { work.run($0) }.run(threads)
    damage = work.failures.withLock { $0.sorted { $0.place < $1.place }.map(\.error) }
    return work.parts
  }

  /// What the threads share. Each has a part of its own, and `look` may be called on several threads.
  private final class Work<Part: AnyObject> {
    let parts: [Part]
    let failures = Lock<[(place: Int, error: TraceFileError)]>([])
    private let sweep: EventSweep
    private let order: [Int]
    private let look: (Part, ColumnPointers, UnsafeBufferPointer<UInt32>?) -> Void
    private let taken = Atomic<Int>(0)

    init(
      sweep: EventSweep, order: [Int], parts: [Part],
      look: @escaping (Part, ColumnPointers, UnsafeBufferPointer<UInt32>?) -> Void
    ) {
      self.sweep = sweep
      self.order = order
      self.parts = parts
      self.look = look
    }

    /// Takes blocks until there are no more.
    func run(_ number: Int) {
      let part = parts[number]
      let batch = EventBatch()
      while true {
        let place = taken.wrappingAdd(1, ordering: .relaxed).oldValue
        guard place < order.count else { return }
        do throws(TraceFileError) {
          let isWhole = try sweep.load(order[place], into: batch)
          batch.withPointers { columns in
            guard !isWhole else { return look(part, columns, nil) }
            batch.selected.withUnsafeBufferPointer { look(part, columns, $0) }
          }
        } catch {
          failures.withLock { $0.append((place, error)) }
        }
      }
    }
  }

  /// Decodes a block. Returns whether all of its events are wanted; otherwise, these are selected.
  private func load(_ block: Int, into batch: EventBatch) throws(TraceFileError) -> Bool {
    let summary = source.blocks[block]
    let checksTicks = filter.needsTicks(summary)
    let isWhole = filter.takesAllKinds && !checksTicks && (ignoresStreams || !filter.checksStreams)
    var wanted = columns
    if wordKinds?.mayIntersect(summary.kinds) ?? false || filter.needsReasons {
      wanted.insert(.words)
    }
    if !isWhole { wanted.formUnion([.kinds, .streams]) }
    if checksTicks { wanted.insert(.ticks) }
    try source.decode(block, into: &batch.columns, columns: wanted)
    if !isWhole {
      filter.select(from: batch.columns, checksTicks: checksTicks, into: &batch.selected)
    }
    return isWhole
  }

  private mutating func runInOrder<Part: AnyObject>(
    _ part: Part, _ look: (Part, ColumnPointers, UnsafeBufferPointer<UInt32>?) -> Void
  ) throws(SelectionError) -> Part {
    var query = try EventQuery(
      selection, in: source, columns: wordKinds == nil ? columns : columns.union(.payloads))
    var rows: [UInt32] = []
    query.run { page in
      page.forEachRun { entries, columns in
        rows.removeAll(keepingCapacity: true)
        for entry in entries { rows.append(entry.index) }
        rows.withUnsafeBufferPointer { look(part, columns, $0) }
      }
      return true
    }
    (damage, passedOver) = (query.damage, query.passedOver)
    return part
  }
}

/// Runs a closure on several threads.
///
/// Safety: it is made for work that may be done so.
private struct SweepThreads: @unchecked Sendable {
  let body: (Int) -> Void

  func run(_ threads: Int) {
    DispatchQueue.concurrentPerform(iterations: threads) { body($0) }
  }
}
