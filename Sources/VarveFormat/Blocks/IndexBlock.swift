/// The layout of an index block, which lists the headers of the blocks since the previous index
/// block, byte for byte: to open a finished trace, a reader reads one index block for some hundred
/// blocks instead of looking at each.
///
/// Index blocks form a chain backwards from the trailer. None lists itself or another.
package enum IndexBlock {
  package enum Layout {
    /// The offset of the previous index block; 0 if there is none.
    package static let previous = LayoutField(20, 8)
    /// The offset of the first block listed. The others follow without a gap, up to this block.
    package static let first = LayoutField(28, 8)
    package static let count = LayoutField(36, 4)
    package static let end = 40
  }

  static let headerBytes = Layout.end + 4

}

/// The fields of an index block's header.
struct IndexLink {
  var previous: UInt64
  var first: UInt64
  var count: Int

  init(previous: UInt64, first: UInt64, count: Int) {
    self.previous = previous
    self.first = first
    self.count = count
  }

  init?(_ bytes: UnsafeRawBufferPointer, _ header: BlockHeader) {
    guard header.kind == BlockKind.index, header.headerBytes >= IndexBlock.headerBytes else {
      return nil
    }
    previous = bytes.little(UInt64.self, at: IndexBlock.Layout.previous.offset)
    first = bytes.little(UInt64.self, at: IndexBlock.Layout.first.offset)
    count = Int(bytes.little(UInt32.self, at: IndexBlock.Layout.count.offset))
  }

  func fill(_ header: UnsafeMutableRawBufferPointer) {
    header.put(previous, at: IndexBlock.Layout.previous.offset)
    header.put(first, at: IndexBlock.Layout.first.offset)
    header.put(UInt32(count), at: IndexBlock.Layout.count.offset)
  }
}
