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
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: buckets) { row in
      for lane in 0..<lanes {
        var used = 0
        for bucket in 0..<buckets {
          let byte = TileCell.byte(cells[bucket * lanes + lane])
          row[bucket] = byte
          if byte != 0 { used += 1 }
        }
        if used * 2 >= buckets {
          bytes.append(contentsOf: row)
        } else if used > 0 {
          for bucket in 0..<buckets where row[bucket] != 0 {
            bytes.append(UInt8(bucket))
            bytes.append(row[bucket])
          }
        }
        starts.append(UInt32(bytes.count))
      }
    }
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
