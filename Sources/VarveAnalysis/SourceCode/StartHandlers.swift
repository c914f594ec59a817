internal import VarveProbe

/// Finds, in the source of the code that a producer runs at each start, the way out on which a run never ends,
/// and what goes on when a run was ended.
struct StartHandlers {
  private var sources = SourceLines()

  /// Returns the only way out of the code of a producer, and of the callbacks in it, that neither ends the
  /// run nor hands its observer on; nil if there is none, or if the source is not there.
  ///
  /// - Parameter place: Where the producer was made.
  mutating func exit(ofRunsMadeAt place: Place) -> Place? {
    guard let source = sources.source(at: place), let handler = source.startHandler else {
      return nil
    }
    let own = source.exitsWithoutEnd(of: handler)
    let exits = own.isEmpty ? source.helpers(of: handler).flatMap(source.exitsWithoutEnd) : own
    // The owner seldom is gone.
    let likely = exits.count > 1 ? exits.filter { !source.asksForOwner($0) } : exits
    guard likely.count == 1 else { return nil }
    return Place(file: place.file, line: UInt32(source.line(at: likely[0])))
  }

  /// Returns the line of a start handler that begins something which sends later; nil if the handler asks
  /// when it is to stop, if nothing was sent from a closure in it after it had returned, or if the source
  /// is not there.
  ///
  /// - Parameters:
  ///   - place: Where the producer was made.
  ///   - frames: The program's own frames of a sender, the innermost first.
  mutating func unstopped(at place: Place, sendingFrom frames: [NamedFrame]) -> Place? {
    let name = place.file.split(separator: "/").last.map(String.init) ?? place.file
    guard let path = frames.compactMap(\.file).first(where: { $0.hasSuffix("/" + name) }),
      let source = sources.source(at: Place(file: path, line: place.line)),
      let handler = source.startHandler, source.ignoresLifetime(handler)
    else { return nil }
    let lines = source.line(at: handler.start)...source.line(at: handler.body.upperBound)
    // While the handler itself runs, it is on the stack, too.
    let inside = frames.filter { $0.file == path && lines.contains(Int($0.line)) }
    guard inside.count == 1, let going = inside.first else { return nil }
    return Place(file: place.file, line: going.line)
  }
}

/// The code that gets the observer of a run.
private struct StartHandler {
  let observer: String
  /// What it is told the end of the observation by, if it asks for that.
  let lifetime: String
  let body: Range<Int>
  /// Where its code begins, behind the names.
  let start: Int
}

extension PlainSource {
  /// The start handler that begins in the line asked for, or soon below: `{ observer, lifetime in`.
  fileprivate var startHandler: StartHandler? {
    let reach = asked.lowerBound..<min(asked.upperBound + Self.reachOfHandler, code.count)
    return reach.lazy.filter { code[$0] == UInt8(ascii: "{") }.compactMap(startHandler).first
  }

  /// How much further a call may go on before its closure, in characters.
  private static let reachOfHandler = 200

  private func startHandler(at opening: Int) -> StartHandler? {
    guard let closing = closing(of: opening),
      let head = statements(in: (opening + 1)..<closing).first
    else { return nil }
    var texts = head.texts[...]
    // What it captures.
    if texts.first == "[", let end = texts.firstIndex(of: "]") { texts = texts[(end + 1)...] }
    guard let end = texts.firstIndex(of: "in") else { return nil }
    texts = texts[..<end].drop { $0 == "(" }
    guard let observer = texts.first, SourceStatement.isName(observer),
      let comma = texts.lastIndex(of: ","), comma + 1 < end
    else { return nil }
    return StartHandler(
      observer: observer, lifetime: texts[comma + 1], body: (opening + 1)..<closing,
      start: head.tokens[end].position + 2)
  }

  /// Whether a start handler has no use for the lifetime of what it was started for.
  fileprivate func ignoresLifetime(_ handler: StartHandler) -> Bool {
    handler.lifetime == "_"
      || !Self.words(code[handler.start..<handler.body.upperBound]).contains(handler.lifetime)
  }

  /// Returns where code leaves, or does not go on, with a run that neither it nor anything else ends.
  fileprivate func exitsWithoutEnd(of handler: StartHandler) -> [Int] {
    let exits = SilentExits(source: self, range: handler.body) {
      ends(handler, in: $0)
    }
    let silent = exits.all().filter { exit in
      let head = Self.words(code[start(ofStatementBefore: exit.lowerBound)..<exit.lowerBound])
      return !Self.words(code[exit]).contains(handler.observer)
        && (handler.lifetime == "_" || !head.contains(handler.lifetime))
        && !isEnded(handler, above: exit.lowerBound)
    }
    return Set(silent.map(\.lowerBound) + branchesWithoutEnd(of: handler)).sorted()
  }

  /// Returns where an `if` that ends a run at the end of its code has no `else`, or one that does not.
  private func branchesWithoutEnd(of handler: StartHandler) -> [Int] {
    let branches = SilentExits(source: self, range: handler.body) { ends(handler, in: $0) }
    return branches.branches().compactMap { branch in
      let blocks = branch.blocks
      guard let outer = opening(before: blocks.lowerBound), let end = closing(of: outer),
        outer >= handler.body.lowerBound - 1
      else { return nil }
      let first = max(outer, handler.start)
      // Of the `if` itself, the side that does not end it.
      let rest = branch.exit == blocks.lowerBound ? blocks.upperBound : branch.exit
      let others = Self.words(code[first..<blocks.lowerBound] + code[rest..<end])
      return others.contains(handler.observer) ? nil : branch.exit
    }
  }

  /// Returns the functions of the file that the start handler hands its observer to.
  fileprivate func helpers(of handler: StartHandler) -> [StartHandler] {
    let called = Set(statements(in: handler.body).flatMap { $0.functions(given: handler.observer) })
    return statements(in: 0..<code.count).compactMap { statement in
      let texts = statement.texts
      guard let keyword = texts.firstIndex(of: "func"), keyword + 1 < texts.count,
        called.contains(texts[keyword + 1]), let type = texts.lastIndex(of: "Observer"),
        let colon = texts[..<type].lastIndex(of: ":"), let last = statement.tokens.last,
        let opening = code[last.position...].firstIndex(of: UInt8(ascii: "{")),
        let closing = closing(of: opening)
      else { return nil }
      return StartHandler(
        observer: texts[colon - 1], lifetime: "_", body: (opening + 1)..<closing,
        start: opening + 1)
    }
  }

  /// Returns whether code ends a run, or gives its observer away: whether it does more with that than to send
  /// a value.
  private func ends(_ handler: StartHandler, in range: Range<Int>) -> Bool {
    guard range.upperBound > handler.start else { return false }
    let observer = handler.observer
    let words = Self.words(code[range.clamped(to: handler.start..<range.upperBound)])
    return words.indices.contains {
      words[$0] == observer && !words[($0 + 1)...].starts(with: ["send", "value"])
    }
  }

  /// Returns whether code ends a run in the innermost block around a position, on each way to that.
  private func isEnded(_ handler: StartHandler, above position: Int) -> Bool {
    // The cases of a `switch` exclude each other.
    let isCase = code[position] != UInt8(ascii: "{")
    let position = isCase ? opening(before: position) ?? position : position
    guard let outer = opening(before: position) else { return false }
    var (start, isEnded) = (outer + 1, false)
    // What stands in a block between need not have run.
    for index in (outer + 1)..<position where code[index] == UInt8(ascii: "{") {
      guard index >= start, let end = closing(of: index), end < position else { continue }
      let head = Self.words(code[self.start(ofStatementBefore: index)..<index])
      guard head.first.map(Self.blocks.contains) == true || head.last == "else" else { continue }
      isEnded = isEnded || ends(handler, in: start..<index)
      start = end + 1
    }
    return isEnded || ends(handler, in: start..<position)
  }

  /// Whether a way out is that of a closure whose owner is gone.
  fileprivate func asksForOwner(_ exit: Int) -> Bool {
    Self.words(code[start(ofStatementBefore: exit)..<exit]) == ["guard", "let", "self", "else"]
  }
}

extension SourceStatement {
  /// The functions that it calls with something as an argument.
  fileprivate func functions(given argument: String) -> [String] {
    let texts = texts
    return texts.indices.dropFirst().dropLast().compactMap { index in
      guard texts[index] == argument, [",", ")"].contains(texts[index + 1]) else { return nil }
      var depth = 0
      for before in texts.indices[..<index].reversed() {
        if texts[before] == ")" { depth += 1 }
        if texts[before] == "(" {
          if depth == 0 { return before > 0 ? texts[before - 1] : nil }
          depth -= 1
        }
      }
      return nil
    }
  }
}
