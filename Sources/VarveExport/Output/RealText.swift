/// The shortest decimal form of a floating-point number that reads back as the same number.
///
/// The exponent is written below 10⁻⁴ and from 10¹⁶ on, as in Python and so in most readers of
/// NDJSON: another program that reads the same trace prints the same bytes.
enum RealText {
  static func text(_ real: Double) -> String {
    guard real.isFinite, real != 0 else { return real.description }
    // Most numbers are whole.
    if real.magnitude < 1e15, real == real.rounded(.towardZero) { return "\(Int64(real)).0" }
    let (digits, exponent) = parts(real.magnitude)
    let sign = real < 0 ? "-" : ""
    if exponent < -4 || exponent >= 16 { return sign + scientific(digits, exponent) }
    return sign + plain(digits, exponent)
  }

  /// Returns the number as JSON; as a string if JSON has no number for it.
  static func json(_ real: Double) -> String {
    if real.isFinite { return text(real) }
    return real.isNaN ? "\"NaN\"" : real < 0 ? "\"-Infinity\"" : "\"Infinity\""
  }

  /// Returns the significant digits, and the power of ten of the first one.
  private static func parts(_ real: Double) -> (digits: [Character], exponent: Int) {
    let halves = real.description.split(separator: "e")
    let number = halves[0].split(separator: ".", omittingEmptySubsequences: false)
    let whole = number[0]
    let fraction = number.count > 1 ? number[1] : ""
    let written = halves.count > 1 ? Int(halves[1]) ?? 0 : 0
    let all = Array(whole + fraction)
    let leading = all.prefix { $0 == "0" }.count
    var digits = Array(all.dropFirst(leading))
    while digits.count > 1, digits.last == "0" { digits.removeLast() }
    return (digits, written + whole.count - 1 - leading)
  }

  private static func scientific(_ digits: [Character], _ exponent: Int) -> String {
    let fraction = digits.count > 1 ? "." + String(digits.dropFirst()) : ""
    let power = String(exponent.magnitude)
    let padded = power.count < 2 ? "0" + power : power
    return "\(digits[0])\(fraction)e\(exponent < 0 ? "-" : "+")\(padded)"
  }

  private static func plain(_ digits: [Character], _ exponent: Int) -> String {
    if exponent < 0 {
      return "0." + String(repeating: "0", count: -exponent - 1) + String(digits)
    }
    let whole = digits.prefix(exponent + 1)
    let zeros = String(repeating: "0", count: exponent + 1 - whole.count)
    let fraction = digits.dropFirst(exponent + 1)
    return String(whole) + zeros + "." + (fraction.isEmpty ? "0" : String(fraction))
  }
}
