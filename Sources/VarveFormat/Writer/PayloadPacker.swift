/// A composer of blocks other than event blocks: room for a header, then a payload, as it is or
/// deflated.
final class PayloadPacker {
  /// The block.
  let out = BlockBuffer(capacity: 16 << 10)
  private let deflater: Deflater

  init(deflater: Deflater) { self.deflater = deflater }

  /// Begins a block with room for its header.
  func begin(headerBytes: Int) {
    out.removeAll()
    out.appendZeros(headerBytes)
  }

  /// Begins a block and fills it with `payload`, deflated.
  ///
  /// A reader refuses payloads that unpack to more than eight times their size, as hostile ones do.
  /// Without looking for repeats, deflate needs at least a bit per byte and stays within the limit.
  func pack(_ payload: UnsafeRawBufferPointer, headerBytes: Int) {
    begin(headerBytes: headerBytes)
    let packed = deflater.append(payload, to: out, .repeats)
    guard packed * TraceLimits.unpackingRatio < payload.count else { return }
    begin(headerBytes: headerBytes)
    _ = deflater.append(payload, to: out, .frequencies)
  }
}
