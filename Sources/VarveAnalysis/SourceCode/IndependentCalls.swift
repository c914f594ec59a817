internal import VarveProbe

/// Finds, in the source of a function that awaits several calls one after the other, those of which none uses
/// what another one gives, so that they could run side by side.
struct IndependentCalls {
  /// A call that was awaited.
  struct Call {
    /// The frame of the function that awaits it.
    var frame: NamedFrame
    /// The function that it calls; nil if it is not known.
    var callee: String?
    /// Whether it is the result of a task that is awaited, not a call.
    var isOfTask: Bool
    /// How long it was awaited.
    var nanoseconds: UInt64
  }

  /// Calls that could run side by side.
  struct Group {
    /// The line of the first one.
    var place: Place
    /// How long they were awaited, each.
    var nanoseconds: [UInt64]

    var total: UInt64 { nanoseconds.reduce(0, +) }
    /// What would be saved if they ran side by side.
    var spare: UInt64 { total - (nanoseconds.max() ?? 0) }
  }

  private var sources = SourceLines()

  /// Returns those of the calls of one function that would save most; nil if the source is not there, or if
  /// each uses what another one gives.
  mutating func group(of calls: [Call]) -> Group? {
    guard let frame = calls.first?.frame, let file = frame.file,
      let lines = sources.lines(of: file), let source = sources.source(at: frame)
    else { return nil }
    let statements = source.statements(in: source.body ?? 0..<source.code.count)
    var awaited: [Int: [Call]] = [:]
    for call in calls {
      guard let line = source.range(ofLine: call.frame.line),
        let index = source.awaiting(in: statements, at: line)
      else { continue }
      awaited[index, default: []].append(call)
    }
    let within = awaited.map { index, calls in
      let separate = statements[index].separate(calls.compactMap(\.callee))
      return (
        index, calls.filter { $0.callee.map(separate.contains) == true }.map(\.nanoseconds)
      )
    }
    let groups =
      within
      + Self.runs(of: awaited, statements, in: source, lines).map { run in
        (run[0], run.map { awaited[$0, default: []].reduce(0) { $0 + $1.nanoseconds } })
      }
    return groups.map { index, nanoseconds in
      let line = UInt32(source.line(at: statements[index].position))
      return Group(place: Place(path: file, line: line), nanoseconds: nanoseconds)
    }.max { ($0.spare, $1.place.line) < ($1.spare, $0.place.line) }
  }

  /// Returns the statements, one after the other in a block, that await something, and of which none uses
  /// what comes from one before.
  private static func runs(
    of awaited: [Int: [Call]], _ statements: [SourceStatement], in source: PlainSource,
    _ lines: [Substring]
  ) -> [[Int]] {
    guard let first = awaited.keys.min(), let last = awaited.keys.max() else { return [] }
    var runs: [[Int]] = [[]]
    var block: Int?
    // What comes from the results of the run.
    var derived: Set<String> = []
    for index in first...last {
      let statement = statements[index]
      let words = source.words(of: statement, lines)
      let uses = !derived.isDisjoint(with: words)
      if let calls = awaited[index] {
        let opening = source.opening(before: statement.position)
        // A task that was made before runs meanwhile.
        let made = statements[..<index].lastIndex { $0.makes(oneOf: words) }
        let isFollowing =
          calls.allSatisfy { !$0.isOfTask }
          || made.map { $0 > runs[runs.count - 1].last ?? -1 } ?? words.contains("Task")
        if uses || opening != block || !isFollowing || statement.given == nil {
          runs.append([])
          derived = []
        }
        block = opening
        guard let name = statement.given else { continue }
        runs[runs.count - 1].append(index)
        derived.insert(name)
      } else if uses {
        if PlainSource.blocks.contains(statement.texts[0]) { (runs, derived) = (runs + [[]], []) }
        derived.formUnion(words.subtracting(SourceStatement.keywords))
      }
    }
    return runs.filter { !$0.isEmpty }
  }
}

extension PlainSource {
  /// The words in the lines of a statement, with those in texts.
  fileprivate func words(of statement: SourceStatement, _ lines: [Substring]) -> Set<String> {
    let last = statement.tokens[statement.tokens.count - 1].position
    return Set(
      lines[(line(at: statement.position) - 1)..<line(at: last)].flatMap {
        Self.words(Array($0.utf8)[...])
      })
  }
}

extension SourceStatement {
  fileprivate static let keywords: Set<String> = [
    "let", "var", "try", "await", "async", "self", "return", "throw", "in", "is", "as",
  ]

  /// What it gives a value to; nil if that is nothing, or if it decides what follows.
  fileprivate var given: String? {
    guard !PlainSource.blocks.contains(texts[0]) else { return nil }
    return (declaration?.name ?? assignment?.name).flatMap { $0 == "_" ? nil : $0 }
  }

  /// Whether it makes a task that has one of some names: `async let page = …`, `let page = Task { … }`.
  fileprivate func makes(oneOf names: Set<String>) -> Bool {
    guard let (name, value) = declaration, names.contains(name) else { return false }
    return texts[0] == "async" || value.contains("Task")
  }

  /// Returns those of some functions that it calls such that none is an argument of another one, nor what
  /// another one is called of: `(a(), b())`; none if they are called once only.
  fileprivate func separate(_ functions: [String]) -> Set<String> {
    var kept: [Int] = []
    for call in tokens.indices.reversed() where functions.contains(tokens[call].text) {
      if kept.allSatisfy({ areApart(call, $0) }) { kept.append(call) }
    }
    return kept.count > 1 ? Set(kept.map { tokens[$0].text }) : []
  }

  /// Whether a sign stands between two calls that parts them, outside of what is in the brackets of either.
  private func areApart(_ first: Int, _ second: Int) -> Bool {
    var depth = 0
    var (lowest, areApart) = (0, false)
    for token in tokens[(first + 1)..<second] {
      if ["(", "["].contains(token.text) { depth += 1 }
      if [")", "]"].contains(token.text) { depth -= 1 }
      if depth < lowest { (lowest, areApart) = (depth, false) }
      if depth == lowest, [",", "+"].contains(token.text) { areApart = true }
    }
    return areApart
  }
}
