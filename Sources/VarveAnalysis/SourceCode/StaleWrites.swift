internal import VarveProbe

/// Finds, in the source of a function that awaits something, where it then writes what it had looked at
/// before: others may have changed it meanwhile.
struct StaleWrites {
  /// A write after an `await`.
  struct Write: Sendable, Hashable {
    /// How what is written depends on what was there before the wait.
    enum Form: Sendable {
      /// It is set to something that was made of it.
      case made
      /// It is emptied of what was handed over.
      case emptied
      /// It is changed on a condition that was asked of it; the place is then the wait between.
      case checked
      /// Likewise, and the wait is all that the condition decides about, so that it should be asked again:
      /// the place is then the `if`.
      case askedOnce
      /// It is kept under a key for which it was sought before, and not found; the place is the wait, too.
      case sought
      /// Likewise, but one alone gets it for all, and others are told to forget what is kept meanwhile.
      case forgotten
      /// It is used by a position in it that was found before; the place is the wait, too.
      case placed
    }

    /// What is written.
    var name: String
    /// The line.
    var place: Place
    var form: Form
  }

  private var sources = SourceLines()

  /// Returns the first such write of a function that awaits something; nil if there is none, or if the
  /// source is not there.
  mutating func write(after frame: NamedFrame) -> Write? {
    guard !frame.isMachinery, let file = frame.file, let source = sources.source(at: frame),
      let body = source.body, let write = StaleBody(source, body)?.write
    else { return nil }
    let place = Place(path: file, line: UInt32(source.line(at: write.position)))
    return Write(name: write.name, place: place, form: write.form)
  }
}

/// A function that awaits something.
private struct StaleBody {
  /// The statements before the `await`, that with it, and those that follow.
  private let before: ArraySlice<SourceStatement>
  private let awaiting: SourceStatement
  private let after: ArraySlice<SourceStatement>
  /// What the values of the function's own names were made of.
  private var origins: [String: Set<String>] = [:]
  /// The collections in which code of the file moves what is there.
  private let moves: Set<String>
  private let source: PlainSource
  private let body: Range<Int>

  init?(_ source: PlainSource, _ body: Range<Int>) {
    let statements = source.statements(in: body)
    // A wait of a closure in the same line is not one of its function, and after a `return` nothing follows.
    guard let index = source.awaiting(in: statements), statements[index].texts.first != "return",
      source.body(around: statements[index].position) == body
    else { return nil }
    (self.source, self.body) = (source, body)
    before = statements[..<index]
    awaiting = statements[index]
    after = statements[(index + 1)...]
    moves = Set(source.statements(in: 0..<source.code.count).compactMap(\.moved))
    let head = SourceStatement.parameters(source, body.lowerBound)
    for name in head { origins[name] = [] }
    for statement in statements[...index] { declare(statement, isBefore: true) }
    for statement in after { declare(statement, isBefore: false) }
  }

  /// Takes in what a statement names, made of what its words are made of: before the wait ends, of what they
  /// stand for then. A condition names something for its own block alone.
  private mutating func declare(_ statement: SourceStatement, isBefore: Bool) {
    guard let (name, value) = statement.declaration, !Self.conditions.contains(statement.texts[0])
    else { return }
    origins[name] = value.filter(SourceStatement.isName).reduce(into: []) {
      $0.formUnion(origins[$1] ?? (isBefore ? [$1] : []))
    }
  }

  private static let conditions: Set<String> = ["if", "else", "while", "for", "case", "switch"]

  /// Whether the function keeps others away while it waits: what it sets to true before, it sets to false
  /// after that.
  private var isGuarded: Bool {
    func set(_ statements: ArraySlice<SourceStatement>, to value: String) -> Set<String> {
      Set(statements.compactMap(\.assignment).filter { Array($0.value) == [value] }.map(\.name))
    }
    return !set(before, to: "true").isDisjoint(with: set(after, to: "false"))
  }

  /// What a value was made of that is written with some words.
  private func origins(of words: some Sequence<String>) -> Set<String> {
    words.reduce(into: []) { $0.formUnion(origins[$1] ?? []) }
  }

  var write: (name: String, position: Int, form: StaleWrites.Write.Form)? {
    if isGuarded { return nil }
    if let (name, hasKey, value) = awaiting.assignment, !hasKey, origins[name] == nil,
      value.contains("await"), value.contains(name)
    {
      return (name, awaiting.position, .made)
    }
    // What was changed before the wait is not what it had been then.
    let changed = Set(before.compactMap { $0.assignment?.name } + before.compactMap(\.emptied))
    let handed = awaiting.handedOver
    let awaited = Set(handed).union(origins(of: handed))
    for statement in after {
      if let name = statement.emptied, origins[name] == nil, !changed.contains(name),
        awaited.contains(name)
      {
        return (name, statement.position, .emptied)
      }
      // Of what has a key, a task usually writes its own.
      guard let (name, hasKey, value) = statement.assignment, !hasKey, origins[name] == nil,
        !changed.contains(name), origins(of: value).contains(name)
      else { continue }
      return (name, statement.position, .made)
    }
    if let name = placed { return (name, awaiting.position, .placed) }
    return checked(changed)
  }

  /// What is used after the wait by a position in it that was looked up before, if the file has code that
  /// moves what is in it: `rows[row]`, `rows.insert(one, at: row)`.
  private var placed: String? {
    for (local, collection) in before.compactMap(\.positionLookedUp)
    where origins[collection] == nil && moves.contains(collection) {
      let next = after.first {
        $0.declaration?.name == local || $0.uses(local, in: collection)
      }
      if let next, next.declaration?.name != local { return collection }
    }
    return nil
  }

  /// Returns what is changed after the wait on a condition that was asked before it, and not again.
  private func checked(
    _ changed: Set<String>
  ) -> (name: String, position: Int, form: StaleWrites.Write.Form)? {
    let asking = before.filter {
      ["guard", "if"].contains($0.texts[0]) && $0.declaration == nil
    }
    let asked = Set(asking.flatMap(\.texts).filter(SourceStatement.isName)).subtracting(changed)
    // What is kept under a key, looked for before: `if let kept = list[id] { return kept }`.
    let sought = before.filter { ["guard", "if"].contains($0.texts[0]) }
      .compactMap { $0.declaration.flatMap { SourceStatement.entry(of: $0.value) } }
    // Who gets it leaves word of that before the wait.
    let isTold = sought.contains { entry in
      before.contains {
        $0.assignment?.hasKey == true && SourceStatement.entry(of: $0.texts) == entry
      }
    }
    for statement in after {
      if Self.conditions.union(["guard"]).contains(statement.texts[0]) { return nil }
      if statement.assignment?.hasKey == true,
        let entry = SourceStatement.entry(of: statement.texts),
        sought.contains(entry), !changed.contains(entry[0])
      {
        guard isTold else { return (entry[0], awaiting.position, .sought) }
        return source.forgets(entry[0], outside: body)
          ? (entry[0], statement.position, .forgotten) : nil
      }
      guard let name = statement.mutated, origins[name] == nil, asked.contains(name) else {
        continue
      }
      if let place = asking.last(where: { $0.texts.contains(name) })?.position,
        source.isBlock(at: place, around: awaiting.position, endingBefore: statement.position)
      {
        return (name, place, .askedOnce)
      }
      return (name, awaiting.position, .checked)
    }
    return nil
  }
}

extension PlainSource {
  /// Whether a position is in the block of an `if`, which ends before another position.
  fileprivate func isBlock(at head: Int, around position: Int, endingBefore other: Int) -> Bool {
    guard let opening = opening(before: position), let closing = closing(of: opening) else {
      return false
    }
    let start = start(ofStatementBefore: opening)
    return Self.words(code[start..<opening]).first == "if" && start...opening ~= head
      && closing < other
  }

  /// Whether another function than that of a body takes out what is kept under the key that it was called
  /// with, or all that is kept.
  fileprivate func forgets(_ name: String, outside body: Range<Int>) -> Bool {
    statements(in: 0..<code.count).contains { statement in
      guard !body.contains(statement.position), let function = self.body(around: statement.position)
      else { return false }
      if statement.emptied == name { return true }
      let texts = statement.texts.dropFirst(statement.texts.first == "self" ? 2 : 0)
      guard texts.first == name else { return false }
      let key = SourceStatement.parameters(self, function.lowerBound)
      return key.contains { texts.elementsEqual([name, "[", $0, "]", "=", "nil"]) }
        || key.contains {
          texts.elementsEqual([name, ".", "removeValue", "(", "forKey", ":", $0, ")"])
        }
    }
  }
}

extension SourceStatement {
  /// Its words, without the names of tasks whose results it awaits: `await loading?.value`.
  fileprivate var handedOver: [String] {
    let texts = texts
    return texts.indices.filter { index in
      let next = texts[(index + 1)...].drop { ["?", "!"].contains($0) }.prefix(2)
      return !(next.first == "." && next.last.map(["value", "result"].contains) == true)
    }.map { texts[$0] }
  }

  /// What a statement empties: `list.removeAll()`, `list = []`, `value = nil`.
  fileprivate var emptied: String? {
    if let (name, hasKey, value) = assignment {
      return !hasKey && Self.empty.contains(Array(value)) ? name : nil
    }
    let texts = texts.first == "self" ? Array(texts.dropFirst(2)) : texts
    return texts.count > 2 && Self.isName(texts[0]) && texts[1] == "." && texts[2] == "removeAll"
      ? texts[0] : nil
  }

  /// Returns what some words begin with, if that is something kept under a key: `list[id]`.
  fileprivate static func entry(of words: some Sequence<String>) -> [String]? {
    var words = Array(words)[...]
    if words.first == "self" { words = words.dropFirst(2) }
    guard let name = words.first, isName(name), words.dropFirst().first == "[",
      let end = words.firstIndex(of: "]")
    else { return nil }
    return Array(words[...end])
  }

  /// What a statement changes in place: `list.append(…)`, `count += 1`.
  fileprivate var mutated: String? {
    let texts = texts.first == "self" ? Array(texts.dropFirst(2)) : texts
    guard texts.count > 2, Self.isName(texts[0]) else { return nil }
    if ["+=", "-="].contains(texts[1]) { return texts[0] }
    return texts[1] == "." && ["append", "insert", "removeFirst", "removeLast"].contains(texts[2])
      ? texts[0] : nil
  }

  /// What a statement moves the elements of: `list.insert(one, at: 0)`, `list.removeFirst()`.
  fileprivate var moved: String? {
    let texts = texts
    return texts.indices.dropFirst(2).first {
      texts[$0 - 1] == "." && Self.moves.contains(texts[$0]) && Self.isName(texts[$0 - 2])
    }.map { texts[$0 - 2] }
  }

  /// Whether it uses a position in a collection.
  fileprivate func uses(_ position: String, in collection: String) -> Bool {
    let texts = texts
    return texts.indices.dropLast(2).contains { index in
      guard texts[index] == collection else { return false }
      if texts[index + 1] == "[" { return texts[index + 2] == position }
      guard texts[index + 1] == ".", ["insert", "remove"].contains(texts[index + 2]),
        let label = texts[index...].firstIndex(of: "at"), label + 2 < texts.count
      else { return false }
      return texts[label + 2] == position
    }
  }

  /// The position in a collection that a statement names: `let row = rows.firstIndex(…)`,
  /// `for row in rows.indices`.
  fileprivate var positionLookedUp: (name: String, collection: String)? {
    let texts = texts
    guard
      let word = texts.firstIndex(of: texts[0] == "for" ? "in" : "="), word > 0,
      let name = texts[..<word].first(where: {
        Self.isName($0) && !["guard", "if", "let", "var", "for"].contains($0)
      })
    else { return nil }
    let value = texts[(word + 1)...].drop { ["self", "."].contains($0) }
    guard let collection = value.first, value.count > 2, value.dropFirst().first == ".",
      Self.positions.contains(value[value.startIndex + 2])
    else { return nil }
    return (name, collection)
  }

  private static let positions: Set<String> = [
    "firstIndex", "lastIndex", "count", "endIndex", "indices", "enumerated",
  ]

  private static let moves: Set<String> = [
    "insert", "remove", "removeFirst", "removeLast", "removeAll", "removeSubrange", "popLast",
    "sort",
    "swapAt", "reverse", "shuffle",
  ]

  private static let empty: [[String]] = [["[", "]"], ["[", ":", "]"], ["nil"], ["0"]]

  /// Returns the names of the parameters of the function whose body begins at a position.
  fileprivate static func parameters(_ source: PlainSource, _ opening: Int) -> [String] {
    let start =
      source.code[..<opening].lastIndex { [UInt8(ascii: "{"), UInt8(ascii: "}")].contains($0) } ?? 0
    guard
      let head = source.statements(in: start..<opening).last(where: { $0.texts.contains("func") })
    else { return [] }
    let texts = head.texts
    return texts.indices.dropFirst().filter { texts[$0] == ":" }.map { texts[$0 - 1] }
  }
}
