/// The limits of a trace's contents. A reader checks each length against them, and against the
/// file's size, before it allocates anything.
package enum TraceLimits {
  /// The size of a trace header in bytes, including the checksum.
  package static let headerBytes = 65_536
  /// The size of a block header in bytes, including the checksum.
  package static let blockHeaderBytes = 256
  /// The size of a block's payload in bytes, in the file and unpacked.
  package static let payloadBytes = 8 << 20
  /// The number of events in a block.
  package static let eventsInBlock = 65_536
  /// The largest ratio of a deflated payload's contents to its size. One deflated byte can yield a
  /// thousand; a writer whose payload would shrink more than this packs it less tightly.
  package static let unpackingRatio = 8

  /// The number of events that a writer puts into a block. Smaller blocks cost 2 to 9 % more bytes.
  static let eventsWritten = 16_384
  /// The number of bytes of ring records that a writer puts into a block.
  static let recordBytesWritten = 4 << 20
  /// The number of bytes of definitions that a writer puts into a block.
  static let definitionBytesWritten = 256 << 10
  /// The number of losses that a writer puts into a block.
  static let lossesWritten = 8_192
  /// The number of blocks that one index block lists.
  static let blocksInIndex = 512
}

/// A field at a fixed position: the code's counterpart to a row in `Docs/Format.md`.
package struct LayoutField: Sendable, Hashable {
  /// The field's position.
  package let offset: Int
  /// The field's size in bytes.
  package let size: Int

  /// Creates a field.
  package init(_ offset: Int, _ size: Int) {
    self.offset = offset
    self.size = size
  }
}
