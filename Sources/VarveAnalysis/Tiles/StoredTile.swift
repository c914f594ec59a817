/// A counted tile. Most of its lanes have few events or none, so a row is stored as nothing, as
/// pairs of a bucket and a cell, or as a cell for each bucket, whichever is shortest.
struct StoredTile: Sendable {
  /// Where the row of each lane begins, and the end of the last.
  private var starts: [UInt32] = [0]
  private var bytes: [UInt8] = []

  /// Stores cells that were counted bucket by bucket.
  init(_ cells: UnsafePointer<UInt32>, lanes: Int) {
    starts.reserveCapacity(lanes + 1)
    let buckets = TileGrid.buckets
    // A few lanes at a time: those are beside each other in memory.
    let group = Self.lanesAtOnce
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: buckets * group) { rows in
      for first in stride(from: 0, to: lanes, by: group) {
        let width = min(group, lanes - first)
        for bucket in 0..<buckets {
          let from = cells + (bucket * lanes + first)
          for lane in 0..<width { rows[lane * buckets + bucket] = TileCell.byte(from[lane]) }
        }
        for lane in 0..<width {
          append(UnsafeBufferPointer(rebasing: rows[lane * buckets..<(lane + 1) * buckets]))
        }
      }
    }
  }

  private static let lanesAtOnce = 32

  private mutating func append(_ row: UnsafeBufferPointer<UInt8>) {
    let used = row.count { $0 != 0 }
    if used * 2 >= row.count {
      bytes.append(contentsOf: row)
    } else if used > 0 {
      for bucket in row.indices where row[bucket] != 0 {
        bytes.append(UInt8(bucket))
        bytes.append(row[bucket])
      }
    }
    starts.append(UInt32(bytes.count))
  }

  /// Copies the row of a lane to zeroed memory.
  func copy(_ lane: Int, to row: UnsafeMutablePointer<UInt8>) {
    guard lane + 1 < starts.count else { return }
    let (start, end) = (Int(starts[lane]), Int(starts[lane + 1]))
    if end - start == TileGrid.buckets {
      for bucket in 0..<TileGrid.buckets { row[bucket] = bytes[start + bucket] }
    } else {
      for pair in stride(from: start, to: end, by: 2) { row[Int(bytes[pair])] = bytes[pair + 1] }
    }
  }

  /// The memory that it takes, in bytes.
  var heldBytes: Int { bytes.count + 4 * starts.count }
}
