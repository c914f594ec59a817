/// Writes columns: splits numbers into planes (the lowest bytes of all, then the next, …) and packs
/// each plane in the way that suits it.
///
/// The bytes of a plane resemble one another far more than the bytes of a number do, and a plane of
/// noise costs its size and no more. A sample shows which packing comes close to a plane's entropy
/// at the lowest cost; level 1 everywhere would be larger and ten times slower.
final class PlaneEncoder {
  private static let shortestPacked = 48
  /// Planes smaller than this are stored as they are.
  private static let shortestListed = 12
  /// The length of the beginning of a text that is packed in both ways to compare them.
  private static let trialBytes = 2_048

  private let deflater: Deflater
  private var trials = TextTrials()
  private let sample = PlaneSample()
  private let scratch = BlockBuffer(capacity: 1_024)
  private let encoded = BlockBuffer(capacity: 1_024)
  private let codes = Scratch<UInt8>()
  private let others = Scratch<UInt8>()
  private let plane = Scratch<UInt8>(capacity: TraceLimits.eventsWritten)

  init(deflater: Deflater) { self.deflater = deflater }

  /// Writes a column of numbers; nothing if all are 0.
  func append<Number: FixedWidthInteger & UnsignedInteger>(
    _ column: UInt8, _ numbers: UnsafePointer<Number>, count: Int, to out: BlockBuffer
  ) {
    var some: Number = 0
    var all = Number.max
    for entry in 0..<count {
      some |= numbers[entry]
      all &= numbers[entry]
    }
    guard some != 0, count > 0 else { return }
    let planes = (Number.bitWidth - some.leadingZeroBitCount + 7) / 8
    out.append(column)
    out.append(UInt8(planes))
    let plane = plane.reserve(count)
    for index in 0..<planes {
      let shift = Number(index * 8)
      if (some ^ all) >> shift & 0xff == 0 {
        // Each bit set in some number is set in all: the plane has only one byte value.
        let byte = UInt8(truncatingIfNeeded: some >> shift)
        out.append(varint: UInt64(byte) << 2 | UInt64(PlaneForm.constant))
        continue
      }
      for entry in 0..<count {
        plane[entry] = UInt8(truncatingIfNeeded: numbers[entry] &>> shift)
      }
      let bytes = UnsafeRawBufferPointer(start: plane, count: count)
      append(plane: bytes, plan(for: bytes), to: out)
    }
  }

  private func plan(for bytes: UnsafeRawBufferPointer) -> PlanePlan {
    guard bytes.count < Self.shortestPacked else { return sample.plan(for: bytes) }
    guard bytes.count >= Self.shortestListed else { return .store }
    // Tables of shapes consist mostly of one number with, once or twice, another.
    sample.findMainValue(bytes)
    return .encode(width: 1)
  }

  /// Writes a column of numbers; nothing if all are 0.
  func append<Number: FixedWidthInteger & UnsignedInteger>(
    _ column: UInt8, _ numbers: NumberList<Number>, to out: BlockBuffer
  ) {
    append(column, numbers.base, count: numbers.count, to: out)
  }

  /// Writes a column of a ring's text as one plane; nothing if the text is empty.
  func append(
    _ column: UInt8, text: UnsafeRawBufferPointer, of ring: UInt32, to out: BlockBuffer
  ) {
    guard !text.isEmpty else { return }
    out.append(column)
    out.append(1)
    let plan = text.count < Self.shortestPacked ? .store : plan(forText: text, of: ring)
    append(plane: text, plan, to: out)
  }

  /// Words repeat and digits do not; only a trial shows which prevail.
  private func plan(forText text: UnsafeRawBufferPointer, of ring: UInt32) -> PlanePlan {
    if let strategy = trials.outcome(for: ring) { return .deflate(strategy) }
    let part = UnsafeRawBufferPointer(rebasing: text.prefix(Self.trialBytes))
    scratch.removeAll()
    let repeats = deflater.append(part, to: scratch, .repeats)
    let frequencies = deflater.append(part, to: scratch, .frequencies)
    let strategy: Deflater.Strategy = repeats * 20 < frequencies * 19 ? .repeats : .frequencies
    if text.count >= Self.trialBytes { trials.note(strategy, for: ring) }
    return .deflate(strategy)
  }

  private func append(plane bytes: UnsafeRawBufferPointer, _ plan: PlanePlan, to out: BlockBuffer) {
    let before = out.count
    switch plan {
    case .store: break
    case .deflate(let strategy):
      if pack(bytes, to: out, strategy) { return }
    case .encode(let width):
      if encode(bytes, width: width, to: out) { return }
    }
    out.truncate(to: before)
    out.append(varint: UInt64(bytes.count) << 2 | UInt64(PlaneForm.stored))
    out.append(bytes)
  }

  /// Appends the plane as codes, unless that is no smaller.
  private func encode(_ bytes: UnsafeRawBufferPointer, width: Int, to out: BlockBuffer) -> Bool {
    let size = PlaneCodes.bytes(for: bytes.count, width: width)
    let codes = codes.reserve(size)
    let others = others.reserve(bytes.count)
    let count = PlaneCodes.encode(
      bytes, width: width, values: sample.values, into: codes, others: others)
    encoded.removeAll()
    encoded.append(UInt8(width))
    for code in 0..<PlaneCodes.values(width: width) {
      encoded.append(code < sample.values.count ? sample.values[code] : 0)
    }
    // Single bits are nearly all 0.
    append(
      inner: UnsafeRawBufferPointer(start: codes, count: size), width == 1 ? .runs : .frequencies)
    if count > 0 {
      append(inner: UnsafeRawBufferPointer(start: others, count: count), .frequencies)
    }
    guard encoded.count < bytes.count else { return false }
    out.append(varint: UInt64(encoded.count) << 2 | UInt64(PlaneForm.encoded))
    out.append(encoded.bytes)
    return true
  }

  /// Appends a plane inside an encoded one, without encoding it in turn.
  private func append(inner bytes: UnsafeRawBufferPointer, _ strategy: Deflater.Strategy) {
    if PlaneSample.isConstant(bytes) {
      encoded.append(varint: UInt64(bytes[0]) << 2 | UInt64(PlaneForm.constant))
      return
    }
    append(
      plane: bytes, bytes.count < Self.shortestPacked ? .store : .deflate(strategy), to: encoded)
  }

  /// Appends the plane deflated, unless that is no smaller.
  private func pack(
    _ bytes: UnsafeRawBufferPointer, to out: BlockBuffer, _ strategy: Deflater.Strategy
  ) -> Bool {
    // The length comes first but is known last: its varint is as wide as the plane's full size
    // needs, which is at most one byte too many.
    let width = (64 - (UInt64(bytes.count) << 2).leadingZeroBitCount + 6) / 7
    let start = out.count
    out.appendZeros(width)
    let packed = deflater.append(bytes, to: out, strategy)
    guard packed < bytes.count else { return false }
    var rest = UInt64(packed) << 2 | UInt64(PlaneForm.deflated)
    let length = out.part(start..<start + width)
    for index in 0..<width {
      length[index] = UInt8(truncatingIfNeeded: rest & 0x7f) | (index == width - 1 ? 0 : 0x80)
      rest >>= 7
    }
    return true
  }
}
