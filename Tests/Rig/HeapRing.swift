import CVarveSystem
import Synchronization

/// One thread's records, in memory that is never full: when a piece is, the next one follows.
///
/// The memory is given back to nobody: a thread may still be writing into it when a recording ends.
final class HeapRing {
  private struct Piece {
    let ring: UnsafeMutablePointer<vv_ring>
    let data: UnsafeMutablePointer<UInt8>
    let firstSequence: UInt64
  }

  private static let smallestPiece = 16 * 1024
  private static let largestPiece = 1024 * 1024

  let id: UInt32
  private let session: UInt32
  private let thread = vv_thread_system_id()
  private var pieces: [Piece] = []

  init(id: UInt32, session: UInt32) {
    self.id = id
    self.session = session
  }

  /// Lets `writer`, which is the calling thread's, go on in a fresh piece.
  func extend(_ writer: UnsafeMutablePointer<vv_writer>) {
    if pieces.isEmpty {
      writer.pointee.sequence = 0
      writer.pointee.cause = 0
      // An earlier recording may have had another clock.
      writer.pointee.last = 0
    }
    let ring = UnsafeMutablePointer<vv_ring>.allocate(capacity: 1)
    ring.initialize(to: vv_ring())
    let bytes = min(HeapRing.largestPiece, HeapRing.smallestPiece << min(10, 2 * pieces.count))
    let data = UnsafeMutablePointer<UInt8>.allocate(capacity: bytes)
    pieces.append(Piece(ring: ring, data: data, firstSequence: writer.pointee.sequence + 1))
    writer.pointee.data = data
    writer.pointee.ring = ring
    writer.pointee.head = 0
    writer.pointee.limit = UInt64(bytes)
    writer.pointee.mask = .max
    writer.pointee.session = session
    writer.pointee.ring_id = id
  }

  /// What was published so far, in order.
  func records() -> [RigRecord] {
    pieces.flatMap { piece in
      var records: [RigRecord] = []
      let head = HeapRing.published(in: piece.ring)
      var offset = 0
      while offset < head {
        let record = RigRecord(
          UnsafeRawPointer(piece.data + offset), ring: id,
          sequence: piece.firstSequence + UInt64(records.count), thread: thread)
        offset += record.size
        records.append(record)
      }
      return records
    }
  }

  private static func published(in ring: UnsafeMutablePointer<vv_ring>) -> Int {
    guard let offset = MemoryLayout<vv_ring>.offset(of: \.head) else { return 0 }
    let head = UnsafeRawPointer(ring) + offset
    return Int(
      head.assumingMemoryBound(to: Atomic<UInt64>.self).pointee.load(ordering: .acquiring))
  }
}
