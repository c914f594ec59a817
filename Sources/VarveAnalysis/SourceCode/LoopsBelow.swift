internal import VarveProbe

/// Finds, in the source of a function that awaits something, the next loop over an asynchronous sequence
/// below that.
struct LoopsBelow {
  private var sources = SourceLines()

  /// Returns the lines of the next `for await` of a function, its head's and its last one; nil if there is
  /// none, or if the source is not there.
  mutating func loop(below frame: NamedFrame) -> ClosedRange<UInt32>? {
    guard !frame.isMachinery, let source = sources.source(at: frame), let body = source.body,
      let end = source.endOfAwait(in: body),
      let loop = source.statements(in: end..<body.upperBound).first(where: \.isAsyncLoop),
      source.isOutside(loop.position, of: body.lowerBound),
      let opening = source.code[loop.position...].firstIndex(of: UInt8(ascii: "{")),
      let closing = source.closing(of: opening)
    else { return nil }
    return UInt32(source.line(at: loop.position))...UInt32(source.line(at: closing))
  }
}

extension PlainSource {
  /// Where the statement with the `await` ends that the line asked for has; if it is the head of a loop,
  /// that of the loop.
  func endOfAwait(in body: Range<Int>) -> Int? {
    let known = statements(in: body)
    guard let index = awaiting(in: known),
      let last = known[index].tokens.last.map({ $0.position + $0.text.utf8.count })
    else { return nil }
    guard known[index].isAsyncLoop, let opening = code[last...].firstIndex(of: UInt8(ascii: "{"))
    else { return last }
    // Source that does not compile may have it outside.
    return closing(of: opening).flatMap { $0 <= body.upperBound ? $0 : nil }
  }

  /// Whether a position is in the function whose body begins at a brace, and in no closure within it.
  fileprivate func isOutside(_ position: Int, of body: Int) -> Bool {
    var position = position
    while let opening = opening(before: position), opening != body {
      guard let first = Self.words(code[start(ofStatementBefore: opening)..<opening]).first,
        Self.blocks.contains(first)
      else { return false }
      position = opening
    }
    return true
  }
}

extension SourceStatement {
  fileprivate var isAsyncLoop: Bool {
    let texts = texts
    return texts.first == "for" && texts.prefix(3).contains("await")
  }
}
