package import VarveProbe

/// Finds, in the source of code that makes a task, what the task holds weakly and cannot go on without.
package struct WeakOwners {
  private var sources = SourceLines()

  /// Makes a reader that has read nothing yet.
  package init() {}

  /// Returns the name of what a task holds weakly and asks for below a line, to await more if it is still
  /// there; nil if it does not, or if the source is not there.
  ///
  /// - Parameters:
  ///   - maker: The code that made the task.
  ///   - line: The line of the task's own code in which it has waited.
  mutating func owner(askedForBy maker: NamedFrame, below line: UInt32) -> String? {
    guard let source = sources.source(at: maker), let body = source.bodyOfTask,
      let owner = source.weakCapture(at: body.lowerBound)
    else { return nil }
    let statements = source.statements(in: body)
    guard let asking = statements.firstIndex(where: { $0.asks(for: owner) }),
      source.line(at: statements[asking].position) > Int(line),
      statements[..<asking].contains(where: {
        source.line(at: $0.position) <= Int(line) && $0.texts.contains("await")
      }),
      statements[asking...].contains(where: { $0.texts.contains("await") })
    else { return nil }
    return owner
  }

  /// Returns the line in which a task takes hold of what it was to hold weakly, and its name, if that holds
  /// while the task waits further down: it is kept for as long as the task lives. Nil if it does not, or if
  /// the source is not there.
  ///
  /// - Parameters:
  ///   - maker: The code that made the task.
  ///   - line: The line of the task's own code in which it waits.
  mutating func hold(takenBy maker: NamedFrame, above line: UInt32) -> (name: String, line: UInt32)?
  {
    guard let source = sources.source(at: maker), let body = source.bodyOfTask,
      let owner = source.weakCapture(at: body.lowerBound)
    else { return nil }
    let hold = source.statements(in: body).first {
      $0.texts.starts(with: ["guard", "let"]) && $0.texts.contains(owner)
    }
    guard let hold, source.opening(before: hold.position) == body.lowerBound
    else { return nil }
    let taken = source.line(at: hold.position)
    return taken < Int(line) ? (owner, UInt32(taken)) : nil
  }

  /// Returns likewise where a task takes hold of what it was to hold weakly, by the functions of the task
  /// that wait, the innermost first.
  package mutating func hold(
    takenBy maker: NamedFrame, waitingIn frames: [NamedFrame]
  ) -> (name: String, place: Place)? {
    // The task's own code is that which it began with.
    guard let wait = frames.last(where: { !$0.isMachinery && $0.line > 0 }), let file = maker.file,
      wait.file == file
    else { return nil }
    return hold(takenBy: maker, above: wait.line).map {
      ($0.name, Place(path: file, line: $0.line))
    }
  }
}

extension PlainSource {
  /// The closure that a task is made with in the line asked for, from its brace on.
  fileprivate var bodyOfTask: Range<Int>? {
    let making = statements(in: asked.lowerBound..<code.count).first
    guard let making, making.texts.contains("Task") || making.texts.contains("addTask"),
      let opening = code[making.position...].firstIndex(of: UInt8(ascii: "{"))
    else { return nil }
    return closing(of: opening).map { opening..<$0 }
  }

  /// What a closure holds weakly (`[weak self]`); nil if it holds nothing so.
  fileprivate func weakCapture(at opening: Int) -> String? {
    let head = statements(in: (opening + 1)..<code.count).first?.texts ?? []
    guard head.first == "[", let weak = head.firstIndex(of: "weak"), weak + 1 < head.count,
      head[weak...].contains("in")
    else { return nil }
    return head[weak + 1]
  }
}

extension SourceStatement {
  /// Whether it goes on only if something is still there: `guard let self`, `if let self`, `self?.show()`.
  fileprivate func asks(for name: String) -> Bool {
    let texts = texts
    return texts.indices.contains { index in
      guard texts[index] == name else { return false }
      let isBound = index > 1 && texts[index - 1] == "let"
      return isBound || index + 1 < texts.count && texts[index + 1].hasPrefix("?")
    }
  }
}
