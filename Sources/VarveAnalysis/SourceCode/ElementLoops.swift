internal import VarveProbe

/// Finds, in the source of code that takes results of a group or elements of a stream one by one, what its
/// loop does with them.
struct ElementLoops {
  private var sources = SourceLines()

  /// Returns the line in which the loop appends each element to a list as it comes, and the list; nil if it
  /// does not, if the function uses the list only for what no order matters to, or if the source is not there.
  mutating func append(byLoopAt frame: NamedFrame) -> (list: String, place: Place)? {
    guard let file = frame.file, let source = sources.source(at: frame),
      let loop = source.elementLoop,
      let function = source.functionBody(around: loop.body.lowerBound) ?? source.body
    else { return nil }
    let above = source.statements(in: function.lowerBound..<loop.body.lowerBound)
    for statement in source.statements(in: loop.body) {
      let appended = statement.list(appending: loop.element)
      guard let list = appended ?? statement.list(joining: loop.element, declaredIn: above) else {
        continue
      }
      let below = source.statements(in: loop.body.upperBound..<function.upperBound)
      guard !below.contains(where: { $0.sorts(list) }) else { return nil }
      return (list, source.place(statement.position, in: file))
    }
    return nil
  }

  /// Returns the line with the only `continue` of the loop that skips what takes the next piece of work
  /// from an iterator or a queue, or what stands above the loop, too; nil if there is none.
  mutating func skip(inLoopAt frame: NamedFrame) -> Place? {
    guard let file = frame.file, let source = sources.source(at: frame),
      let loop = source.elementLoop,
      let function = source.functionBody(around: loop.body.lowerBound) ?? source.body
    else { return nil }
    let statements = source.statements(in: loop.body)
    let skips = statements.indices.filter {
      statements[$0].behindCase == ["continue"]
        && source.loop(around: statements[$0].position) == loop.body.lowerBound
    }
    guard skips.count == 1 else { return nil }
    let above = Set(
      source.statements(in: function.lowerBound..<loop.body.lowerBound).map(\.texts))
    let skipped = statements[(skips[0] + 1)...].filter { $0.texts.contains("(") }
    guard
      skipped.contains(where: {
        above.contains($0.texts) || !SourceStatement.takings.isDisjoint(with: $0.texts)
      })
    else { return nil }
    return source.place(statements[skips[0]].position, in: file)
  }

  /// Returns the line with the only `break`, or bare `return`, by which the loop is left; nil if there is
  /// none, or more than one.
  mutating func exit(ofLoopAt frame: NamedFrame) -> Place? {
    guard let file = frame.file, let source = sources.source(at: frame),
      let loop = source.elementLoop
    else { return nil }
    let exits = source.statements(in: loop.body).filter {
      switch $0.behindCase {
      case ["break"]:
        source.loop(around: $0.position, or: ["switch"]) == loop.body.lowerBound
      case ["return"]: source.body(around: $0.position) == source.body
      default: false
      }
    }
    return exits.count == 1 ? source.place(exits[0].position, in: file) : nil
  }
}

extension PlainSource {
  fileprivate func place(_ position: Int, in file: String) -> Place {
    Place(path: file, line: UInt32(line(at: position)))
  }

  /// The loop whose head stands in the line asked for, if it takes one element in each round.
  fileprivate var elementLoop: (element: String, body: Range<Int>)? {
    guard let head = statements(in: asked.lowerBound..<code.count).first,
      Self.loops.contains(head.texts[0]), head.texts.contains("await"), let element = head.element,
      let opening = code[head.position...].firstIndex(of: UInt8(ascii: "{")),
      let closing = closing(of: opening)
    else { return nil }
    return (element, opening..<closing)
  }

  /// Returns where the body of the innermost loop begins that a position is in, within its function; or the
  /// body of one of the other blocks asked for.
  fileprivate func loop(around position: Int, or others: Set<String> = []) -> Int? {
    var position = position
    while let opening = opening(before: position) {
      guard let first = Self.words(code[start(ofStatementBefore: opening)..<opening]).first,
        Self.blocks.contains(first)
      else { return nil }
      if Self.loops.contains(first) || others.contains(first) { return opening }
      position = opening
    }
    return nil
  }
}

extension SourceStatement {
  /// What takes the next piece of work out of a store.
  fileprivate static let takings: Set<String> = [
    "next", "popFirst", "popLast", "removeFirst", "removeLast",
  ]

  /// What it calls an element that it takes: `for await one in all`, `while let one = await all.next()`.
  fileprivate var element: String? {
    let texts = texts
    guard texts[0] == "for" else { return declaration?.name }
    guard let end = texts.firstIndex(of: "in"), Self.isName(texts[end - 1]),
      end < 2 || ["await", "let", "var"].contains(texts[end - 2])
    else { return nil }
    return texts[end - 1]
  }

  /// The list to which it appends an element, and nothing else: `list.append(one)`, `list += [one]`.
  fileprivate func list(appending element: String) -> String? {
    let texts = texts.first == "self" ? Array(texts.dropFirst(2)) : texts
    guard let list = texts.first, Self.isName(list) else { return nil }
    let ways = [
      [".", "append", "(", element, ")"], ["+=", "[", element, "]"],
      [".", "append", "(", "contentsOf", ":", element, ")"],
    ]
    return ways.contains(Array(texts.dropFirst())) ? list : nil
  }

  /// The list, or the text, to which it appends an element that is one itself, `object += part`, as its
  /// declaration above shows: of numbers, that would be a sum.
  fileprivate func list(joining element: String, declaredIn above: [SourceStatement]) -> String? {
    let texts = texts.first == "self" ? Array(texts.dropFirst(2)) : texts
    guard texts.count == 3, texts[1] == "+=", texts[2] == element else { return nil }
    let declared = above.last { $0.texts.starts(with: ["var", texts[0]]) }?.texts ?? []
    return Self.sequences.isDisjoint(with: declared) ? nil : texts[0]
  }

  private static let sequences: Set<String> = ["[", "Data", "String", "ByteBuffer"]

  /// What it consists of, without the `case …:` in whose line it stands.
  fileprivate var behindCase: [String] {
    let texts = texts
    guard ["case", "default"].contains(texts[0]), let colon = texts.lastIndex(of: ":") else {
      return texts
    }
    return Array(texts[(colon + 1)...])
  }

  /// Whether it makes something of a list to which the order of that does not matter.
  fileprivate func sorts(_ list: String) -> Bool {
    let texts = texts
    return texts.indices.dropLast(2).contains {
      texts[$0] == list && texts[$0 + 1] == "." && Self.unordered.contains(texts[$0 + 2])
    }
  }

  private static let unordered: Set<String> = [
    "sort", "sorted", "reduce", "max", "min", "contains", "allSatisfy",
  ]
}
