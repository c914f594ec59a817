/// A loop of Swift source that goes on until something leaves it: `while true`, `while !Task.isCancelled`,
/// or `for await`.
struct EndlessLoop {
  private let source: PlainSource
  /// The words and signs of its head.
  let head: [String]
  private let body: Range<Int>
  /// Where its head begins.
  let position: Int
  /// Where it ends.
  var end: Int { body.upperBound }

  fileprivate init?(_ source: PlainSource, _ opening: Int) {
    let start = source.start(ofStatementBefore: opening)
    guard let head = source.statements(in: start..<opening).last,
      Self.isEndless(head.texts), let end = source.closing(of: opening)
    else { return nil }
    (self.source, self.head, body) = (source, head.texts, (opening + 1)..<end)
    position = head.position
  }

  private static func isEndless(_ head: [String]) -> Bool {
    switch head.first {
    case "while": head == ["while", "true"] || head.suffix(3) == ["Task", ".", "isCancelled"]
    case "for": head.prefix(3).contains("await")
    default: false
    }
  }

  /// Where the only `break` stands that was to leave the loop, if nothing else leaves it but an error: it
  /// leaves a `switch` in the loop, after the other statements of its case.
  var breakOfSwitch: Int? {
    let statements = source.statements(in: body)
    var found: [Int] = []
    for (index, statement) in statements.enumerated() {
      guard let word = statement.tokens.first(where: { ["break", "return"].contains($0.text) }),
        let target = block(leftBy: word)
      else { continue }
      guard target == "switch", word.text == "break", statement.texts.last == "break" else {
        return nil
      }
      // `case .waiting: break` only says that there is nothing to do.
      let isAlone =
        statement.tokens.count > 1 || index == 0
        || Self.labels.contains(statements[index - 1].texts[0])
          && statements[index - 1].texts.last == ":"
      if !isAlone { found.append(word.position) }
    }
    return found.count == 1 ? found[0] : nil
  }

  /// Whether some `break` or `return` leaves it.
  var isLeft: Bool {
    source.statements(in: body).lazy.flatMap(\.tokens).contains {
      ["break", "return"].contains($0.text) && block(leftBy: $0) == head.first
    }
  }

  private static let labels: Set<String> = ["case", "default"]

  /// Returns the first word of the block that a word leaves, if it is one of this loop: nil within an inner
  /// loop, or in a closure.
  private func block(leftBy word: SourceStatement.Token) -> String? {
    var position = word.position
    while let opening = source.opening(before: position), opening >= body.lowerBound {
      let first = PlainSource.words(
        source.code[source.start(ofStatementBefore: opening)..<opening]
      ).first
      guard let first, first == "catch" || PlainSource.blocks.contains(first) else { return nil }
      if word.text == "break", first == "switch" { return first }
      if word.text == "break", PlainSource.loops.contains(first) { return nil }
      position = opening
    }
    return head.first
  }
}

extension PlainSource {
  /// The innermost such loop around the line asked for, or with its head there.
  var endlessLoop: EndlessLoop? {
    if let head = statements(in: asked).first(where: { Self.loops.contains($0.texts[0]) }),
      let opening = code[head.position...].firstIndex(of: UInt8(ascii: "{"))
    {
      return EndlessLoop(self, opening)
    }
    var position = asked.lowerBound
    while let opening = opening(before: position) {
      let first = Self.words(code[start(ofStatementBefore: opening)..<opening]).first
      guard let first, first == "catch" || Self.blocks.contains(first) else { return nil }
      if Self.loops.contains(first) { return EndlessLoop(self, opening) }
      position = opening
    }
    return nil
  }

  /// Whether the line asked for is in a loop of its function, or has the head of one.
  var waitsInLoop: Bool {
    isInLoop || statements(in: asked).contains { Self.loops.contains($0.texts[0]) }
  }

  /// Returns the next statement with an `await` that follows the one in the line asked for, in the same
  /// function: not in what an error of this one leads to, nor in the other way of a condition, nor in a
  /// closure. Nil if there is none, or if the line is in a loop.
  var awaitBelow: SourceStatement? {
    guard !waitsInLoop, let body, let end = endOfAwait(in: body) else { return nil }
    return nextAwait(from: end, after: asked.lowerBound, in: body)
  }

  /// Returns likewise the next statement with an `await` that follows the endless loop around the line asked
  /// for, if nothing in it ends that.
  var awaitBelowLoop: SourceStatement? {
    guard let loop = endlessLoop, !loop.isLeft, !isInLoop(at: loop.position), let body else {
      return nil
    }
    return nextAwait(from: loop.end, after: loop.position, in: body)
  }

  /// Returns the first statement with an `await`, from an end on, that follows what stands at a position.
  private func nextAwait(
    from end: Int, after position: Int, in body: Range<Int>
  ) -> SourceStatement? {
    var around: Set<Int> = []
    var position = position
    while let opening = opening(before: position), opening >= body.lowerBound {
      around.insert(opening)
      position = opening
    }
    return statements(in: end..<body.upperBound).first { statement in
      statement.texts.contains("await") && follows(statement.position, around)
    }
  }

  /// Whether a position is reached after one that stands in some blocks.
  private func follows(_ position: Int, _ around: Set<Int>) -> Bool {
    var position = position
    var outermost = ""
    while let opening = opening(before: position) {
      if around.contains(opening) { return !["catch", "else"].contains(outermost) }
      let first = Self.words(code[start(ofStatementBefore: opening)..<opening]).first
      guard let first, first == "catch" || Self.blocks.contains(first) else { return false }
      (outermost, position) = (first, opening)
    }
    return false
  }
}
