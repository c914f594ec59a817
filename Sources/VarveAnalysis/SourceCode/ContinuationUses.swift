internal import VarveProbe

/// Finds what code does with the continuation that it was given, in the source: a trace tells that nobody
/// has resumed it, but not on which way it was lost.
struct ContinuationUses {
  /// How a continuation may have been lost.
  enum Use: Sendable, Hashable {
    /// A way out of the code that resumes it does not: the line where that leaves.
    case forgotten(Place)
    /// It is kept in a place for one, which the next one takes.
    case replaced(Place)
    /// It is kept among others, and a line of the file takes some of these out without resuming them.
    case removed(Place)
    /// It is kept in a place, and its task, which was cancelled, waits all the same.
    case uncancelled(Place)
    /// Its task was cancelled, and the code that runs then does not resume it: where that begins.
    case unheeded(Place)
    /// It is handed to something that this code makes and does not keep.
    case handedOver(Place)

    var isForgotten: Bool { if case .forgotten = self { true } else { false } }
  }

  private var sources = SourceLines()

  /// Returns the use that tells most; nil if the source is not there, or tells nothing.
  ///
  /// - Parameters:
  ///   - frames: The functions of a task that waits for the continuation.
  ///   - isReplaced: Whether another task has come to wait at the same place since, and gone on.
  ///   - isCancelled: Whether the task was cancelled.
  mutating func use(
    in frames: [NamedFrame], isReplaced: Bool, isCancelled: Bool = false
  ) -> Use? {
    guard let frame = frames.first(where: { !$0.isMachinery && $0.line > 0 }),
      let file = frame.file, let source = sources.source(at: frame),
      let body = source.bodyWithContinuation
    else { return nil }
    func place(_ position: Int) -> Place {
      Place(path: file, line: UInt32(source.line(at: position)))
    }
    let store = isReplaced ? body.store(in: source) : nil
    // What is kept further up is not lost on a way out.
    if let exit = body.exitWithout(in: source), store.map({ source.isBelow(exit, $0) }) != true {
      return .forgotten(place(exit))
    }
    if let store { return .replaced(place(store)) }
    if let removal = body.removal(in: source) { return .removed(place(removal)) }
    // What the handler calls may be what takes the continuation out.
    if isCancelled, let handler = source.handlerWithout("resume") {
      return .unheeded(place(handler))
    }
    if isCancelled, let store = body.store(in: source) { return .uncancelled(place(store)) }
    return body.handover(in: source).map { .handedOver(place($0)) }
  }
}

/// The code that gets a continuation.
private struct ContinuationBody {
  /// Its name there.
  let name: String
  /// Where the code stands.
  let range: Range<Int>

  private func uses(in code: ArraySlice<UInt8>) -> Bool {
    PlainSource.words(code).contains(name)
  }

  /// Returns where code leaves without a word to the continuation, among code that resumes it elsewhere.
  func exitWithout(in source: PlainSource) -> Int? {
    let exits = SilentExits(source: source, range: range) { uses(in: source.code[$0]) }
    return exits.all().first?.lowerBound
      ?? exits.branches().first { isOnly($0.blocks, in: source) }?.exit
  }

  /// Returns whether nothing but some blocks has the continuation, and they run once at most.
  private func isOnly(_ blocks: Range<Int>, in source: PlainSource) -> Bool {
    let code = source.code
    return !source.isInLoop(at: blocks.lowerBound)
      && PlainSource.words(code[range.lowerBound..<blocks.lowerBound]).count { $0 == name } == 1
      && !uses(in: code[blocks.upperBound..<range.upperBound])
  }

  /// Returns where the continuation is set to a variable.
  func store(in source: PlainSource) -> Int? {
    let code = source.code
    return range.first { position in
      guard code[position] == UInt8(ascii: "="),
        let value = code[(position + 1)...].firstIndex(where: { $0 > UInt8(ascii: " ") }),
        let before = code[..<position].last(where: { $0 > UInt8(ascii: " ") }),
        PlainSource.words(code[value..<source.end(ofLineAt: value)]) == [name]
      else { return false }
      // What is set by a key is one of many.
      return before != UInt8(ascii: "]")
    }
  }

  /// Returns where the file takes something out of the collection that the continuation is put into, in a
  /// function that resumes nothing, and returns nothing of it.
  func removal(in source: PlainSource) -> Int? {
    let kept = source.statements(in: range).lazy.compactMap {
      $0.collection { $0 == name }
    }.first
    guard let kept else { return nil }
    return source.statements(in: 0..<source.code.count).first { statement in
      guard statement.isRemoval(from: kept),
        let body = source.functionBody(around: statement.position)
      else {
        return false
      }
      let words = PlainSource.words(source.code[body])
      return !words.contains("resume") && !words.contains("return")
    }?.position
  }

  /// Returns where the continuation is handed to something that is made for it, and that only a constant
  /// of this code holds.
  func handover(in source: PlainSource) -> Int? {
    let code = source.code
    for position in range where code[position...].starts(with: "let ".utf8) {
      guard source.start(ofStatementBefore: position) <= position,
        PlainSource.words(code[source.start(ofStatementBefore: position)..<position]).isEmpty
      else { continue }
      var end = source.end(ofLineAt: position)
      if let block = code[position..<end].firstIndex(of: UInt8(ascii: "{")),
        let closing = source.closing(of: block)
      {
        end = max(end, closing)
      }
      let words = PlainSource.words(code[position..<min(end, range.upperBound)])
      guard words.count > 2, words.dropFirst(2).contains(name) else { continue }
      let rest = code[min(end, range.upperBound)..<range.upperBound]
      return isKept(words[1], in: rest, source) ? nil : position
    }
    return nil
  }

  /// Returns whether something is given away further down: set to a variable that keeps it, or an argument.
  private func isKept(
    _ value: String, in rest: ArraySlice<UInt8>, _ source: PlainSource
  ) -> Bool {
    let text = String(decoding: rest, as: UTF8.self)
    if ["(\(value))", "(\(value),", ": \(value))", ", \(value))", ": \(value),"]
      .contains(where: { text.contains($0) })
    {
      return true
    }
    return source.statements(in: rest.indices).contains { statement in
      guard let equals = statement.texts.firstIndex(of: "="), equals > 0,
        Array(statement.texts[(equals + 1)...]) == [value]
      else { return false }
      let isOfOther = equals > 2 && statement.texts[equals - 2] == "."
      return !source.isWeak(
        statement.texts[equals - 1],
        byCustom: isOfOther && statement.texts[equals - 3] != "self")
    }
  }
}

extension PlainSource {
  /// The code to which a function gives a continuation in the line asked for.
  fileprivate var bodyWithContinuation: ContinuationBody? {
    guard
      let opening = code[asked.lowerBound..<min(asked.upperBound + Self.reachOfHead, code.count)]
        .firstIndex(of: UInt8(ascii: "{")),
      let end = closing(of: opening),
      Self.words(code[asked.lowerBound..<opening]).contains(where: { $0.hasSuffix("Continuation") })
    else { return nil }
    let head = Self.words(code[(opening + 1)..<min(self.end(ofLineAt: opening), end)])
    if !head.contains("in"), code[opening..<end].contains(UInt8(ascii: "$")) {
      return ContinuationBody(name: "$0", range: (opening + 1)..<end)
    }
    guard let keyword = head.firstIndex(of: "in"), keyword > 0 else { return nil }
    let typed = head[..<keyword].firstIndex { $0.hasSuffix("Continuation") }
    let name = typed.map { $0 > 0 ? head[$0 - 1] : "" } ?? head[keyword - 1]
    return name.isEmpty ? nil : ContinuationBody(name: name, range: (opening + 1)..<end)
  }

  /// Whether a variable does not keep what it is set to: it is declared so in the file, or, where it is not
  /// declared there, named as those are by custom.
  fileprivate func isWeak(_ name: String, byCustom: Bool) -> Bool {
    let declarations = statements(in: 0..<code.count).compactMap { statement -> Bool? in
      let texts = statement.texts
      guard let keyword = texts.firstIndex(of: "var"), keyword + 1 < texts.count,
        texts[keyword + 1] == name
      else { return nil }
      return texts[..<keyword].contains("weak")
    }
    return declarations.isEmpty
      ? byCustom && ["delegate", "dataSource"].contains(name) : declarations.allSatisfy { $0 }
  }

  /// Returns where the code begins that runs when the task is cancelled which waits in the line asked for
  /// (`withTaskCancellationHandler`), if a word is not in it.
  fileprivate func handlerWithout(_ word: String) -> Int? {
    guard let outer = opening(before: asked.lowerBound),
      Self.words(code[start(ofStatementBefore: outer)..<outer]).contains(
        "withTaskCancellationHandler"),
      let end = closing(of: outer),
      let handler = code[end...].firstIndex(of: UInt8(ascii: "{")),
      Self.words(code[end..<handler]) == ["onCancel"], let last = closing(of: handler)
    else { return nil }
    let statements = statements(in: (handler + 1)..<last)
    return statements.contains { $0.texts.contains(word) } ? nil : statements.first?.position
  }

  /// Whether code comes by one position on each way to another, further down in the same block, or in that
  /// around closures (`lock.withLock { … }`).
  fileprivate func isBelow(_ position: Int, _ other: Int) -> Bool {
    var inner = other
    while position > other, let block = opening(before: inner), let end = closing(of: block) {
      if position < end { return true }
      let first = Self.words(code[start(ofStatementBefore: block)..<block]).first
      if first.map(Self.blocks.contains) != false { return false }
      inner = block
    }
    return false
  }

  /// How much further a call may go on before its closure, in characters.
  private static let reachOfHead = 200

  /// Returns where the line of a position ends.
  func end(ofLineAt position: Int) -> Int {
    code[position...].firstIndex(of: UInt8(ascii: "\n")) ?? code.count
  }
}

extension SourceStatement {
  /// Whether it takes something out of a collection, and makes nothing of it.
  fileprivate func isRemoval(from name: String) -> Bool {
    if let (known, _, value) = assignment {
      return known == name
        && (Array(value) == ["nil"] || value.allSatisfy { ["[", "]", ":"].contains($0) })
    }
    let texts = texts.first == "self" ? Array(texts.dropFirst(2)) : texts
    return texts.count > 2 && texts[0] == name && texts[1] == "." && texts[2].hasPrefix("remove")
  }
}
