/// Durations in human-readable form: `850 ns`, `1.25 ms`, `3.4 s`, `2 min 5 s`.
package enum ElapsedTime {
  /// Returns a duration with at most three significant digits below a minute, and in whole seconds
  /// above.
  package static func short(nanoseconds: UInt64) -> String {
    if nanoseconds >= 60_000_000_000 { return long(seconds: (nanoseconds + 500_000_000) / second) }
    for (size, name) in units where nanoseconds >= size {
      return threeDigits(nanoseconds, unit: size) + " " + name
    }
    return "0 s"
  }

  /// Returns a duration with all its digits, in the largest unit that is not longer than it: `1.5
  /// s`, `12 ms`.
  package static func exact(nanoseconds: UInt64) -> String {
    for (size, name) in units where nanoseconds >= size {
      return decimal(nanoseconds, unit: size) + " " + name
    }
    return "0 s"
  }

  private static let second: UInt64 = 1_000_000_000
  private static let units: [(UInt64, String)] = [
    (second, "s"), (1_000_000, "ms"), (1_000, "µs"), (1, "ns"),
  ]

  private static func long(seconds: UInt64) -> String {
    let parts = [
      (seconds / 86_400, "d"), (seconds / 3_600 % 24, "h"), (seconds / 60 % 60, "min"),
      (seconds % 60, "s"),
    ]
    let told = parts.drop { $0.0 == 0 }.prefix(2).filter { $0.0 != 0 }
    return told.map { "\($0.0) \($0.1)" }.joined(separator: " ")
  }

  private static func threeDigits(_ nanoseconds: UInt64, unit: UInt64) -> String {
    let whole = nanoseconds / unit
    let step = whole >= 100 ? unit : whole >= 10 ? unit / 10 : unit / 100
    guard step > 0 else { return "\(whole)" }
    let rounded = (nanoseconds + step / 2) / step * step
    return decimal(rounded, unit: unit)
  }

  private static func decimal(_ nanoseconds: UInt64, unit: UInt64) -> String {
    let fraction = nanoseconds % unit
    guard fraction > 0 else { return "\(nanoseconds / unit)" }
    var digits = String(fraction + unit).dropFirst()
    while digits.last == "0" { digits.removeLast() }
    return "\(nanoseconds / unit).\(digits)"
  }
}
