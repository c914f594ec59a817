internal import VarveFormat
internal import VarveProbe

/// The work that one thread is doing, outermost first.
///
/// Unlike `RunningHops`, it is a value that is kept for each block and followed on several threads, so it
/// takes no memory of a walk and forgets what is too deep.
struct ThreadWork: Sendable, Equatable {
  private(set) var hops: [RunningHops.Hop] = []

  /// The greatest depth of work within work. Of more, the outermost is forgotten.
  private static let deepest = 256

  /// The scheduler of the innermost work; 0 for none.
  var scheduler: UInt32 { hops.last?.scheduler ?? 0 }

  /// Begins work within that which is going on.
  mutating func begin(_ number: UInt64, of scheduler: UInt32) {
    if hops.count == Self.deepest { hops.removeFirst() }
    hops.append(RunningHops.Hop(number: number, scheduler: scheduler))
  }

  /// Ends work, with all that began within it. Returns false if it was not going on: the recording may
  /// have started after its beginning, or that may have been lost.
  mutating func end(_ number: UInt64) -> Bool {
    guard let place = hops.lastIndex(where: { $0.number == number }) else { return false }
    hops.removeSubrange(place...)
    return true
  }
}

/// The work that each thread was doing where a block of its events begins, so that what it was doing at
/// an event is told by that block alone.
struct WorkAtBlocks {
  /// What a thread was doing from an event on, until more work begins or ends.
  private struct Place {
    var sequence: UInt64
    var work: ThreadWork
  }

  /// After each block in which work began or ended, by ring.
  private var places: [UInt32: [Place]] = [:]
  private let walk: TraceWalk

  /// Places that could not be remembered. After them, no work is known.
  var passedOver: PassedOver { walk.passedOver }

  /// The memory for a place, in bytes, and for each piece of work there.
  private static let (placeBytes, hopBytes) = (96, MemoryLayout<RunningHops.Hop>.stride)

  /// Reads the beginnings and ends of work in a trace.
  init(in source: some EventSource) throws(SelectionError) {
    walk = TraceWalk(source)
    var hops = Selection()
    hops.kinds = KindSelection([.hopBegan, .hopEnded])
    var query = try EventQuery(
      hops, in: source, columns: [.kinds, .streams, .subscriptions], payloadsOf: nil,
      isByThread: true)
    var (work, last) = (ThreadWork(), Int?.none)
    query.run { page in
      page.forEachRun { entries, columns in
        if let block = last, block != columns.block {
          note(work, after: source.blocks[block])
          if source.blocks[block].ring != columns.ring { work = ThreadWork() }
        }
        last = columns.block
        for entry in entries { work.follow(columns, Int(entry.index)) }
      }
      return true
    }
    if let last { note(work, after: source.blocks[last]) }
  }

  private mutating func note(_ work: ThreadWork, after block: BlockSummary) {
    let last = places[block.ring]?.last?.work
    let bytes = Self.placeBytes + Self.hopBytes * work.hops.count
    guard last != work, walk.take(bytes, or: .work) else { return }
    places[block.ring, default: []].append(
      Place(sequence: block.firstSequence &+ UInt64(block.count), work: work))
  }

  /// Returns what a thread was doing where a block begins.
  func work(of ring: UInt32, at firstSequence: UInt64) -> ThreadWork {
    guard let places = places[ring] else { return ThreadWork() }
    let next = places.partitionPoint { $0.sequence > firstSequence }
    return next > 0 ? places[next - 1].work : ThreadWork()
  }
}

extension ThreadWork {
  /// Takes note of an event if it begins or ends work; returns whether that changed what goes on.
  @inline(__always)
  @discardableResult
  mutating func follow(_ columns: ColumnPointers, _ index: Int) -> Bool {
    switch columns.kinds[index] {
    case RecordKind.hopBegan.rawValue:
      begin(columns.subscriptions[index], of: columns.streams[index])
      return true
    case RecordKind.hopEnded.rawValue: return end(columns.subscriptions[index])
    default: return false
    }
  }
}
