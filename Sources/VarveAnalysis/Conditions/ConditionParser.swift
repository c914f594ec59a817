/// A parser for conditions that points out where a mistake is.
struct ConditionParser {
  private let text: String
  private let characters: [Character]
  private var position = 0
  private var depth = 0

  /// The maximum depth of nested parentheses and negations.
  private static let deepest = 64

  init(_ text: String) {
    self.text = text
    characters = Array(text)
  }

  mutating func condition() throws(SelectionError) -> Condition.Term {
    let term = try either()
    skipSpace()
    guard position == characters.count else {
      throw mistake("expected && or ||, or the end")
    }
    return term
  }

  private mutating func either() throws(SelectionError) -> Condition.Term {
    var term = try both()
    while take("||") { term = .either(term, try both()) }
    return term
  }

  private mutating func both() throws(SelectionError) -> Condition.Term {
    var term = try single()
    while take("&&") { term = .both(term, try single()) }
    return term
  }

  private mutating func single() throws(SelectionError) -> Condition.Term {
    guard depth < Self.deepest else { throw mistake("this is too deep") }
    depth += 1
    defer { depth -= 1 }
    if take("!") { return .not(try single()) }
    if take("(") {
      let term = try either()
      guard take(")") else { throw mistake("expected )") }
      return term
    }
    return try comparison()
  }

  // MARK: - Comparisons

  private mutating func comparison() throws(SelectionError) -> Condition.Term {
    skipSpace()
    let start = position
    let word = takeWord()
    guard let field = Condition.Field(rawValue: word) else {
      position = start
      throw mistake(unknownField(word))
    }
    guard let comparison = takeComparison() else {
      skipSpace()
      throw mistake("expected ==, !=, <, <=, >, >= or ~")
    }
    skipSpace()
    let place = position
    let literal = try literal()
    try check(field, comparison, literal, at: place)
    return .comparison(field, comparison, literal)
  }

  private func unknownField(_ word: String) -> String {
    let fields = Condition.Field.allCases.map(\.rawValue)
    guard !word.isEmpty else { return "expected one of \(fields.joined(separator: ", "))" }
    let nearest = NearestName.of(word, among: fields, most: 1).first
    return nearest.map { "there is no field \"\(word)\"; did you mean \"\($0)\"?" }
      ?? "there is no field \"\(word)\"; there are \(fields.joined(separator: ", "))"
  }

  private mutating func takeComparison() -> Condition.Comparison? {
    // The cases list longer operators first, so that `<=` is not read as `<`.
    for comparison in Condition.Comparison.allCases where take(comparison.rawValue) {
      return comparison
    }
    return nil
  }

  private func check(
    _ field: Condition.Field, _ comparison: Condition.Comparison, _ literal: Condition.Literal,
    at place: Int
  ) throws(SelectionError) {
    switch (field, literal) {
    case (.time, .duration), (.value, _), (.name, .text), (.thread, .text), (.kind, .text): break
    case (.thread, .integer): break
    case (.time, _): throw mistake("a time takes a unit: 1.5s, 20ms", at: place)
    default: throw mistake("\(field.rawValue) is compared with a text: \"…\"", at: place)
    }
    let isText = if case .text = literal { true } else { false }
    if comparison == .matches {
      guard isText, field != .time else {
        throw mistake("~ takes a pattern: \"search*\" or \"/regex/\"", at: place)
      }
      if case .text(let pattern) = literal { _ = try NamePattern(pattern) }
    }
    let isOrder = ![.equal, .unequal, .matches].contains(comparison)
    if isOrder, field != .value, field != .time {
      throw mistake("\(field.rawValue) is compared by ==, != or ~", at: place)
    }
    if field == .kind, comparison != .matches, case .text(let name) = literal {
      _ = try kind(name, at: place)
    }
  }

  private func kind(_ name: String, at place: Int) throws(SelectionError) -> KindSelection {
    do {
      return try KindSelection(names: name)
    } catch {
      throw mistake(error.message, at: place)
    }
  }

  // MARK: - Literals

  private mutating func literal() throws(SelectionError) -> Condition.Literal {
    guard position < characters.count else { throw mistake("expected a number or a text") }
    if characters[position] == "\"" || characters[position] == "'" { return try quoted() }
    let start = position
    let word = takeLiteralWord()
    switch word {
    case "": throw mistake("expected a number or a text")
    case "true": return .boolean(true)
    case "false": return .boolean(false)
    case "nil", "null": return .null
    default: break
    }
    guard let first = word.first, first.isNumber || first == "-" || first == "+" else {
      return .text(word)
    }
    if let integer = Int64(word) { return .integer(integer) }
    if let number = Double(word) { return .number(number) }
    let sign: Int64 = first == "-" ? -1 : 1
    let digits = first == "-" || first == "+" ? String(word.dropFirst()) : word
    guard let nanoseconds = try? DurationText.nanoseconds(digits) else {
      throw mistake("\"\(word)\" is neither a number nor a time such as 20ms", at: start)
    }
    return .duration(sign * Int64(clamping: nanoseconds))
  }

  private mutating func quoted() throws(SelectionError) -> Condition.Literal {
    let start = position
    let quote = characters[position]
    position += 1
    var text = ""
    while position < characters.count {
      let character = characters[position]
      position += 1
      if character == quote { return .text(text) }
      if character == "\\", position < characters.count {
        text.append(characters[position])
        position += 1
      } else {
        text.append(character)
      }
    }
    throw mistake("this text does not end", at: start)
  }

  // MARK: - Characters

  private mutating func skipSpace() {
    while position < characters.count, characters[position].isWhitespace { position += 1 }
  }

  private mutating func take(_ sign: String) -> Bool {
    skipSpace()
    let end = position + sign.count
    guard end <= characters.count, Array(sign) == Array(characters[position..<end]) else {
      return false
    }
    position = end
    return true
  }

  private mutating func takeWord() -> String {
    takeCharacters { $0.isLetter || $0 == "_" }
  }

  private mutating func takeLiteralWord() -> String {
    takeCharacters { !$0.isWhitespace && !"()&|!=<>~".contains($0) }
  }

  private mutating func takeCharacters(while isPart: (Character) -> Bool) -> String {
    let start = position
    while position < characters.count, isPart(characters[position]) { position += 1 }
    return String(characters[start..<position])
  }

  /// Returns an error that shows the text and a caret under the place.
  private func mistake(_ message: String, at place: Int? = nil) -> SelectionError {
    let column = min(place ?? position, characters.count)
    // A tab in the text would move the caret away from its place.
    let shown = String(characters.map { $0.isWhitespace ? " " : $0 })
    return SelectionError(
      "\(message)\n  \(shown)\n  \(String(repeating: " ", count: column))^")
  }
}
