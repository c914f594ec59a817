internal import VarveProbe

/// Finds, in the source of code that waits for a lock for ever, the way on which the lock was left locked,
/// and in that of other code, the lock that it holds.
struct LockUses {
  private var sources = SourceLines()

  /// A lock that code holds.
  struct Held {
    let name: String
    /// The line in which the code goes on with it, and that in which it took it.
    let place: Place
    let taken: Place
  }

  /// Returns the lock that the innermost function holds which holds one in its line.
  mutating func held(in frames: [NamedFrame]) -> Held? {
    for frame in frames.filter({ !$0.isMachinery }).prefix(Self.mostHolders) {
      if let held = held(at: frame) { return held }
    }
    return nil
  }

  /// The maximum number of functions that are looked at for a lock.
  private static let mostHolders = 8

  private mutating func held(at frame: NamedFrame) -> Held? {
    guard let file = frame.file, let source = sources.source(at: frame),
      let lock = source.lockHeld, !source.isRecursive(lock.name)
    else { return nil }
    return Held(
      name: lock.name, place: Place(path: file, line: frame.line),
      taken: Place(path: file, line: UInt32(source.line(at: lock.position))))
  }

  /// Returns whether the closure that an observer was attached with takes a lock, itself or in a function that
  /// it calls and that is in its file, or in that of the code which holds the lock.
  mutating func takes(_ held: Held, observerAt frame: NamedFrame) -> Bool {
    guard let source = sources.source(at: frame),
      let statements = source.closureStatements
    else { return false }
    if statements.contains(where: { $0.takes(held.name) }) { return true }
    let called = Set(statements.flatMap(\.texts))
    return source.function(named: called, takes: held.name)
      || sources.source(at: held.place)?.function(named: called, takes: held.name) == true
  }

  /// Returns the line that leaves a function with the lock held that the innermost function of the program
  /// waits for, in the same file: one that has neither unlocked it nor deferred that.
  mutating func exitWithLock(in frames: [NamedFrame]) -> Place? {
    guard let frame = frames.mostOwn, let file = frame.file,
      let source = sources.source(at: frame), let lock = source.lockTaken(in: source.asked)
    else { return nil }
    let exits = source.exits(holding: lock)
    // The function that waits is the likeliest: it has run before.
    let nearest = exits.first { source.body?.contains($0) == true } ?? exits.first
    return nearest.map { Place(path: file, line: UInt32(source.line(at: $0))) }
  }
}

extension PlainSource {
  /// Returns the name of the lock that is taken in a part of the code: `lock` of `self.lock.lock()`.
  fileprivate func lockTaken(in range: Range<Int>) -> String? {
    statements(in: range).lazy.compactMap { $0.lock(with: "lock") }.first
  }

  /// The lock that the function, or the closure, of the line asked for has taken above that, and not given
  /// back there; and where.
  fileprivate var lockHeld: (name: String, position: Int)? {
    guard let body else { return nil }
    let head = start(ofStatementBefore: body.lowerBound)..<body.lowerBound
    for statement in statements(in: head) + statements(in: asked) {
      if let name = statement.lockOfClosure { return (name, statement.position) }
    }
    let around = blocks(around: asked.lowerBound, in: body)
    var held: [(name: String, position: Int)] = []
    for statement in statements(in: body.lowerBound..<asked.lowerBound)
    where opening(before: statement.position).map(around.contains) == true {
      if let name = statement.lock(with: "lock") { held.append((name, statement.position)) }
      if let name = statement.lock(with: "unlock") { held.removeAll { $0.name == name } }
    }
    return held.last
  }

  /// Whether a lock may be taken again by the thread that holds it, as far as the file tells.
  fileprivate func isRecursive(_ lock: String) -> Bool {
    statements(in: 0..<code.count).contains { statement in
      statement.declaration?.name == lock && statement.texts.contains { $0.contains("Recursive") }
    }
  }

  /// The statements of the first closure that begins in the line asked for, without those of closures in it.
  fileprivate var closureStatements: [SourceStatement]? {
    guard let opening = code[asked].firstIndex(of: UInt8(ascii: "{")),
      let closing = closing(of: opening)
    else { return nil }
    return statements(in: (opening + 1)..<closing).filter {
      body(around: $0.position)?.lowerBound == opening
    }
  }

  /// Returns whether a function or a property, of one of some names, takes a lock.
  fileprivate func function(named names: Set<String>, takes lock: String) -> Bool {
    statements(in: 0..<code.count).contains { statement in
      let texts = statement.texts
      guard let keyword = texts.firstIndex(where: { $0 == "func" || $0 == "var" }),
        keyword + 1 < texts.count, names.contains(texts[keyword + 1]),
        let last = statement.tokens.last,
        let opening = code[last.position...].firstIndex(where: { $0 == UInt8(ascii: "{") }),
        Self.words(code[last.position..<opening]).count < 2, let closing = closing(of: opening)
      else { return false }
      return statements(in: opening..<closing).contains { $0.takes(lock) }
    }
  }

  /// Returns where the blocks of a body begin that a position is in, with the body itself.
  private func blocks(around position: Int, in body: Range<Int>) -> Set<Int> {
    var blocks: Set<Int> = [body.lowerBound]
    var position = position
    while let opening = opening(before: position), opening > body.lowerBound {
      blocks.insert(opening)
      position = opening
    }
    return blocks
  }

  /// Returns where functions of the file leave with a lock held.
  fileprivate func exits(holding lock: String) -> [Int] {
    let all = statements(in: 0..<code.count)
    return all.indices.compactMap { index in
      guard all[index].lock(with: "lock") == lock,
        let block = opening(before: all[index].position), let end = closing(of: block)
      else { return nil }
      return exit(from: all[(index + 1)...].prefix { $0.position < end }, in: block, lock)
    }
  }

  /// Returns where code leaves that begins after a lock was taken in a block, if it still holds it then.
  private func exit(
    from statements: ArraySlice<SourceStatement>, in block: Int, _ lock: String
  ) -> Int? {
    /// The blocks in which it was given back.
    var released: Set<Int> = []
    for statement in statements {
      let inner = opening(before: statement.position) ?? block
      if statement.lock(with: "unlock") == lock {
        if inner == block || isDeferred(inner) { return nil }
        released.insert(inner)
        continue
      }
      if statement.texts.first == "defer" { continue }
      let leaves =
        ["return", "throw"].contains(statement.texts[0])
        || zip(statement.texts, statement.texts.dropFirst()).contains {
          $0 == "try" && !["?", "!"].contains($1)
        }
      if leaves, !released.contains(inner) { return statement.position }
    }
    return nil
  }

  private func isDeferred(_ block: Int) -> Bool {
    Self.words(code[start(ofStatementBefore: block)..<block]).last == "defer"
  }
}

extension SourceStatement {
  /// The lock whose method a statement calls; nil if it does not call it.
  fileprivate func lock(with method: String) -> String? {
    let texts = texts
    return texts.indices.dropFirst(2).dropLast()
      .first { texts[$0] == method && texts[$0 - 1] == "." && texts[$0 + 1] == "(" }
      .map { texts[$0 - 2] }
  }

  fileprivate func takes(_ lock: String) -> Bool {
    self.lock(with: "lock") == lock || lockOfClosure == lock
  }

  /// The lock that a closure is given to, if it runs while that is held: `lock.withLock {`.
  fileprivate var lockOfClosure: String? {
    let texts = texts
    return texts.indices.dropFirst(2)
      .last { texts[$0].hasPrefix("withLock") && texts[$0 - 1] == "." }
      .map { texts[$0 - 2] }
  }
}
