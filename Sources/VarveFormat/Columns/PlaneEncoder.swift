#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

/// Writes columns: splits numbers into planes (the lowest bytes of all, then the next, …) and packs
/// each plane in the way that suits it.
///
/// The bytes of one plane resemble one another far more than the bytes of one number do, and a
/// plane that is noise costs its size and no more. A sample tells which way of packing comes close
/// to a plane's entropy at the least cost; level 1 everywhere would be larger and ten times slower.
final class PlaneEncoder {
  private static let sampled = 1_024
  private static let longestPeriod = 64
  private static let shortestPacked = 48

  private let deflater: Deflater
  private var plane: UnsafeMutablePointer<UInt8>
  private var planeCapacity = TraceLimits.eventsWritten
  private let histogram: UnsafeMutablePointer<UInt32>
  /// At `n`, the bits that a byte contributes which occurs `n` times in the sample.
  private let bits: [Float]

  init(deflater: Deflater) {
    self.deflater = deflater
    plane = .allocate(capacity: planeCapacity)
    histogram = .allocate(capacity: 256)
    bits = (0...2 * Self.sampled).map { $0 == 0 ? 0 : Float($0) * log2(Float($0)) }
  }

  deinit {
    plane.deallocate()
    histogram.deallocate()
  }

  /// Writes a column of numbers whose bits all lie in `mask`; nothing if there are none.
  func append<Number: FixedWidthInteger & UnsignedInteger>(
    _ column: UInt8, _ numbers: UnsafePointer<Number>, count: Int, mask: Number,
    to out: BlockBuffer
  ) {
    guard mask != 0, count > 0 else { return }
    let planes = (Number.bitWidth - mask.leadingZeroBitCount + 7) / 8
    out.append(column)
    out.append(UInt8(planes))
    reserve(count)
    for index in 0..<planes {
      let shift = Number(index * 8)
      if mask >> shift & 0xff == 0 {
        out.append(varint: UInt64(PlaneForm.constant))
        continue
      }
      for entry in 0..<count {
        plane[entry] = UInt8(truncatingIfNeeded: numbers[entry] &>> shift)
      }
      append(plane: UnsafeRawBufferPointer(start: plane, count: count), to: out)
    }
  }

  /// Writes a column of bytes; nothing if there are none.
  func append(_ column: UInt8, bytes: UnsafeRawBufferPointer, to out: BlockBuffer) {
    guard !bytes.isEmpty else { return }
    out.append(column)
    out.append(1)
    append(plane: bytes, to: out)
  }

  private func reserve(_ count: Int) {
    guard count > planeCapacity else { return }
    plane.deallocate()
    planeCapacity = count
    plane = .allocate(capacity: count)
  }

  private func append(plane bytes: UnsafeRawBufferPointer, to out: BlockBuffer) {
    guard let start = bytes.baseAddress else { return }
    if memcmp(start, start + 1, bytes.count - 1) == 0 {
      out.append(varint: UInt64(bytes[0]) << 2 | UInt64(PlaneForm.constant))
      return
    }
    let before = out.count
    if bytes.count >= Self.shortestPacked, let strategy = strategy(for: bytes),
      pack(bytes, to: out, strategy)
    {
      return
    }
    out.truncate(to: before)
    out.append(varint: UInt64(bytes.count) << 2 | UInt64(PlaneForm.stored))
    out.append(bytes)
  }

  /// Appends the plane deflated unless that is no smaller.
  private func pack(
    _ bytes: UnsafeRawBufferPointer, to out: BlockBuffer, _ strategy: Deflater.Strategy
  ) -> Bool {
    // The length comes first but is known last: its varint gets the width that the plane's own
    // size needs, which is at most one byte too many.
    let width = varintBytes(UInt64(bytes.count) << 2)
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

  private func varintBytes(_ number: UInt64) -> Int {
    max(1, (64 - number.leadingZeroBitCount + 6) / 7)
  }

  /// How to pack a plane; nil when it looks like noise.
  private func strategy(for bytes: UnsafeRawBufferPointer) -> Deflater.Strategy? {
    if hasPeriod(bytes) { return .repeats }
    histogram.update(repeating: 0, count: 256)
    let step = max(1, bytes.count / Self.sampled)
    var samples = 0
    var runs = 0
    var index = 0
    while index < bytes.count - 1 {
      histogram[Int(bytes[index])] += 1
      if bytes[index] == bytes[index + 1] { runs += 1 }
      samples += 1
      index += step
    }
    var sum: Float = 0
    for value in 0..<256 { sum += bits[Int(histogram[value])] }
    let entropy = (bits[samples] - sum) / Float(samples)
    if entropy > 7.55 && samples >= Self.sampled / 2 { return nil }
    if entropy < 1.5 { return .repeats }
    return runs * 10 > samples * 6 ? .runs : .frequencies
  }

  /// Whether the plane's beginning repeats itself after a few bytes.
  private func hasPeriod(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard bytes.count >= 256, let start = bytes.baseAddress else { return false }
    let length = min(512, bytes.count - Self.longestPeriod)
    for period in 1...Self.longestPeriod where memcmp(start, start + period, length) == 0 {
      return true
    }
    return false
  }
}
