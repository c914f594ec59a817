internal import VarveProbe

/// Finds, in the source of functions that wait, the call that makes the group of a task.
struct TaskGroups {
  private var sources = SourceLines()

  /// Returns which of a task's functions, the innermost first, has that call: `withTaskGroup` or
  /// `withThrowingTaskGroup`; nil if none has, or if the source is not there.
  mutating func maker(in frames: [NamedFrame]) -> Int? {
    frames.firstIndex { sources.source(at: $0)?.groupCall != nil }
  }

  /// Returns whether a line stands in a loop, and is about what that goes through: each time another one.
  mutating func isAboutEach(_ frame: NamedFrame) -> Bool {
    guard let source = sources.source(at: frame) else { return false }
    let call = source.asked
    let closing = source.code[call].lastIndex(of: UInt8(ascii: "{")).flatMap(source.closing)
    var position = call.lowerBound
    while let opening = source.opening(before: position) {
      let start = source.start(ofStatementBefore: opening)
      guard let head = source.statements(in: start..<opening).last,
        PlainSource.blocks.contains(head.texts[0])
      else { return false }
      let names = head.loopNames
      let words = PlainSource.words(source.code[opening..<max(call.upperBound, closing ?? 0)])
      if !names.isDisjoint(with: words) { return true }
      position = opening
    }
    return false
  }

  /// Returns whether nothing takes results out of a group, though a loop in its code waits for other things.
  ///
  /// - Parameters:
  ///   - maker: The line that makes the group.
  ///   - wait: The line of the group's own code that waits.
  mutating func keepsResults(madeBy maker: NamedFrame, while wait: NamedFrame) -> Bool {
    guard let source = sources.source(at: maker), let call = source.groupCall,
      sources.source(at: wait)?.waitsInLoop == true,
      let opening = source.code[call.position...].firstIndex(of: UInt8(ascii: "{")),
      let end = source.closing(of: opening)
    else { return false }
    let body = source.statements(in: (opening + 1)..<end)
    guard let head = body.first?.texts, let word = head.firstIndex(of: "in"), word > 0 else {
      return false
    }
    let group = head[word - 1]
    return !body.dropFirst().contains {
      $0.takes(from: group)
        && (!$0.takesAtLast(from: group) || source.isInLoop(at: $0.position))
    }
  }
}

extension PlainSource {
  fileprivate var groupCall: SourceStatement? {
    statements(in: asked).first { statement in
      statement.texts.contains { ["withTaskGroup", "withThrowingTaskGroup"].contains($0) }
    }
  }
}

extension SourceStatement {
  /// The names that the head of a loop gives to what comes each time.
  fileprivate var loopNames: Set<String> {
    let texts = texts
    guard PlainSource.loops.contains(texts[0]) else { return [] }
    guard texts[0] == "for", let word = texts.firstIndex(of: "in") else {
      return Set([declaration?.name].compactMap { $0 })
    }
    return Set(texts[1..<word].filter { Self.isName($0) && $0 != "_" })
  }

  /// Whether it waits for what is left in a group, and throws the results away, as the end of a group does.
  fileprivate func takesAtLast(from group: String) -> Bool {
    let texts = texts
    return texts.indices.contains { texts[$0...].starts(with: [group, ".", "waitForAll"]) }
  }

  /// Whether it takes a result out of a group, or hands the group to what may do that.
  fileprivate func takes(from group: String) -> Bool {
    let texts = texts
    return texts.indices.contains { index in
      guard texts[index] == group else { return false }
      if index + 2 < texts.count, texts[index + 1] == "." {
        return !["addTask", "addTaskUnlessCancelled", "cancelAll", "isCancelled"]
          .contains(texts[index + 2])
      }
      return index > 0 && texts[index - 1] != "["
    }
  }
}
