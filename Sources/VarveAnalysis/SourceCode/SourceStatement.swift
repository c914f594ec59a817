/// A statement of Swift source, or the head of a block, in words and signs.
struct SourceStatement {
  /// A word, a number, or a sign.
  struct Token {
    let text: String
    let position: Int
  }

  let tokens: [Token]
  /// Where it begins.
  var position: Int { tokens[0].position }
  /// The words and signs.
  var texts: [String] { tokens.map(\.text) }

  /// What a statement sets, if it sets something that has a name: `count = …`, `self.counts[name] = …`;
  /// and what is written to the right of it.
  var assignment: (name: String, hasKey: Bool, value: ArraySlice<String>)? {
    var texts = texts[...]
    if texts.first == "self" { texts = texts.dropFirst() }
    while let first = texts.first, [".", "?"].contains(first) { texts = texts.dropFirst() }
    guard let name = texts.first, SourceStatement.isName(name) else { return nil }
    texts = texts.dropFirst()
    var hasKey = false
    if texts.first == "[" {
      guard let end = SourceStatement.end(ofBracketAt: texts.startIndex, in: texts) else {
        return nil
      }
      texts = texts[(end + 1)...]
      hasKey = true
    }
    return texts.first == "=" ? (name, hasKey, texts.dropFirst()) : nil
  }

  /// The name that a statement gives a value to (`let name = …`), and what is written to the right of it.
  var declaration: (name: String, value: ArraySlice<String>)? {
    let texts = texts
    guard let keyword = texts.firstIndex(where: { $0 == "let" || $0 == "var" }),
      keyword + 1 < texts.count, SourceStatement.isName(texts[keyword + 1]),
      let equals = texts[keyword...].firstIndex(of: "=")
    else { return nil }
    return (texts[keyword + 1], texts[(equals + 1)...])
  }

  /// The collection into which it puts something of which `isWanted` is told each word: `list.append(one)`,
  /// `list[id] = one`; nil if it does not.
  func collection(taking isWanted: (String) -> Bool) -> String? {
    if let (name, hasKey, value) = assignment {
      return hasKey && value.contains(where: isWanted) ? name : nil
    }
    let texts = texts
    guard let call = texts.firstIndex(where: { $0 == "append" || $0 == "insert" }), call > 1,
      texts[(call + 1)...].contains(where: isWanted)
    else { return nil }
    return texts[call - 2]
  }

  /// Whether a token is a name, or a word of the language.
  static func isName(_ text: String) -> Bool {
    text.first.map { $0.isLetter || $0 == "_" || $0 == "$" } == true
  }

  private static func end(ofBracketAt start: Int, in texts: ArraySlice<String>) -> Int? {
    var depth = 0
    for index in start..<texts.endIndex {
      if texts[index] == "[" { depth += 1 }
      if texts[index] == "]" { depth -= 1 }
      if depth == 0 { return index }
    }
    return nil
  }
}

extension PlainSource {
  /// The body of the function, or of the closure, that the line asked for stands in, from its brace on.
  var body: Range<Int>? { body(around: asked.lowerBound) }

  /// Returns the body of the function, or of the closure, that a position is in.
  func body(around position: Int) -> Range<Int>? {
    var position = position
    while let opening = opening(before: position) {
      let first = Self.words(code[start(ofStatementBefore: opening)..<opening]).first
      guard let first, Self.blocks.contains(first) else {
        return closing(of: opening).map { opening..<$0 }
      }
      position = opening
    }
    return nil
  }

  /// Returns the body of the function that a position is in, whatever closures lie between.
  func functionBody(around position: Int) -> Range<Int>? {
    var position = position
    while let opening = opening(before: position) {
      let words = Self.words(code[start(ofStatementBefore: opening)..<opening])
      if !Self.functions.isDisjoint(with: words) {
        return closing(of: opening).map { opening..<$0 }
      }
      position = opening
    }
    return nil
  }

  private static let functions: Set<String> = ["func", "init", "deinit", "didSet", "willSet"]

  /// Returns the statements of a part of the code, and the heads of its blocks, in their order.
  func statements(in range: Range<Int>) -> [SourceStatement] {
    var statements: [SourceStatement] = []
    var tokens: [SourceStatement.Token] = []
    var depth = 0
    func end() {
      if !tokens.isEmpty { statements.append(SourceStatement(tokens: tokens)) }
      tokens = []
    }
    var position = range.lowerBound
    while position < range.upperBound {
      let byte = code[position]
      switch byte {
      case UInt8(ascii: "\n"): if depth == 0, !goesOn(after: position) { end() }
      case UInt8(ascii: "{"), UInt8(ascii: "}"):
        end()
        depth = 0
      case UInt8(ascii: ";"): end()
      case 0...UInt8(ascii: " "): break
      default:
        let last = self.end(ofTokenAt: position, before: range.upperBound)
        let text = String(decoding: code[position..<last], as: UTF8.self)
        if ["(", "["].contains(text) { depth += 1 }
        if [")", "]"].contains(text) { depth = max(0, depth - 1) }
        tokens.append(SourceStatement.Token(text: text, position: position))
        position = last
        continue
      }
      position += 1
    }
    end()
    return statements
  }

  /// Returns which of the statements of a body awaits something in the line asked for, or began before it
  /// and goes on there.
  func awaiting(in statements: [SourceStatement]) -> Int? { awaiting(in: statements, at: asked) }

  /// Returns likewise which awaits something in the line that is a part of the code.
  func awaiting(in statements: [SourceStatement], at line: Range<Int>) -> Int? {
    let before = statements.prefix { $0.position < line.upperBound }
    let inLine = before.indices.filter { before[$0].position >= line.lowerBound }
    let candidates = inLine.isEmpty ? Array(before.indices.suffix(1)) : inLine
    return candidates.last { before[$0].texts.contains("await") }
  }

  /// Whether the next line goes on with what stands before a line's end: it begins with a dot.
  private func goesOn(after position: Int) -> Bool {
    code[position...].first { $0 > UInt8(ascii: " ") } == UInt8(ascii: ".")
  }

  private func end(ofTokenAt position: Int, before limit: Int) -> Int {
    let (isWord, isSign) = (Self.isWord(code[position]), Self.signs.contains(code[position]))
    guard isWord || isSign else { return position + 1 }
    return code[position..<limit].firstIndex {
      isWord ? !Self.isWord($0) : !Self.signs.contains($0)
    } ?? limit
  }

  private static func isWord(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "_"), UInt8(ascii: "$"), 0x80...:
      true
    default: false
    }
  }

  private static let signs = Set("+-*/=<>!&|%^~".utf8)
}
