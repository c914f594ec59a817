#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

/// Looks at a part of a plane to see what kind of bytes it holds.
final class PlaneSample {
  private static let windows = 16
  private static let windowBytes = 64
  private static let longestPeriod = 64

  private let histogram: UnsafeMutablePointer<UInt32>
  /// At `n`, the bits that a byte contributes which occurs `n` times in the sample.
  private let bits: [Float]

  init() {
    histogram = .allocate(capacity: 256)
    bits = (0...Self.windows * Self.windowBytes).map { $0 == 0 ? 0 : Float($0) * log2(Float($0)) }
  }

  deinit { histogram.deallocate() }

  /// How to pack a plane; nil when it looks like noise.
  func strategy(for bytes: UnsafeRawBufferPointer) -> Deflater.Strategy? {
    if hasPeriod(bytes) { return .repeats }
    histogram.update(repeating: 0, count: 256)
    var samples = 0
    var runs = 0
    // Windows and not single bytes: those could all fall on the same place of a longer pattern.
    let window = min(Self.windowBytes, bytes.count - 1)
    let step = max(window, (bytes.count - 1) / Self.windows)
    for start in stride(from: 0, to: bytes.count - window, by: step).prefix(Self.windows) {
      for index in start..<start + window {
        histogram[Int(bytes[index])] += 1
        if bytes[index] == bytes[index + 1] { runs += 1 }
      }
      samples += window
    }
    var sum: Float = 0
    for value in 0..<256 { sum += bits[Int(histogram[value])] }
    let entropy = (bits[samples] - sum) / Float(samples)
    if entropy > 7.55 { return nil }
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
