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
}

extension PlainSource {
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
