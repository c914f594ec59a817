/// Writes numbers for people.
enum Counted {
  /// `1,234,567`.
  static func grouped(_ number: UInt64) -> String {
    var groups: [Substring] = []
    var rest = Substring(String(number))
    while rest.count > 3 {
      groups.append(rest.suffix(3))
      rest = rest.dropLast(3)
    }
    return ([rest] + groups.reversed()).joined(separator: ",")
  }

  /// `1 event`, `2,000 events`.
  static func text(_ number: UInt64, _ singular: String, _ plural: String) -> String {
    "\(grouped(number)) \(number == 1 ? singular : plural)"
  }

  /// `812 bytes`, `61.2 kB`, `1.05 GB`.
  static func bytes(_ count: UInt64) -> String {
    let units: [(UInt64, String)] = [
      (1_000_000_000_000, "TB"), (1_000_000_000, "GB"), (1_000_000, "MB"), (1_000, "kB"),
    ]
    for (size, name) in units where count >= size {
      let hundredths = (Double(count) / Double(size) * 100).rounded() / 100
      return "\(hundredths) \(name)"
    }
    return text(count, "byte", "bytes")
  }
}
