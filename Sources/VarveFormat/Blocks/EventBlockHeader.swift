/// The fields of an event block's header beyond the shared ones.
package enum EventBlockHeader {
  package enum Layout {
    package static let count = LayoutField(20, 4)
    package static let ring = LayoutField(24, 4)
    package static let firstSequence = LayoutField(28, 8)
    package static let firstEvent = LayoutField(36, 8)
    package static let firstTick = LayoutField(44, 8)
    package static let lastTick = LayoutField(52, 8)
    package static let kinds = LayoutField(60, 8)
    package static let streamWords = LayoutField(68, 2)
    /// Where the stream set's words begin.
    package static let end = 70
  }

  /// What sequence numbers can be: far from where adding to them overflows.
  package static let sequences = 1..<UInt64(1) << 48

  /// Bytes of a header whose stream set is this.
  static func bytes(for streams: StreamSet) -> Int {
    Layout.end + 8 * streams.words.count { $0 != 0 } + 4
  }

  /// Fills a header's own fields. `header` has the size that `bytes(for:)` told.
  static func fill(_ header: UnsafeMutableRawBufferPointer, with block: BlockSummary) {
    header.put(UInt32(block.count), at: Layout.count.offset)
    header.put(block.ring, at: Layout.ring.offset)
    header.put(block.firstSequence, at: Layout.firstSequence.offset)
    header.put(block.ticks.lowerBound, at: Layout.firstTick.offset)
    header.put(block.ticks.upperBound, at: Layout.lastTick.offset)
    header.put(block.kinds.bits, at: Layout.kinds.offset)
    var mask: UInt16 = 0
    var offset = Layout.end
    for (index, word) in block.streams.words.enumerated() where word != 0 {
      mask |= 1 << UInt16(index)
      header.put(word, at: offset)
      offset += 8
    }
    header.put(mask, at: Layout.streamWords.offset)
  }

  /// What the header of an event block says; nil when it contradicts itself.
  static func summary(
    _ bytes: UnsafeRawBufferPointer, _ header: BlockHeader, offset: UInt64
  ) -> BlockSummary? {
    guard header.headerBytes >= Layout.end + 4 else { return nil }
    let mask = bytes.little(UInt16.self, at: Layout.streamWords.offset)
    guard header.headerBytes >= Layout.end + 8 * mask.nonzeroBitCount + 4 else { return nil }
    let count = Int(bytes.little(UInt32.self, at: Layout.count.offset))
    let sequence = bytes.little(UInt64.self, at: Layout.firstSequence.offset)
    let first = bytes.little(UInt64.self, at: Layout.firstTick.offset)
    let last = bytes.little(UInt64.self, at: Layout.lastTick.offset)
    guard count >= 1, count <= TraceLimits.eventsInBlock, count * 32 <= header.rawBytes,
      sequences.contains(sequence), first <= last
    else { return nil }
    return BlockSummary(
      offset: offset, storedBytes: UInt64(header.wholeBytes),
      ring: bytes.little(UInt32.self, at: Layout.ring.offset), count: count,
      firstSequence: sequence, ticks: first...last,
      streams: streams(bytes, mask: mask),
      kinds: KindSet(bits: bytes.little(UInt64.self, at: Layout.kinds.offset)))
  }

  private static func streams(_ bytes: UnsafeRawBufferPointer, mask: UInt16) -> StreamSet {
    var streams = StreamSet()
    var offset = Layout.end
    for index in 0..<16 where mask & 1 << UInt16(index) != 0 {
      streams.words[index] = bytes.little(UInt64.self, at: offset)
      offset += 8
    }
    return streams
  }
}
