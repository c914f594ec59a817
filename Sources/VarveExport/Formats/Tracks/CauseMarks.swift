public import VarveAnalysis
internal import VarveFormat

/// The events of a trace that caused others, two bits each: an arrow has to begin at its cause,
/// which is written long before its effect.
///
/// The first bits are set before anything is written, the second ones as the events are, and both
/// are given back after the last event that asks for them. Most events are caused by one shortly
/// before, so the bits of a hundred million events are looked at in few places at a time: the
/// others wait in a file.
///
/// Safety: marks belong to one exporter and change only while that reads the trace.
public final class CauseMarks: @unchecked Sendable {
  /// Some events of a thread that follow each other.
  private struct Chunk {
    /// The page with a bit for each event that caused another and, behind them, one for each of
    /// these that was written.
    let page: Int
    /// The place in the order of time of the last event that is in the chunk, or was caused by one.
    var lastUse: UInt64
  }

  private typealias Found = (chunk: UnsafeMutablePointer<Chunk>, page: SpilledPages.Page)

  private let walk: TraceWalk
  // Safety: what is not checked is looked at for every event, by one thread, and nothing calls out
  // while it changes one of these.
  @exclusivity(unchecked) private var chunks: [UInt64: UnsafeMutablePointer<Chunk>] = [:]
  /// The chunk that was looked up last, and its page: no other has been asked for since.
  @exclusivity(unchecked) private var last: (number: UInt64, found: Found?) = (.max, nil)
  private let pages: SpilledPages
  /// The numbers of the chunks, those that are needed longest first.
  private var kept: [UInt64] = []
  /// The number of events that were written.
  private var written: UInt64 = 0
  /// Whose the streams and schedulers are, in a merged trace.
  private(set) var owners = TrackOwners()

  /// The events of a chunk, as a power of two.
  private static let chunkBits: UInt64 = 14
  private static let words = SpilledPages.words / 2
  private static let chunkBytes = SpilledPages.bytes + 96

  /// Finds the causes of the selected events of a trace.
  public init(_ selection: Selection, in source: some EventSource) throws(SelectionError) {
    walk = TraceWalk(source)
    pages = SpilledPages(walk, most: 48)
    let definitions = source.definitions
    let isMerged = definitions.threads.keys.contains { EventName.recording($0) != 0 }
    var query = try EventQuery(
      selection, in: source, columns: isMerged ? [.causes, .streams, .kinds] : .causes)
    var position: UInt64 = 0
    query.run { page in
      page.forEachRun { entries, block in
        use(entries, of: block, until: position + UInt64(entries.count))
        var place = -1
        for entry in entries {
          if isMerged { owners.note(Int(entry.index), block, definitions) }
          position += 1
          let causes = block.causes(of: Int(entry.index), from: &place)
          if let near = causes.near { mark(near, by: position) }
          if !causes.named.isEmpty {
            block.forEachNamed(of: causes) { mark($0, by: position) }
          }
        }
      }
      return true
    }
    kept = chunks.sorted { $0.value.pointee.lastUse > $1.value.pointee.lastUse }.map(\.key)
  }

  deinit { for chunk in chunks.values { chunk.deallocate() } }

  /// The arrows that are missing because there was no memory for them, or chunks of them.
  var passedOver: PassedOver { walk.passedOver }

  /// Returns whether an event caused others, and notes that it is being written.
  @inline(__always)
  func begin(_ event: EventName) -> Bool {
    guard let page = find(Self.number(of: event))?.page else { return false }
    let (word, bit) = Self.place(event)
    guard page[word] & bit != 0 else { return false }
    page[Self.words + word] |= bit
    return true
  }

  /// Returns whether an event that caused others was written.
  @inline(__always)
  func isBegun(_ event: EventName) -> Bool {
    guard let page = find(Self.number(of: event))?.page else { return false }
    let (word, bit) = Self.place(event)
    return page[Self.words + word] & bit != 0
  }

  /// Notes that as many of the events were written, and forgets what those after them do not need.
  func advance(by events: Int) {
    written += UInt64(events)
    while let number = kept.last, let chunk = chunks[number], chunk.pointee.lastUse <= written {
      kept.removeLast()
      chunks[number] = nil
      pages.remove(chunk.pointee.page)
      chunk.deallocate()
      last = (.max, nil)
    }
  }

  @inline(__always)
  private func mark(_ event: EventName, by position: UInt64) {
    let number = Self.number(of: event)
    guard let (chunk, page) = find(number) ?? add(number) else { return }
    let (word, bit) = Self.place(event)
    page[word] |= bit
    chunk.pointee.lastUse = max(chunk.pointee.lastUse, position)
  }

  /// Notes events of a block, and the place of the last one in the order of time.
  private func use(
    _ entries: UnsafeBufferPointer<EventPage.Entry>, of block: ColumnPointers,
    until position: UInt64
  ) {
    guard let first = entries.first, let last = entries.last else { return }
    let start = block.name(Int(first.index)).sequence
    let end = block.name(Int(last.index)).sequence
    let size = UInt64(1) << Self.chunkBits
    for sequence in stride(from: start, through: end | (size - 1), by: Int(size)) {
      let number = Self.number(of: EventName(ring: block.ring, sequence: sequence))
      chunks[number]?.pointee.lastUse = position
    }
  }

  @inline(__always)
  private static func number(of event: EventName) -> UInt64 {
    UInt64(event.ring) << (40 - chunkBits) ^ event.sequence >> chunkBits
  }

  /// Returns the word with an event's bit, and the bit.
  @inline(__always)
  private static func place(_ event: EventName) -> (word: Int, bit: UInt64) {
    let index = Int(event.sequence & (1 << chunkBits - 1))
    return (index >> 6, 1 << UInt64(index & 63))
  }

  @inline(__always)
  private func find(_ number: UInt64) -> Found? {
    if number != last.number {
      last = (number, chunks[number].map { ($0, pages.page($0.pointee.page)) })
    }
    return last.found
  }

  private func add(_ number: UInt64) -> Found? {
    guard walk.take(Self.chunkBytes, or: .work) else { return nil }
    let chunk = UnsafeMutablePointer<Chunk>.allocate(capacity: 1)
    chunk.initialize(to: Chunk(page: pages.add(), lastUse: 0))
    chunks[number] = chunk
    last = (.max, nil)
    return find(number)
  }
}
