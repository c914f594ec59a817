internal import VarveProbe

/// Finds, in the source of code that waits for a lock for ever, the way on which the lock was left locked.
struct LockUses {
  private var sources = SourceLines()

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
}
