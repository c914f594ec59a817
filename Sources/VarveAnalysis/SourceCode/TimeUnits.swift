internal import VarveProbe

/// Finds, in the source of code that waits for a time, a number that is handed over in another unit than
/// its name says: `Task.sleep(nanoseconds: UInt64(seconds * 1_000_000))`.
struct TimeUnits {
  /// A number in a wrong unit.
  struct Mistake {
    var place: Place
    /// What it is called, and the unit that its name says.
    var name: String
    var unit: String
    /// The unit in which it is handed over in truth.
    var mistaken: String
    /// Whether the time becomes longer by that, and not shorter.
    var isLonger: Bool
  }

  private var sources = SourceLines()

  /// Returns the mistake in the statement that a frame awaits, or in a constant of its function that stands
  /// there; nil if there is none, or if the source is not there.
  mutating func mistake(at frame: NamedFrame) -> Mistake? {
    guard !frame.isMachinery, let file = frame.file, let source = sources.source(at: frame),
      let lines = sources.lines(of: file)
    else { return nil }
    let body = source.body ?? 0..<source.code.count
    let statements = source.statements(in: body)
    guard let index = source.awaiting(in: statements) else { return nil }
    func mistake(in value: ArraySlice<String>, asked wanted: String, at position: Int) -> Mistake? {
      guard let length = TimeUnit.length(of: wanted),
        let number = UnitExpression(value, isSeconds: { Self.isSeconds($0, lines) }),
        let unit = TimeUnit.names[number.unit],
        let mistaken = TimeUnit.names[length * number.factor], mistaken != unit
      else { return nil }
      return Mistake(
        place: Place(path: file, line: UInt32(source.line(at: position))),
        name: number.name, unit: unit, mistaken: mistaken,
        isLonger: length * number.factor > number.unit)
    }
    let wait = statements[index]
    // A closure that is handed over in the same line may await something, too.
    for statement in statements[...index].reversed()
    where statement.position == wait.position || source.asked.contains(statement.position) {
      for (unit, value) in statement.numbers {
        let position = statement.tokens[unit].position
        let found = mistake(in: value, asked: statement.tokens[unit].text, at: position)
        if let found { return found }
      }
    }
    return statements[..<index].lazy.compactMap { statement in
      guard let (name, value) = statement.declaration, wait.texts.contains(name) else {
        return nil
      }
      return mistake(in: value, asked: name, at: statement.position)
    }.first
  }

  /// Whether a file declares a name to be of seconds, as `TimeInterval` is.
  private static func isSeconds(_ name: String, _ lines: [Substring]) -> Bool {
    lines.contains { line in
      line.contains("\(name): TimeInterval")
        && PlainSource.words(Array(line.utf8)[...]).contains(name)
    }
  }
}

/// What names say of the unit of a time. Lengths are in nanoseconds.
private enum TimeUnit {
  /// What units are called, by themselves or after what says a part of them.
  private static let lengths: [String: Double] = [
    "seconds": 1e9, "secs": 1e9, "sec": 1e9, "minutes": 60e9, "hours": 3600e9,
    "ms": 1e6, "msec": 1e6, "msecs": 1e6, "millis": 1e6, "usec": 1e3, "usecs": 1e3, "micros": 1e3,
    "nsec": 1, "nsecs": 1, "nanos": 1,
  ]
  private static let parts: [String: Double] = ["milli": 1e6, "micro": 1e3, "nano": 1]

  static let names: [Double: String] = [
    1: "nanoseconds", 1e3: "microseconds", 1e6: "milliseconds", 1e9: "seconds", 60e9: "minutes",
    3600e9: "hours",
  ]

  /// Returns the unit that a name says; nil if it says none.
  static func length(of name: String) -> Double? {
    let words = words(name)
    // What is so many in a second is no time.
    guard !words.contains("per") else { return nil }
    for (index, word) in words.enumerated() {
      if let part = parts[index > 0 ? words[index - 1] : ""], word.hasPrefix("sec") { return part }
      if let known = lengths[word] { return known }
      let part = parts.first { word.hasPrefix($0.key + "sec") }
      if let part { return part.value }
    }
    return nil
  }

  /// Returns `retry`, `after`, `seconds` of `retryAfterSeconds`.
  private static func words(_ name: String) -> [String] {
    var words = [""]
    var last: Character = "_"
    for character in name {
      if character == "_" || character.isUppercase && !last.isUppercase { words.append("") }
      if character != "_" { words[words.count - 1] += character.lowercased() }
      last = character
    }
    return words
  }
}

/// A number that is made of one with a unit, by factors that the source writes.
private struct UnitExpression {
  private(set) var name = ""
  /// The unit that its name says.
  private(set) var unit = 0.0
  private(set) var factor = 1.0

  /// What changes nothing in a number's unit.
  private static let neutral: Set<String> = [
    "(", ")", ".", ",", "*", "/", "self", "try", "await", "min", "max", "rounded", "Int", "Int64",
    "UInt", "UInt64", "UInt32", "Double", "Float", "TimeInterval",
  ]

  private static let constants: [String: Double] = [
    "NSEC_PER_SEC": 1e9, "NSEC_PER_MSEC": 1e6, "NSEC_PER_USEC": 1e3, "MSEC_PER_SEC": 1e3,
    "USEC_PER_SEC": 1e6,
  ]

  private static func number(_ text: String) -> Double? {
    if let known = constants[text] { return known }
    return text.first?.isNumber == true ? Double(text.filter { $0 != "_" }) : nil
  }

  /// Reads an expression; nil if it is another one.
  init?(_ texts: ArraySlice<String>, isSeconds: (String) -> Bool) {
    for (index, text) in zip(texts.indices, texts) {
      let before = index > texts.startIndex ? texts[index - 1] : ""
      let after = index + 1 < texts.endIndex ? texts[index + 1] : ""
      if let number = Self.number(text) {
        if before == "." { guard number == 0 else { return nil } }
        if before == "/" { factor /= number }
        let isFactor = before == "*" || after == "*" || Self.constants[text] != nil
        if isFactor, before != "/" { factor *= number }
      } else if text == "/" {
        guard Self.number(after) != nil else { return nil }
      } else if !Self.neutral.contains(text) {
        guard SourceStatement.isName(text), after != "(" else { return nil }
        let unit = TimeUnit.length(of: text) ?? (isSeconds(text) ? 1e9 : nil)
        // `backoff.seconds` is of the backoff.
        guard let unit else {
          guard after == "." else { return nil }
          continue
        }
        guard self.unit == 0 || self.unit == unit else { return nil }
        (name, self.unit) = (text, unit)
      }
    }
    guard unit != 0 else { return nil }
  }
}

extension SourceStatement {
  /// The numbers that it hands over as times, each with what says their unit: `.seconds(…)`, `nanoseconds: …`.
  fileprivate var numbers: [(unit: Int, value: ArraySlice<String>)] {
    let texts = texts
    return texts.indices.dropLast(2).dropFirst().compactMap { index in
      let isCall = texts[index - 1] == "." && texts[index + 1] == "("
      let isArgument = ["(", ","].contains(texts[index - 1]) && texts[index + 1] == ":"
      guard isCall || isArgument, TimeUnit.length(of: texts[index]) != nil else { return nil }
      var depth = 0
      let end = texts[(index + 2)...].firstIndex { text in
        if text == "(" { depth += 1 }
        if text == ")" { depth -= 1 }
        return depth < 0 || depth == 0 && text == ","
      }
      return end.map { (index, texts[(index + 2)..<$0]) }
    }
  }
}
