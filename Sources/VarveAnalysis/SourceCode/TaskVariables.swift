internal import VarveProbe

/// Finds, in the source of code that makes a task, where the task is kept, and where that is set back.
struct TaskVariables {
  private var sources = SourceLines()

  /// Returns the line in which a task sets the variable to nil, at its own end, that the code which made
  /// it set to it; nil if it does not, or asks before whether it was cancelled.
  mutating func clearing(by maker: NamedFrame) -> (name: String, place: Place)? {
    guard let (source, index, statements) = code(at: maker),
      let (name, hasKey, _) = statements[index].assignment, !hasKey,
      let opening = source.code[statements[index].position...].firstIndex(of: UInt8(ascii: "{")),
      let end = source.closing(of: opening)
    else { return nil }
    let body = statements[(index + 1)...].prefix { $0.position < end }
    guard let clearing = body.first(where: { $0.clears(name) }),
      // A task that was replaced may know that.
      !body.contains(where: { $0.position < clearing.position && $0.texts.contains("isCancelled") })
    else { return nil }
    return (name, Place(path: maker.file ?? "", line: UInt32(source.line(at: clearing.position))))
  }

  /// Returns the line in which a task is kept under a key, if its file never takes it out again.
  mutating func keeping(by maker: NamedFrame) -> (name: String, place: Place)? {
    guard let (source, index, statements) = code(at: maker) else { return nil }
    var kept = statements[index]
    var variable = kept.assignment
    if variable == nil, let local = kept.declaration?.name,
      let store = statements[(index + 1)...].first(where: {
        $0.assignment.map { Array($0.value) == [local] } == true
      })
    {
      kept = store
      variable = store.assignment
    }
    guard let (name, hasKey, _) = variable, hasKey, !statements.contains(where: { $0.clears(name) })
    else { return nil }
    return (name, Place(path: maker.file ?? "", line: UInt32(source.line(at: kept.position))))
  }

  /// Returns the task-local value that a file declares and binds, if the task which code makes there is
  /// detached; nil if it is not.
  mutating func taskLocal(lostBy maker: NamedFrame) -> String? {
    guard let (_, index, statements) = code(at: maker),
      statements[index].texts.contains("detached"),
      statements.contains(where: { $0.texts.contains("withValue") }),
      let local = statements.first(where: { $0.texts.starts(with: ["@", "TaskLocal"]) }),
      let keyword = local.texts.firstIndex(of: "var"), keyword + 1 < local.texts.count
    else { return nil }
    return local.texts[keyword + 1]
  }

  /// Returns the task-local values that a file binds, each with the name of its type:
  /// `Context.$user.withValue(…)`.
  mutating func boundLocals(in file: String) -> Set<String> {
    guard let lines = sources.lines(of: file) else { return [] }
    var found: Set<String> = []
    for (index, line) in lines.enumerated() where line.contains(".withValue") {
      let source = PlainSource(lines, around: index + 1)
      for texts in source.statements(in: source.asked).map(\.texts) {
        guard let call = texts.firstIndex(of: "withValue"), call > 3,
          texts[call - 2].hasPrefix("$"), texts[call - 3] == "."
        else { continue }
        found.insert(texts[call - 4] + "." + texts[call - 2].dropFirst())
      }
    }
    return found
  }

  /// Returns whether a frame stands in code that has a task-local value bound: `Context.$user.withValue(…) { … }`.
  mutating func binds(_ local: String, at frame: NamedFrame) -> Bool {
    guard !frame.isMachinery, let source = sources.source(at: frame) else { return false }
    let name = local.split(separator: ".").last.map(String.init) ?? local
    func binds(_ range: Range<Int>) -> Bool {
      let words = PlainSource.words(source.code[range])
      return words.contains("withValue") && words.contains(name)
    }
    if binds(source.asked) { return true }
    var position = source.asked.lowerBound
    while let opening = source.opening(before: position) {
      if binds(source.start(ofStatementBefore: opening)..<opening) { return true }
      position = opening
    }
    return false
  }

  /// Returns the first line of the innermost closure or function around a frame that reads one of some
  /// task-local values (`Context.user`), down to where the frame is; nil if none does.
  mutating func read(
    of locals: Set<String>, above frame: NamedFrame
  ) -> (name: String, place: Place)? {
    guard let file = frame.file, let source = sources.source(at: frame),
      let lines = sources.lines(of: file)
    else { return nil }
    // A closure may begin in the line itself.
    let brace = source.code[source.asked].lastIndex(of: UInt8(ascii: "{"))
    guard let body = source.body(around: brace.map { $0 + 1 } ?? source.asked.lowerBound) else {
      return nil
    }
    let first = source.line(at: body.lowerBound)
    for number in first...max(first, Int(frame.line)) {
      // What a closure captures, it has got before.
      let start =
        number == first
        ? min(source.endOfCaptures(at: body.lowerBound), body.upperBound) : nil
      let position = start ?? source.starts[number - source.firstLine]
      let text = start.map { String(decoding: source.code[$0..<body.upperBound], as: UTF8.self) }
      let line = text?.prefix { $0 != "\n" } ?? lines[number - 1]
      guard source.body(around: position) == body,
        let name = locals.sorted().first(where: { line.contains($0) })
      else { continue }
      return (name, Place(path: file, line: UInt32(number)))
    }
    return nil
  }

  /// Returns what is written in the task that code makes, in words and signs; nil if it is nothing.
  mutating func work(ofTaskMadeBy maker: NamedFrame) -> [String]? {
    guard let (source, index, statements) = code(at: maker),
      let opening = source.code[statements[index].position...].firstIndex(of: UInt8(ascii: "{")),
      let end = source.closing(of: opening)
    else { return nil }
    let words = source.statements(in: (opening + 1)..<end).flatMap(\.texts)
    return words.isEmpty ? nil : words
  }

  /// Returns the variable that code sets to the task which it makes; nil if it does not.
  mutating func variable(of maker: NamedFrame) -> String? {
    guard let (_, index, statements) = code(at: maker),
      let (name, hasKey, _) = statements[index].assignment, !hasKey
    else { return nil }
    return name
  }

  /// Returns the variable that code sets to the task which it makes, if its function does not cancel the task
  /// before, nor look whether there is one.
  mutating func overwriting(by maker: NamedFrame) -> String? {
    guard let name = variable(of: maker), let (source, index, statements) = code(at: maker),
      let body = source.functionBody(around: statements[index].position)
    else { return nil }
    let before = statements[..<index].filter { $0.position > body.lowerBound }
    return before.contains { $0.texts.contains(name) } ? nil : name
  }

  /// Returns what a function that makes a task sets back as soon as it is left (`defer`), by the line of
  /// that, if it has set it before, and awaits nothing itself.
  mutating func reset(leaving maker: NamedFrame) -> (name: String, place: Place)? {
    guard let (source, index, statements) = code(at: maker),
      let body = source.body(around: statements[index].position),
      let opening = source.code[statements[index].position...].firstIndex(of: UInt8(ascii: "{")),
      let end = source.closing(of: opening), end < body.upperBound,
      !source.statements(in: body).contains(where: {
        $0.texts.contains("await") && source.body(around: $0.position) == body
      })
    else { return nil }
    let above = statements[..<index].filter { $0.position > body.lowerBound }
    for (number, statement) in above.enumerated().dropLast() where statement.texts == ["defer"] {
      guard let block = source.opening(before: statement.position),
        source.closing(of: block).map({ $0 > end }) == true, let target = above[number + 1].target,
        above.contains(where: {
          $0.position != above[number + 1].position && $0.target == target
        }),
        !above.contains(where: { $0.declaration?.name == target[0] })
      else { continue }
      let line = UInt32(source.line(at: statement.position))
      return (target.joined(), Place(path: maker.file ?? "", line: line))
    }
    return nil
  }

  /// Returns the first line below a task, in the function that makes it, which blocks the thread there until
  /// something else is done: `semaphore.wait()`.
  mutating func wait(below maker: NamedFrame) -> Place? {
    guard let (source, index, statements) = code(at: maker),
      let body = source.body(around: statements[index].position),
      let opening = source.code[statements[index].position...].firstIndex(of: UInt8(ascii: "{")),
      let end = source.closing(of: opening), end < body.upperBound
    else { return nil }
    let wait = statements.first {
      (end..<body.upperBound).contains($0.position) && $0.blocks
        && source.body(around: $0.position) == body
    }
    return wait.map { Place(path: maker.file ?? "", line: UInt32(source.line(at: $0.position))) }
  }

  private mutating func code(
    at maker: NamedFrame
  ) -> (source: PlainSource, index: Int, statements: [SourceStatement])? {
    guard let source = sources.source(at: maker) else { return nil }
    let statements = source.statements(in: 0..<source.code.count)
    guard let index = statements.lastIndex(where: { $0.position < source.asked.upperBound }),
      let making = statements[...index].last(where: \.makesTask),
      making.position >= source.asked.lowerBound,
      let found = statements.firstIndex(where: { $0.position == making.position })
    else { return nil }
    return (source, found, statements)
  }
}

extension PlainSource {
  /// Where the list ends of what a closure captures, whose brace is at a position.
  fileprivate func endOfCaptures(at opening: Int) -> Int {
    guard let first = code[(opening + 1)...].firstIndex(where: { $0 > UInt8(ascii: " ") }),
      code[first] == UInt8(ascii: "["),
      let end = code[first...].firstIndex(of: UInt8(ascii: "]"))
    else { return opening + 1 }
    return end + 1
  }
}

extension SourceStatement {
  /// Whether it makes a task: `Task {`, `Task(name: …) {`, `Task.detached {`, and not `Task.sleep(…)`.
  fileprivate var makesTask: Bool {
    let texts = texts
    return texts.indices.contains { index in
      guard texts[index] == "Task" else { return false }
      let rest = texts[(index + 1)...].prefix(2)
      guard rest.first == "." else { return rest.isEmpty || ["(", "<"].contains(rest.first) }
      return ["detached", "immediate", "immediateDetached", "init"].contains(rest.last ?? "")
    }
  }

  /// Whether it takes out what a variable holds, or something of it.
  fileprivate func clears(_ name: String) -> Bool {
    if let (known, _, value) = assignment { return known == name && Array(value) == ["nil"] }
    let texts = texts
    guard let position = texts.firstIndex(of: name), position + 2 < texts.count else {
      return false
    }
    return texts[position + 1] == "." && texts[position + 2].hasPrefix("remove")
  }

  /// Whether it waits for something without giving its thread to others.
  fileprivate var blocks: Bool {
    let texts = texts
    return !texts.contains("await")
      && texts.indices.dropLast(2).contains {
        texts[$0] == "." && texts[$0 + 1] == "wait" && texts[$0 + 2] == "("
      }
  }

  /// What it sets, or counts up or down: `list.isLoading = …`; nil if it is something else that it does.
  fileprivate var target: [String]? {
    let texts = texts.first == "self" ? Array(texts.dropFirst(2)) : texts
    guard let sign = texts.firstIndex(where: { ["=", "+=", "-="].contains($0) }), sign > 0,
      texts[..<sign].allSatisfy({ Self.isName($0) || [".", "?"].contains($0) })
    else { return nil }
    return Array(texts[..<sign])
  }
}
