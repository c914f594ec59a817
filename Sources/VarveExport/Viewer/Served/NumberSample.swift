/// The distribution of numbers, of which any amount may come: exact for a few thousand, or fewer where
/// there are many distributions at once, and of more, estimated from as many that were chosen by chance.
struct NumberSample {
  private(set) var count = 0
  private var least = Double.infinity
  private var greatest = -Double.infinity
  private var kept: [Double] = []
  private var seed: UInt64 = 0x9e37_79b9_7f4a_7c15

  private let most: Int

  private static let parts = 24
  /// The numbers that all samples of an answer keep, and the bounds of what one of them does.
  private static let mostOfAll = 2 << 20
  private static let bounds = 256...8_192

  /// An empty one, beside others.
  init(oneOf samples: Int) {
    most = min(
      max(Self.mostOfAll / max(samples, 1), Self.bounds.lowerBound), Self.bounds.upperBound)
  }

  mutating func add(_ number: Double) {
    count += 1
    least = min(least, number)
    greatest = max(greatest, number)
    if kept.count < most { return kept.append(number) }
    seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    // A place among all numbers, without a division.
    let place = Int((seed >> 32).multipliedFullWidth(by: UInt64(count) << 32).high)
    if place < most { kept[place] = number }
  }

  /// Quantiles and a histogram, as the page draws them; nil if there are no numbers.
  var json: String? {
    guard count > 0 else { return nil }
    let sorted = kept.sorted()
    func quantile(_ part: Double) -> String {
      RealText.json(sorted[min(sorted.count - 1, Int(part * Double(sorted.count)))])
    }
    let bars = histogram(sorted).map { bar in
      // Nobody sees fractions of great numbers, which take long to write.
      let from = bar.from.magnitude >= 1_000 ? bar.from.rounded() : bar.from
      return "[\(RealText.json(from)),\(bar.count)]"
    }
    return """
      {"count":\(count),"min":\(RealText.json(least)),"p50":\(quantile(0.5)),\
      "p90":\(quantile(0.9)),"p99":\(quantile(0.99)),"max":\(RealText.json(greatest)),\
      "histogram":[\(bars.joined(separator: ","))]}
      """
  }

  /// The numbers in parts of equal width, or of equal ratio where they differ widely.
  private func histogram(_ sorted: [Double]) -> [(from: Double, count: Int)] {
    guard least < greatest else { return [(least, count)] }
    let isWide = least > 0 && greatest / least > 50
    // Logarithms are not in the standard library: the ratio is found by halving.
    let bounds =
      isWide
      ? Self.ratios(from: least, to: greatest)
      : (0..<Self.parts).map { least + (greatest - least) / Double(Self.parts) * Double($0) }
    var bars = bounds.map { (from: $0, count: 0) }
    var part = 0
    for number in sorted {
      while part + 1 < bounds.count, number >= bounds[part + 1] { part += 1 }
      bars[part].count += 1
    }
    let scale = Double(count) / Double(sorted.count)
    return bars.map { ($0.from, Int((Double($0.count) * scale).rounded())) }
  }

  private static func ratios(from least: Double, to greatest: Double) -> [Double] {
    var (low, high) = (1.0, greatest / least)
    for _ in 0..<60 {
      let middle = (low * high).squareRoot()
      let power = (0..<parts).reduce(1.0) { product, _ in product * middle }
      if power > greatest / least { high = middle } else { low = middle }
    }
    return (0..<parts).reduce(into: []) { bounds, _ in
      bounds.append((bounds.last ?? least / low) * low)
    }
  }
}
