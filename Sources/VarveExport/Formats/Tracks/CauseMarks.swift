public import VarveAnalysis
internal import VarveFormat

/// The events of a trace that caused others, two bits each: an arrow has to begin at its cause, which
/// is written long before its effect.
///
/// The first bits are set before anything is written, so each takes memory until then; the second ones are
/// made when they are needed, and both are given back after the last event that asks for them.
///
/// Safety: marks belong to one exporter and change only while that reads the trace.
public final class CauseMarks: @unchecked Sendable {
  /// Some events of a thread that follow each other.
  private struct Chunk {
    /// A bit for each event that caused another.
    let isCause: UnsafeMutablePointer<UInt64>
    /// A bit for each of these that was written.
    var isBegun: UnsafeMutablePointer<UInt64>?
    /// The place in the order of time of the last event that is in the chunk, or was caused by one.
    var lastUse: UInt64
  }

  private typealias Place = (chunk: UnsafeMutablePointer<Chunk>, word: Int, bit: UInt64)

  private let walk: TraceWalk
  // Safety: what is not checked is looked at for every event, by one thread, and nothing calls out while
  // it changes one of these.
  /// The chunks: memory that grows in one piece would take half again as much.
  @exclusivity(unchecked) private var chunks: [UInt64: UnsafeMutablePointer<Chunk>] = [:]
  /// The chunk that was looked up last.
  @exclusivity(unchecked) private var last: (number: UInt64, chunk: UnsafeMutablePointer<Chunk>?) =
    (.max, nil)
  /// The numbers of the chunks, those that are needed longest first.
  private var kept: [UInt64] = []
  /// The number of events that were written.
  private var written: UInt64 = 0

  /// The events of a chunk, as a power of two.
  private static let chunkBits: UInt64 = 12
  private static let words = 1 << (Int(chunkBits) - 6)
  private static let chunkBytes = 2 * 8 * words + 96

  /// Finds the causes of the selected events of a trace.
  public init(_ selection: Selection, in source: some EventSource) throws(SelectionError) {
    walk = TraceWalk(source)
    var query = try EventQuery(selection, in: source, columns: .causes)
    var position: UInt64 = 0
    query.run { page in
      page.forEachRun { entries, block, _ in
        use(entries, of: block, until: position + UInt64(entries.count))
        for entry in entries {
          position += 1
          block.forEachCause(of: Int(entry.index)) { mark($0, by: position) }
        }
      }
      return true
    }
    kept = chunks.sorted { $0.value.pointee.lastUse > $1.value.pointee.lastUse }.map(\.key)
  }

  deinit { for chunk in chunks.values { Self.free(chunk) } }

  /// The arrows that are missing because there was no memory for them.
  var passedOver: PassedOver { walk.passedOver }

  /// Returns whether an event caused others, and notes that it is being written.
  @inline(__always)
  func begin(_ event: EventName) -> Bool {
    guard let (chunk, word, bit) = place(event), chunk.pointee.isCause[word] & bit != 0 else {
      return false
    }
    let isBegun = chunk.pointee.isBegun ?? Self.bits()
    isBegun[word] |= bit
    chunk.pointee.isBegun = isBegun
    return true
  }

  /// Returns whether an event that caused others was written.
  @inline(__always)
  func isBegun(_ event: EventName) -> Bool {
    guard let (chunk, word, bit) = place(event), let bits = chunk.pointee.isBegun else {
      return false
    }
    return bits[word] & bit != 0
  }

  /// Notes that as many of the events were written, and forgets what those after them do not need.
  func advance(by events: Int) {
    written += UInt64(events)
    while let number = kept.last, let chunk = chunks[number], chunk.pointee.lastUse <= written {
      kept.removeLast()
      chunks[number] = nil
      Self.free(chunk)
      last = (.max, nil)
    }
  }

  private func mark(_ event: EventName, by position: UInt64) {
    let number = Self.number(of: event)
    if number != last.number || last.chunk == nil {
      guard let chunk = chunks[number] ?? add(number) else { return }
      last = (number, chunk)
    }
    guard let (chunk, word, bit) = place(event) else { return }
    chunk.pointee.isCause[word] |= bit
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

  /// Returns where an event's bits are.
  @inline(__always)
  private func place(_ event: EventName) -> Place? {
    let number = Self.number(of: event)
    if number != last.number { last = (number, chunks[number]) }
    guard let chunk = last.chunk else { return nil }
    let index = Int(event.sequence & (1 << Self.chunkBits - 1))
    return (chunk, index >> 6, 1 << UInt64(index & 63))
  }

  private func add(_ number: UInt64) -> UnsafeMutablePointer<Chunk>? {
    guard walk.take(Self.chunkBytes, or: .work) else { return nil }
    let chunk = UnsafeMutablePointer<Chunk>.allocate(capacity: 1)
    chunk.initialize(to: Chunk(isCause: Self.bits(), lastUse: 0))
    chunks[number] = chunk
    return chunk
  }

  private static func bits() -> UnsafeMutablePointer<UInt64> {
    let bits = UnsafeMutablePointer<UInt64>.allocate(capacity: words)
    bits.initialize(repeating: 0, count: words)
    return bits
  }

  private static func free(_ chunk: UnsafeMutablePointer<Chunk>) {
    chunk.pointee.isCause.deallocate()
    chunk.pointee.isBegun?.deallocate()
    chunk.deallocate()
  }
}
