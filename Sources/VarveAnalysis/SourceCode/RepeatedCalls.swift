internal import VarveProbe

/// Finds, in the source of functions that wait for each other, a call that an outer one has made before,
/// word by word, and an inner one makes again: of what can be had once only, such as a lock.
struct RepeatedCalls {
  private var sources = SourceLines()

  /// Returns the line of the inner call, which waits, and that of the outer one; nil if there is no such
  /// pair, or if the source is not there.
  ///
  /// - Parameter frames: The functions of a task that is suspended, the innermost first.
  mutating func call(in frames: [NamedFrame]) -> (inner: Place, outer: Place)? {
    let own = frames.filter { !$0.isMachinery && $0.line > 0 && $0.file != nil }
    for (index, inner) in own.enumerated() {
      guard let call = sources.source(at: inner)?.awaitedCall else { continue }
      for outer in own.dropFirst(index + 1) where outer.function != inner.function {
        guard outer.file == inner.file, let source = sources.source(at: outer),
          let line = source.line(ofCall: call)
        else { continue }
        return (
          Place(path: inner.file ?? "", line: inner.line),
          Place(path: outer.file ?? "", line: UInt32(line))
        )
      }
    }
    return nil
  }

  /// Returns the line that calls a function which has to give its callers turns, and waits in it for one,
  /// and the line of that function at which a task has its turn, if that task waits for the first one, and
  /// the function would take the turn back only later; nil if there is no such pair, or if the source is not
  /// there.
  ///
  /// - Parameters:
  ///   - frames: The functions of the task that waits for a turn, the innermost first.
  ///   - holder: The functions of the task that waits for it.
  mutating func turn(
    for frames: [NamedFrame], of holder: [NamedFrame]
  ) -> (call: Place, held: Place)? {
    let own = frames.filter { !$0.isMachinery && $0.line > 0 && $0.file != nil }
    // One that waits, one that gives turns, and its caller.
    guard own.count > 2, let waiting = sources.source(at: own[0]), waiting.queuesContinuation,
      own[1].file == own[0].file, let giving = sources.source(at: own[1]),
      let turn = holder.first(where: { $0.function == own[1].function && $0.file == own[1].file }),
      turn.line > own[1].line, giving.resumesOthers(after: Int(turn.line))
    else { return nil }
    return (
      Place(path: own[2].file ?? "", line: own[2].line),
      Place(path: turn.file ?? "", line: turn.line)
    )
  }
}

extension PlainSource {
  /// Whether the function asked for waits for a continuation that it keeps behind others.
  fileprivate var queuesContinuation: Bool {
    guard let body else { return false }
    let words = Set(statements(in: body).flatMap(\.texts))
    return words.contains("append") && words.contains { $0.hasSuffix("Continuation") }
  }

  /// Whether the function asked for calls, below a line, another one of the file that resumes somebody.
  fileprivate func resumesOthers(after line: Int) -> Bool {
    guard let body else { return false }
    let all = statements(in: 0..<code.count)
    let resumers = Set(
      all.filter { $0.texts.contains("resume") }.compactMap { self.body(around: $0.position) }
        .compactMap { body in
          let head = all.last { $0.position < body.lowerBound && $0.texts.contains("func") }
          return head?.texts.drop { $0 != "func" }.dropFirst().first
        })
    return statements(in: body).contains {
      self.line(at: $0.position) > line && !resumers.isDisjoint(with: $0.texts)
    }
  }

  /// The call that the line asked for awaits, if that is all that it does: `await lock.acquire()`.
  fileprivate var awaitedCall: [String]? {
    let line = statements(in: asked)
    guard line.count == 1, line[0].texts.first == "await", line[0].texts.contains("."),
      line[0].texts.suffix(2) == ["(", ")"]
    else { return nil }
    return line[0].texts
  }

  /// Returns the line before that asked for, in the same function, which makes a call; nil if there is none,
  /// or if another call to the same thing lies between, which may have ended what the first one began.
  fileprivate func line(ofCall call: [String]) -> Int? {
    guard let body else { return nil }
    let receiver = call[1..<(call.lastIndex(of: ".") ?? 1)]
    let before = statements(in: body.lowerBound..<asked.lowerBound)
    let last = before.last {
      $0.texts.count > receiver.count && $0.texts[1...].starts(with: receiver)
    }
    return last.flatMap { $0.texts == call ? line(at: $0.position) : nil }
  }
}
