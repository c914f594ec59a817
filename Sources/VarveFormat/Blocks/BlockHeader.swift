/// The kinds of blocks. Readers skip unknown kinds.
package enum BlockKind {
  package static let header: UInt8 = 1
  package static let events: UInt8 = 2
  package static let definitions: UInt8 = 3
  package static let losses: UInt8 = 4
  package static let anchors: UInt8 = 5
  package static let index: UInt8 = 6
  package static let trailer: UInt8 = 7
}

/// The packing of a block's payload.
package enum BlockCodec {
  /// The payload as it is.
  package static let stored: UInt8 = 0
  /// A raw deflate stream.
  package static let deflated: UInt8 = 1
  /// Columns in byte planes: events.
  package static let columns: UInt8 = 2
}

/// The part of the header that all blocks share.
///
/// There are two checksums, so that a reader can trust the header, and walk from block to block,
/// without reading payloads. Both are seeded with the checksum of the trace's ID, so that a
/// recorded value cannot pose as a block of the trace that contains it.
package struct BlockHeader {
  package enum Layout {
    package static let magic = LayoutField(0, 4)
    package static let kind = LayoutField(4, 1)
    package static let codec = LayoutField(5, 1)
    package static let headerBytes = LayoutField(6, 2)
    package static let rawBytes = LayoutField(8, 4)
    package static let storedBytes = LayoutField(12, 4)
    package static let payloadChecksum = LayoutField(16, 4)
    /// The position of the first field that depends on the kind.
    package static let end = 20
  }

  /// The first bytes of each block: 0xd6, "VB", 0x1a.
  static let magic: UInt32 = 0x1a42_56d6
  static let magicBytes: [UInt8] = [0xd6, 0x56, 0x42, 0x1a]
  /// The size of a header without further fields: the shared ones and the checksum.
  static let leastBytes = Layout.end + 4

  var kind: UInt8
  var codec: UInt8
  var headerBytes: Int
  var rawBytes: Int
  var storedBytes: Int
  var payloadChecksum: UInt32

  /// The number of bytes from this header to the next.
  var wholeBytes: Int { headerBytes + storedBytes }

  /// Creates the header at the beginning of `bytes`; nil if there is none, if it is cut off, or if
  /// it contradicts its checksum or the limits.
  init?(_ bytes: UnsafeRawBufferPointer, seed: UInt32) {
    guard bytes.count >= Self.leastBytes, bytes.little(UInt32.self, at: 0) == Self.magic else {
      return nil
    }
    kind = bytes[Layout.kind.offset]
    codec = bytes[Layout.codec.offset]
    headerBytes = Int(bytes.little(UInt16.self, at: Layout.headerBytes.offset))
    rawBytes = Int(bytes.little(UInt32.self, at: Layout.rawBytes.offset))
    storedBytes = Int(bytes.little(UInt32.self, at: Layout.storedBytes.offset))
    payloadChecksum = bytes.little(UInt32.self, at: Layout.payloadChecksum.offset)
    guard headerBytes >= Self.leastBytes, headerBytes <= TraceLimits.blockHeaderBytes,
      headerBytes <= bytes.count, rawBytes <= TraceLimits.payloadBytes,
      storedBytes <= TraceLimits.payloadBytes
    else { return nil }
    let covered = UnsafeRawBufferPointer(rebasing: bytes[..<(headerBytes - 4)])
    let sum = checksum(covered, seed: kind == BlockKind.header ? 0 : seed)
    guard sum == bytes.little(UInt32.self, at: headerBytes - 4) else { return nil }
  }

  /// Returns whether `payload` is as it was written, whatever its kind.
  func accepts(_ payload: UnsafeRawBufferPointer, seed: UInt32) -> Bool {
    payload.count == storedBytes
      && checksum(payload, seed: kind == BlockKind.header ? 0 : seed) == payloadChecksum
  }

  /// Writes the shared fields and the checksum into a header whose other fields are in place.
  static func seal(
    _ header: UnsafeMutableRawBufferPointer, kind: UInt8, codec: UInt8, rawBytes: Int,
    payload: UnsafeRawBufferPointer, seed: UInt32
  ) {
    let seed = kind == BlockKind.header ? 0 : seed
    header.put(magic, at: Layout.magic.offset)
    header.put(kind, at: Layout.kind.offset)
    header.put(codec, at: Layout.codec.offset)
    header.put(UInt16(header.count), at: Layout.headerBytes.offset)
    header.put(UInt32(rawBytes), at: Layout.rawBytes.offset)
    header.put(UInt32(payload.count), at: Layout.storedBytes.offset)
    header.put(checksum(payload, seed: seed), at: Layout.payloadChecksum.offset)
    let covered = UnsafeRawBufferPointer(rebasing: header[..<(header.count - 4)])
    header.put(checksum(covered, seed: seed), at: header.count - 4)
  }
}

extension TraceID {
  /// The seed of the checksums of this trace's blocks.
  var seed: UInt32 {
    var bytes: [UInt8] = []
    bytes.append(little: low)
    bytes.append(little: high)
    return bytes.withUnsafeBytes { checksum($0) }
  }
}
