public import VarveFormat

/// A moment in a trace, as the user wrote it.
///
/// `+1.5s` is a time after the start, `-30s` a time before the end, `10%` a part of the duration,
/// `2026-11-21T08:15:00Z` a wall-clock time, and `#4.1749` the moment of an event.
public enum TimeExpression: Sendable, Hashable {
  /// Nanoseconds after the recording began.
  case sinceStart(UInt64)
  /// Nanoseconds before the last event.
  case beforeEnd(UInt64)
  /// A part of the time between the recording's start and the last event, from 0 to 1.
  case part(Double)
  /// A wall-clock time, in nanoseconds since 1970, UTC.
  case wall(Int64)
  /// The moment of an event.
  case event(EventName)

  /// Reads an expression.
  ///
  /// - Throws: a `SelectionError` whenever the text is none of the five forms.
  public init(_ text: String) throws(SelectionError) {
    if let event = EventName(text) {
      self = .event(event)
    } else if text.hasPrefix("#") {
      throw UnknownEvent.unclear(text)
    } else if text.hasSuffix("%") {
      guard let percent = Double(text.dropLast()), (0...100).contains(percent) else {
        throw SelectionError("\"\(text)\" is no percentage from 0% to 100%")
      }
      self = .part(percent / 100)
    } else if let wall = WallTime.parse(text) {
      self = .wall(wall)
    } else if text.hasPrefix("-") {
      self = .beforeEnd(try DurationText.nanoseconds(text.dropFirst(), of: text))
    } else {
      self = .sinceStart(
        try DurationText.nanoseconds(text.hasPrefix("+") ? text.dropFirst() : text[...], of: text))
    }
  }

  static func unclear(_ text: String) -> SelectionError {
    SelectionError(
      "\"\(text)\" is no time; try \"+1.5s\" (after the start), \"-30s\" (before the end), \"10%\", "
        + "\"2026-11-21T08:15:00Z\" or \"#4.1749\" (an event)")
  }
}

/// Durations as users type them: `1.5s`, `250ms`, `2m30s`.
public enum DurationText {
  private static let units: [String: UInt64] = [
    "ns": 1, "us": 1_000, "µs": 1_000, "μs": 1_000, "ms": 1_000_000, "s": 1_000_000_000,
    "m": 60_000_000_000, "min": 60_000_000_000, "h": 3_600_000_000_000,
    "d": 86_400_000_000_000,
  ]

  /// Reads a duration.
  ///
  /// - Throws: a `SelectionError` whenever a number lacks a unit or a unit lacks a number.
  public static func nanoseconds(_ text: String) throws(SelectionError) -> UInt64 {
    try nanoseconds(text[...], of: text)
  }

  static func nanoseconds(_ text: Substring, of whole: String) throws(SelectionError) -> UInt64 {
    var rest = text
    var sum: UInt64 = 0
    guard !rest.isEmpty else { throw TimeExpression.unclear(whole) }
    while !rest.isEmpty {
      let number = rest.prefix { $0.isASCII && $0.isNumber || $0 == "." }
      let unit = rest.dropFirst(number.count).prefix { $0.isLetter }
      rest = rest.dropFirst(number.count + unit.count)
      if !number.isEmpty, unit.isEmpty, rest.isEmpty {
        throw SelectionError("\"\(whole)\" has no unit; try \"\(whole)s\" or \"\(whole)ms\"")
      }
      guard let size = units[String(unit)], let part = multiple(number, of: size) else {
        throw TimeExpression.unclear(whole)
      }
      let (total, overflows) = sum.addingReportingOverflow(part)
      guard !overflows, part < .max else {
        throw SelectionError("\"\(whole)\" is longer than any trace")
      }
      sum = total
    }
    return sum
  }

  /// Returns the number, which may have a fraction, times `size`, exact to the nanosecond.
  private static func multiple(_ number: Substring, of size: UInt64) -> UInt64? {
    let parts = number.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 1 || !parts[1].isEmpty, parts[0].count <= 18 else { return nil }
    guard let whole = parts[0].isEmpty && parts.count == 2 ? 0 : UInt64(parts[0]) else {
      return nil
    }
    var (result, overflows) = whole.multipliedReportingOverflow(by: size)
    guard !overflows else { return .max }
    var place = size
    for digit in parts.count == 2 ? parts[1] : "" {
      guard let value = digit.wholeNumberValue else { return nil }
      place /= 10
      result &+= place &* UInt64(value)
    }
    return result
  }
}
