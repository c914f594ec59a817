/// The headers of the blocks written since the last index block. There are never many: an index
/// block is written for every few hundred blocks, so that a recording of weeks needs no more memory
/// than one of seconds.
struct IndexBuilder {
  /// The offset of the first block that is, or will be, listed here.
  var first: UInt64 = 0
  /// The offset of the last index block; 0 if there is none.
  private(set) var previous: UInt64 = 0
  private(set) var headers: [UInt8] = []
  private(set) var count = 0

  var isFull: Bool { count >= TraceLimits.blocksInIndex }

  var link: IndexLink { IndexLink(previous: previous, first: first, count: count) }

  mutating func add(_ header: UnsafeRawBufferPointer) {
    headers.append(contentsOf: header)
    count += 1
  }

  /// Removes what an index block has listed.
  mutating func wasWritten(at offset: UInt64, end: UInt64) {
    previous = offset
    first = end
    headers.removeAll(keepingCapacity: true)
    count = 0
  }
}
