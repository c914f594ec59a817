internal import VarveFormat

/// A parser for conditions that points out where a mistake is.
struct ConditionParser {
  private let text: String
  private let characters: [Character]
  private var position = 0
  private var depth = 0

  /// The maximum depth of nested parentheses and negations.
  private static let deepest = 64
  /// The maximum number of comparisons.
  private static let most = 1000
  private var count = 0

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
    while take("||") || take(word: "or") { term = .either(term, try both()) }
    return term
  }

  private mutating func both() throws(SelectionError) -> Condition.Term {
    var term = try single()
    while take("&&") || take(word: "and") { term = .both(term, try single()) }
    return term
  }

  private mutating func single() throws(SelectionError) -> Condition.Term {
    guard depth < Self.deepest else { throw mistake("this is too deep") }
    depth += 1
    defer { depth -= 1 }
    if take("!") || take(word: "not") { return .not(try single()) }
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
    if take(word: "is") { return try property(of: field, at: start) }
    if take(word: "in") { return try membership(of: field) }
    guard let comparison = takeComparison() else {
      skipSpace()
      throw mistake("expected ==, !=, <, <=, >, >=, ~, in or is")
    }
    return try self.comparison(field, comparison)
  }

  private mutating func comparison(
    _ field: Condition.Field, _ comparison: Condition.Comparison, inSet: Bool = false
  ) throws(SelectionError) -> Condition.Term {
    skipSpace()
    let place = position
    count += 1
    guard count <= Self.most else { throw mistake("this is too long") }
    let literal = try literal(of: field, isPattern: comparison == .matches, inSet: inSet)
    try check(field, comparison, literal, at: place)
    return .comparison(field, comparison, literal)
  }

  /// Reads what comes after `is`.
  private mutating func property(
    of field: Condition.Field, at start: Int
  ) throws(SelectionError) -> Condition.Term {
    guard field == .value else { throw mistake("only a value is truncated", at: start) }
    let isNot = take(word: "not")
    skipSpace()
    guard take(word: "truncated") else { throw mistake("expected truncated, or not truncated") }
    return isNot ? .not(.truncated) : .truncated
  }

  /// Reads what comes after `in`: constants in parentheses.
  private mutating func membership(
    of field: Condition.Field
  ) throws(SelectionError) -> Condition.Term {
    guard take("(") else { throw mistake("expected (") }
    var term = try comparison(field, .equal, inSet: true)
    while take(",") { term = .either(term, try comparison(field, .equal, inSet: true)) }
    guard take(")") else { throw mistake("expected , or )") }
    return term
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
    let isText = if case .text = literal { true } else { false }
    let isInteger = if case .integer = literal { true } else { false }
    let isTime =
      switch literal {
      case .duration, .moment: true
      case .number, .integer, .text, .boolean, .null: false
      }
    if field.isTime {
      guard isTime else { throw mistake("a time takes a unit: 1.5s, 20ms", at: place) }
    } else if field.isNumber {
      guard isInteger else {
        throw mistake("\(field.rawValue) is compared with its number: 12", at: place)
      }
    } else if field == .event {
      guard case .text(let name) = literal, EventName(name) != nil else {
        throw mistake("event is compared with the name of one: #4.1749", at: place)
      }
      guard comparison == .equal || comparison == .unequal else {
        throw mistake("event is compared by ==, != or in", at: place)
      }
    } else if field != .value {
      guard isText || field == .thread && isInteger else {
        throw mistake("\(field.rawValue) is compared with a text: \"…\"", at: place)
      }
    }
    if comparison == .matches {
      guard case .text(let pattern) = literal else {
        throw mistake("~ takes a pattern: \"search*\" or /regex/", at: place)
      }
      do { _ = try NamePattern(pattern) } catch { throw mistake(error.message, at: place) }
    }
    let isOrder = ![.equal, .unequal, .matches].contains(comparison)
    if isOrder, !field.isOrdered {
      throw mistake("\(field.rawValue) is compared by ==, !=, ~ or in", at: place)
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

  private mutating func literal(
    of field: Condition.Field, isPattern: Bool, inSet: Bool
  ) throws(SelectionError) -> Condition.Literal {
    guard position < characters.count else { throw mistake("expected a number or a text") }
    if characters[position] == "\"" || characters[position] == "'" { return try quoted() }
    if isPattern, characters[position] == "/" { return try expression() }
    let start = position
    let word = takeLiteralWord(inSet: inSet)
    switch word {
    case "": throw mistake("expected a number or a text")
    case _ where field == .event: return .text(word)
    case _ where field == .time && isMoment(word):
      do {
        return .moment(try TimeExpression(word))
      } catch {
        throw mistake(error.message, at: start)
      }
    case "true": return .boolean(true)
    case "false": return .boolean(false)
    case "nil", "null": return .null
    default: break
    }
    guard let first = word.first, first.isNumber || first == "-" || first == "+" else {
      return .text(word)
    }
    // A thread of several recordings, as in `2:1`.
    if word.contains(":") { return .text(word) }
    if let integer = Int64(word) { return .integer(integer) }
    if let number = Double(word) { return .number(number) }
    let sign: Int64 = first == "-" ? -1 : 1
    let digits = first == "-" || first == "+" ? String(word.dropFirst()) : word
    guard let nanoseconds = try? DurationText.nanoseconds(digits) else {
      throw mistake("\"\(word)\" is neither a number nor a time such as 20ms", at: start)
    }
    return .duration(sign * Int64(clamping: nanoseconds))
  }

  /// Returns whether a word is a moment that depends on the trace, as `--since` takes it.
  private func isMoment(_ word: String) -> Bool {
    word.hasSuffix("%") || word.hasPrefix("#") || WallTime.parse(word) != nil
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

  /// Reads a regular expression between slashes, which may have spaces and parentheses in it.
  private mutating func expression() throws(SelectionError) -> Condition.Literal {
    let start = position
    position += 1
    while position < characters.count, characters[position] != "/" {
      position += characters[position] == "\\" ? 2 : 1
    }
    guard position < characters.count else {
      position = characters.count
      throw mistake("this expression does not end", at: start)
    }
    position += 1
    return .text(String(characters[start..<position]))
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

  /// Passes a word if it is the next one.
  private mutating func take(word: String) -> Bool {
    let start = position
    skipSpace()
    if takeWord() == word { return true }
    position = start
    return false
  }

  private mutating func takeWord() -> String {
    takeCharacters { $0.isLetter || $0 == "_" }
  }

  private mutating func takeLiteralWord(inSet: Bool) -> String {
    let ends = inSet ? "()&|!=<>~," : "()&|!=<>~"
    return takeCharacters { !$0.isWhitespace && !ends.contains($0) }
  }

  private mutating func takeCharacters(while isPart: (Character) -> Bool) -> String {
    let start = position
    while position < characters.count, isPart(characters[position]) { position += 1 }
    return String(characters[start..<position])
  }

  /// Returns an error that has the text and the place in it.
  private func mistake(_ message: String, at place: Int? = nil) -> SelectionError {
    let offset = min(place ?? position, characters.count)
    return SelectionError(message, excerpt: .init(text: text, offset: offset))
  }
}
