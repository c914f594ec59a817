/// What a trace may hold at most. A reader checks a length against them, and against the file's
/// size, before it makes room for anything.
package enum TraceLimits {
  /// A trace header's bytes, checksum included.
  package static let headerBytes = 65_536
  /// A block header's bytes, checksum included.
  package static let blockHeaderBytes = 256
  /// A block's payload, in the file and unpacked.
  package static let payloadBytes = 8 << 20
  /// Events in a block.
  package static let eventsInBlock = 65_536
  /// How many times smaller than its content a deflated payload may be. A deflated byte can make
  /// a thousand; a writer whose payload would shrink more than this packs it less tightly.
  package static let unpackingRatio = 8

  /// Events that a writer puts into a block. Smaller blocks cost 2 to 9 % more bytes.
  static let eventsWritten = 16_384
  /// Bytes of ring records that a writer puts into a block.
  static let recordBytesWritten = 4 << 20
  /// Bytes of definitions that a writer puts into a block.
  static let definitionBytesWritten = 256 << 10
  /// Losses that a writer puts into a block.
  static let lossesWritten = 8_192
  /// Blocks that one index block lists.
  static let blocksInIndex = 512
}

/// A field of fixed place: the code's side of a row in `Docs/Format.md`.
package struct LayoutField: Sendable, Hashable {
  /// Where it begins.
  package let offset: Int
  /// Its bytes.
  package let size: Int

  /// Creates a field.
  package init(_ offset: Int, _ size: Int) {
    self.offset = offset
    self.size = size
  }
}
