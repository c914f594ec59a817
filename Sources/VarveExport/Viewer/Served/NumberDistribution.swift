/// How numbers are distributed: exactly if all were kept, and else estimated from those that were.
struct NumberDistribution {
  private let count: Int
  private let least: Double
  private let greatest: Double
  private let sorted: [Double]

  private static let parts = 24

  /// The distribution of what two samples got.
  init(_ one: borrowing NumberSample, _ other: borrowing NumberSample) {
    count = one.count + other.count
    least = min(one.least, other.least)
    greatest = max(one.greatest, other.greatest)
    let (first, second) = (one.kept, other.kept)
    // Each of those that are left stands for as many as any other.
    let weights = (
      Double(one.count) / Double(max(first.count, 1)),
      Double(other.count) / Double(max(second.count, 1))
    )
    let weight = max(weights.0, weights.1)
    sorted =
      (Self.some(Double(one.count) / max(weight, 1), of: first)
      + Self.some(Double(other.count) / max(weight, 1), of: second)).sorted()
  }

  /// So many of the numbers, from everywhere among them; at least one if there is one.
  private static func some(_ wanted: Double, of numbers: [Double]) -> [Double] {
    let count = min(max(Int(wanted.rounded()), min(numbers.count, 1)), numbers.count)
    return count == numbers.count
      ? numbers : (0..<count).map { numbers[$0 * numbers.count / count] }
  }

  /// Quantiles and a histogram, as the page draws them; nil if there are no numbers.
  var json: String? {
    guard count > 0 else { return nil }
    func quantile(_ part: Double) -> String {
      RealText.json(sorted[min(sorted.count - 1, Int(part * Double(sorted.count)))])
    }
    let bars = histogram().map { bar in
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
  private func histogram() -> [(from: Double, count: Int)] {
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
