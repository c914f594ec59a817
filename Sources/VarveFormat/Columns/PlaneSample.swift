internal import VarvePlatform

/// How a plane is to be written.
enum PlanePlan {
  /// As it is: it looks like noise.
  case store
  case deflate(Deflater.Strategy)
  /// As codes of so many bits, for planes in which few values make up nearly all bytes.
  case encode(width: Int)
}

/// Looks at a part of a plane to see what kind of bytes it holds.
final class PlaneSample {
  private static let windows = 16
  private static let windowBytes = 64
  private static let longestPeriod = 64
  /// Planes below this size are not worth a table of codes.
  private static let shortestEncoded = 1_024

  /// The values that occur in the last sample, the most frequent first, if the plan was to encode.
  private(set) var values: [UInt8] = []
  private let histogram: UnsafeMutablePointer<Int>
  /// At `n`, the bits that a byte contributes which occurs `n` times in the sample.
  private let bits: [Float]

  init() {
    histogram = .allocate(capacity: 256)
    bits = (0...Self.windows * Self.windowBytes).map { $0 == 0 ? 0 : Float($0) * log2(Float($0)) }
  }

  deinit { histogram.deallocate() }

  /// Whether all bytes, of which there is one at least, are the same.
  static func isConstant(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard let start = bytes.baseAddress else { return true }
    return memcmp(start, start + 1, bytes.count - 1) == 0
  }

  /// How to write a plane of at least two bytes.
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
    // Bytes without any order follow themselves as often as chance has it.
    let byChance = squares / samples
    let hasRuns = (runs - byChance) * 10 > samples
    if hasRuns { return .deflate(entropy < 1.5 ? .repeats : .runs) }
    if most * 100 >= samples * 98 { return .deflate(.repeats) }
    if bytes.count >= Self.shortestEncoded, let width = width(samples) {
      return .encode(width: width)
    }
    return .deflate(entropy < 1.5 ? .repeats : .frequencies)
  }

  /// The value that nearly all bytes have: a bit then tells of each whether it has it.
  private func mainValue(_ samples: Int) -> UInt8? {
    for value in 0..<256 where histogram[value] * 100 >= samples * 98 { return UInt8(value) }
    return nil
  }

  /// Looks for the most frequent value of a few bytes, for codes of one bit.
  func findMainValue(_ bytes: UnsafeRawBufferPointer) {
    histogram.update(repeating: 0, count: 256)
    var best: UInt8 = 0
    for byte in bytes {
      histogram[Int(byte)] += 1
      if histogram[Int(byte)] > histogram[Int(best)] { best = byte }
    }
    values = [best]
  }

  /// The width of codes that nearly all bytes have room in; nil when there are too many values.
  private func width(_ samples: Int) -> Int? {
    values = (0..<256).filter { histogram[$0] > 0 }.sorted { histogram[$0] > histogram[$1] }
      .map(UInt8.init)
    func covered(_ count: Int) -> Int { values.prefix(count).reduce(0) { $0 + histogram[Int($1)] } }
    if covered(3) * 100 >= samples * 95 { return 2 }
    // Packing cannot give a byte less than a bit; where no byte deserves less, codes gain nothing.
    if histogram[Int(values[0])] * 2 > samples, covered(15) * 100 >= samples * 97 { return 4 }
    return nil
  }

  /// Fills the histogram; returns how many bytes it counts, and how many of them are followed by
  /// the same byte.
  private func take(_ bytes: UnsafeRawBufferPointer) -> (samples: Int, runs: Int) {
    histogram.update(repeating: 0, count: 256)
    var samples = 0
    var runs = 0
    // Windows and not single bytes: those could all fall on the same place of a longer pattern.
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

  /// After how many bytes a part of the plane repeats itself, if it does so soon. Not its beginning:
  /// what comes first of each shape is different from the rest.
  private func period(_ bytes: UnsafeRawBufferPointer) -> Int? {
    guard bytes.count >= 256, let base = bytes.baseAddress else { return nil }
    let start = base + bytes.count / 8
    let length = min(512, bytes.count - bytes.count / 8 - Self.longestPeriod)
    return (1...Self.longestPeriod).first { memcmp(start, start + $0, length) == 0 }
  }
}
