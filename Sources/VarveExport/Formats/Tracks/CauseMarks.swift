public import VarveAnalysis
internal import VarveFormat

/// The events of a trace that caused others, two bits each: an arrow has to begin at its cause, which
/// is written long before its effect.
///
/// Safety: marks belong to one exporter and change only while that reads the trace.
public final class CauseMarks: @unchecked Sendable {
  private let walk: TraceWalk
  /// The words of each chunk of events: memory that grows in one piece would take half again as much.
  @exclusivity(unchecked) private var chunks: [UInt64: UnsafeMutablePointer<UInt64>] = [:]
  /// The chunk that was looked up last.
  @exclusivity(unchecked) private var last: (chunk: UInt64, bits: UnsafeMutablePointer<UInt64>?) =
    (.max, nil)

  /// The events of a chunk, as a power of two. A block has as many at most.
  private static let chunkBits: UInt64 = 12
  private static let words = 1 << (Int(chunkBits) - 6)
  private static let chunkBytes = 2 * 8 * words + 64

  /// Finds the causes of the selected events of a trace.
  public init(_ selection: Selection, in source: some EventSource) throws(SelectionError) {
    walk = TraceWalk(source)
    var query = try EventQuery(selection, in: source, columns: .causes)
    query.run { page in
      page.forEachRun { entries, block, _ in
        for entry in entries {
          block.forEachCause(of: Int(entry.index)) { mark($0, isBegun: false) }
        }
      }
      return true
    }
  }

  deinit { for bits in chunks.values { bits.deallocate() } }

  /// The arrows that are missing because there was no memory for them.
  var passedOver: PassedOver { walk.passedOver }

  /// Returns whether an event caused others, and notes that it is being written.
  @inline(__always)
  func begin(_ event: EventName) -> Bool {
    guard let place = place(event, isNew: false) else { return false }
    guard place.word[0] & place.bit != 0 else { return false }
    place.word[Self.words] |= place.bit
    return true
  }

  /// Returns whether an event that caused others was written.
  @inline(__always)
  func isBegun(_ event: EventName) -> Bool {
    guard let place = place(event, isNew: false) else { return false }
    return place.word[Self.words] & place.bit != 0
  }

  private func mark(_ event: EventName, isBegun: Bool) {
    guard let place = place(event, isNew: true) else { return }
    place.word[0] |= place.bit
  }

  /// Returns where the first of an event's two bits is.
  @inline(__always)
  private func place(
    _ event: EventName, isNew: Bool
  ) -> (word: UnsafeMutablePointer<UInt64>, bit: UInt64)? {
    let chunk = UInt64(event.ring) << (40 - Self.chunkBits) ^ event.sequence >> Self.chunkBits
    if chunk != last.chunk {
      guard let bits = chunks[chunk] ?? (isNew ? add(chunk) : nil) else { return nil }
      last = (chunk, bits)
    }
    guard let bits = last.bits else { return nil }
    let index = Int(event.sequence & (1 << Self.chunkBits - 1))
    return (bits + index >> 6, 1 << UInt64(index & 63))
  }

  private func add(_ chunk: UInt64) -> UnsafeMutablePointer<UInt64>? {
    guard walk.take(Self.chunkBytes, or: .work) else { return nil }
    let bits = UnsafeMutablePointer<UInt64>.allocate(capacity: 2 * Self.words)
    bits.initialize(repeating: 0, count: 2 * Self.words)
    chunks[chunk] = bits
    return bits
  }
}
