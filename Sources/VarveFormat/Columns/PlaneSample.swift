internal import VarvePlatform

/// The packing of a plane.
enum PlanePlan {
  /// Stores it as it is: it looks like noise.
  case store
  case deflate(Deflater.Strategy)
  /// Codes of the given width, for planes in which few values make up nearly all bytes.
  case encode(width: Int)
}

/// Samples a plane to see what kind of bytes it holds.
final class PlaneSample {
  private static let windows = 16
  private static let windowBytes = 64
  private static let longestPeriod = 64
  /// Planes smaller than this are not worth a table of codes.
  private static let shortestEncoded = 1_024

  /// The values in the last sample, most frequent first, if the plan was to encode.
  private(set) var values: [UInt8] = []
  private let histogram: UnsafeMutablePointer<Int>
  /// At index `n`, the bits contributed by a byte value that occurs `n` times in the sample.
  private let bits: [Float]

  init() {
    histogram = .allocate(capacity: 256)
    bits = (0...Self.windows * Self.windowBytes).map { $0 == 0 ? 0 : Float($0) * log2(Float($0)) }
  }

  deinit { histogram.deallocate() }

  /// Returns whether all bytes are the same. There must be at least one.
  static func isConstant(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard let start = bytes.baseAddress else { return true }
    return memcmp(start, start + 1, bytes.count - 1) == 0
  }

  /// Returns the packing for a plane of at least two bytes.
  func plan(for bytes: UnsafeRawBufferPointer) -> PlanePlan {
    let (samples, runs) = take(bytes)
    let period = period(bytes)
    if let period, period > 1 { return .deflate(.repeats) }
    if bytes.count >= Self.shortestEncoded, let value = mainValue(samples) {
      values = [value]
      return .encode(width: 1)
    }
    if period != nil { return .deflate(.repeats) }
    var sum: Float = 0
    var squares = 0
    var most = 0
    for value in 0..<256 {
      sum += bits[histogram[value]]
      squares += histogram[value] * histogram[value]
      most = max(most, histogram[value])
    }
    let entropy = (bits[samples] - sum) / Float(samples)
    if entropy > 7.55 { return .store }
    // In random data, a byte equals its predecessor as often as chance predicts.
    let byChance = squares / samples
    let hasRuns = (runs - byChance) * 10 > samples
    if hasRuns { return .deflate(entropy < 1.5 ? .repeats : .runs) }
    if most * 100 >= samples * 98 { return .deflate(.repeats) }
    if bytes.count >= Self.shortestEncoded, let width = width(samples) {
      return .encode(width: width)
    }
    return .deflate(entropy < 1.5 ? .repeats : .frequencies)
  }

  /// Returns the value of nearly all bytes, if there is one: one bit per byte then tells it from
  /// others.
  private func mainValue(_ samples: Int) -> UInt8? {
    for value in 0..<256 where histogram[value] * 100 >= samples * 98 { return UInt8(value) }
    return nil
  }

  /// Finds the most frequent value of a few bytes, for codes of one bit.
  func findMainValue(_ bytes: UnsafeRawBufferPointer) {
    histogram.update(repeating: 0, count: 256)
    var best: UInt8 = 0
    for byte in bytes {
      histogram[Int(byte)] += 1
      if histogram[Int(byte)] > histogram[Int(best)] { best = byte }
    }
    values = [best]
  }

  /// Returns the width of codes that cover nearly all bytes; nil if there are too many values.
  private func width(_ samples: Int) -> Int? {
    values = (0..<256).filter { histogram[$0] > 0 }.sorted { histogram[$0] > histogram[$1] }
      .map(UInt8.init)
    func covered(_ count: Int) -> Int { values.prefix(count).reduce(0) { $0 + histogram[Int($1)] } }
    if covered(3) * 100 >= samples * 95 { return 2 }
    // Deflate cannot spend less than a bit on a byte; where no byte deserves less, codes gain
    // nothing.
    if histogram[Int(values[0])] * 2 > samples, covered(15) * 100 >= samples * 97 { return 4 }
    return nil
  }

  /// Fills the histogram; returns the number of bytes sampled, and how many of them are followed by
  /// an equal byte.
  private func take(_ bytes: UnsafeRawBufferPointer) -> (samples: Int, runs: Int) {
    histogram.update(repeating: 0, count: 256)
    var samples = 0
    var runs = 0
    // Windows, since single bytes could all fall on the same position of a longer pattern.
    let window = min(Self.windowBytes, bytes.count - 1)
    let step = max(window, (bytes.count - 1) / Self.windows)
    var start = 0
    while start + window < bytes.count, samples < Self.windows * Self.windowBytes {
      for index in start..<start + window {
        histogram[Int(bytes[index])] += 1
        if bytes[index] == bytes[index + 1] { runs += 1 }
      }
      samples += window
      start += step
    }
    return (samples, runs)
  }

  /// Returns the distance after which a part of the plane repeats itself, if it is short. The part
  /// is not the beginning, where the first entry of each shape differs from the rest.
  private func period(_ bytes: UnsafeRawBufferPointer) -> Int? {
    guard bytes.count >= 256, let base = bytes.baseAddress else { return nil }
    let start = base + bytes.count / 8
    let length = min(512, bytes.count - bytes.count / 8 - Self.longestPeriod)
    return (1...Self.longestPeriod).first { memcmp(start, start + $0, length) == 0 }
  }
}
