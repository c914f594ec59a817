/// Wall-clock times in RFC 3339 format.
public enum WallTime {
  /// Parses a time such as `2026-11-21T08:15:00.25+01:00` into nanoseconds since 1970, UTC; returns
  /// nil when the text is not a time. A space may replace the `T`.
  public static func parse(_ text: String) -> Int64? {
    let bytes = Array(text.utf8)
    guard bytes.count >= 20, let day = day(bytes), let clock = clock(bytes) else { return nil }
    var position = 19
    let fraction = fraction(bytes, from: &position)
    guard let fraction, let offset = offset(bytes[position...]) else { return nil }
    let seconds = day * 86_400 + clock - offset
    let (nanoseconds, overflows) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    let (sum, isTooLate) = nanoseconds.addingReportingOverflow(fraction)
    return overflows || isTooLate ? nil : sum
  }

  /// Formats a time as `2026-11-21T08:15:00.250000000Z`, with `digits` decimals of the second.
  public static func text(nanoseconds: Int64, digits: Int = 9) -> String {
    let seconds = nanoseconds.flooredQuotient(1_000_000_000)
    let day = seconds.flooredQuotient(86_400)
    let (year, month, dayOfMonth) = date(ofDay: day)
    let clock = seconds - day * 86_400
    let date = "\(padded(year, 4))-\(padded(month, 2))-\(padded(dayOfMonth, 2))"
    let time = "\(padded(clock / 3_600, 2)):\(padded(clock / 60 % 60, 2)):\(padded(clock % 60, 2))"
    let fraction = padded(nanoseconds - seconds * 1_000_000_000, 9).prefix(digits)
    return "\(date)T\(time)\(digits > 0 ? "." : "")\(fraction)Z"
  }

  private static func day(_ bytes: [UInt8]) -> Int64? {
    guard bytes[4] == UInt8(ascii: "-"), bytes[7] == UInt8(ascii: "-"),
      let year = number(bytes[0..<4]), let month = number(bytes[5..<7]),
      let day = number(bytes[8..<10]), (1...12).contains(month), day >= 1,
      day <= length(ofMonth: month, year: year), [0x54, 0x74, 0x20].contains(bytes[10])
    else { return nil }
    return self.day(year: year, month: month, day: day)
  }

  private static func clock(_ bytes: [UInt8]) -> Int64? {
    let colon = UInt8(ascii: ":")
    guard bytes[13] == colon, bytes[16] == colon, let hour = number(bytes[11..<13]),
      let minute = number(bytes[14..<16]), let second = number(bytes[17..<19]), hour < 24,
      minute < 60, second <= 60
    else { return nil }
    return hour * 3_600 + minute * 60 + second
  }

  private static func fraction(_ bytes: [UInt8], from position: inout Int) -> Int64? {
    guard bytes[position] == UInt8(ascii: ".") else { return 0 }
    position += 1
    let digits = bytes[position...].prefix { (0x30...0x39).contains($0) }
    position += digits.count
    guard !digits.isEmpty, position < bytes.count else { return nil }
    let nine = Array(digits.prefix(9)) + Array(repeating: 0x30, count: max(0, 9 - digits.count))
    return number(nine[...])
  }

  private static func offset(_ bytes: ArraySlice<UInt8>) -> Int64? {
    let rest = Array(bytes)
    if rest == [0x5a] || rest == [0x7a] { return 0 }
    guard rest.count == 6, rest[3] == UInt8(ascii: ":"), let hour = number(rest[1..<3]),
      let minute = number(rest[4..<6]), hour < 24, minute < 60
    else { return nil }
    switch rest[0] {
    case UInt8(ascii: "+"): return hour * 3_600 + minute * 60
    case UInt8(ascii: "-"): return -(hour * 3_600 + minute * 60)
    default: return nil
    }
  }

  private static func number(_ digits: ArraySlice<UInt8>) -> Int64? {
    var result: Int64 = 0
    for digit in digits {
      guard (0x30...0x39).contains(digit) else { return nil }
      result = result * 10 + Int64(digit - 0x30)
    }
    return result
  }

  private static func padded(_ number: Int64, _ width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
  }

  private static func length(ofMonth month: Int64, year: Int64) -> Int64 {
    if month == 2 { return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28 }
    return [4, 6, 9, 11].contains(month) ? 30 : 31
  }

  /// Days since 1970 in the Gregorian calendar, counting years from March so that the leap day
  /// comes last.
  private static func day(year: Int64, month: Int64, day: Int64) -> Int64 {
    let year = month <= 2 ? year - 1 : year
    let era = year.flooredQuotient(400)
    let yearOfEra = year - era * 400
    let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }

  private static func date(ofDay day: Int64) -> (year: Int64, month: Int64, day: Int64) {
    let shifted = day + 719_468
    let era = shifted.flooredQuotient(146_097)
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
    let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    return (year, month, dayOfYear - (153 * shiftedMonth + 2) / 5 + 1)
  }
}

extension Int64 {
  fileprivate func flooredQuotient(_ divisor: Int64) -> Int64 {
    let quotient = self / divisor
    return self % divisor < 0 ? quotient - 1 : quotient
  }
}
