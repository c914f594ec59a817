internal import VarveProbe

/// Finds, in the source of a function that awaits something, the next loop over an asynchronous sequence
/// below that.
struct LoopsBelow {
  /// The lines of a loop, its head's and its last one.
  struct Loop {
    var file: String
    var lines: ClosedRange<UInt32>
    /// Its head.
    var place: Place { Place(path: file, line: lines.lowerBound) }
  }

  private var sources = SourceLines()

  /// Returns the next `for await` of a function; nil if there is none, or if the source is not there.
  mutating func loop(below frame: NamedFrame) -> Loop? {
    guard !frame.isMachinery, let file = frame.file, let source = sources.source(at: frame),
      let body = source.body, let end = source.endOfAwait(in: body)
    else { return nil }
    return source.asyncLoop(from: end, in: body).map { Loop(file: file, lines: $0) }
  }

  /// Returns the `for await` of the function that a function calls next, below its endless loop if it is in
  /// one, if that is the only one of its name in some files; nil if there is none.
  mutating func loop(calledBelow frame: NamedFrame, among files: Set<String>) -> Loop? {
    guard !frame.isMachinery, let source = sources.source(at: frame),
      let call = source.awaitBelow ?? source.awaitBelowLoop
    else { return nil }
    let texts = call.texts
    let called = texts.indices.dropLast().filter {
      texts[$0 + 1] == "(" && SourceStatement.isName(texts[$0])
    }
    guard called.count == 1 else { return nil }
    let head = "func \(texts[called[0]])("
    let found = files.sorted().flatMap { file in
      (sources.lines(of: file) ?? []).enumerated().filter { $0.element.contains(head) }
        .map { (file, $0.offset + 1) }
    }
    guard found.count == 1, let (file, line) = found.first,
      let source = sources.lines(of: file).map({ PlainSource($0, around: line) }),
      let opening = source.code[source.asked.lowerBound...].firstIndex(of: UInt8(ascii: "{")),
      let closing = source.closing(of: opening)
    else { return nil }
    return source.asyncLoop(from: opening + 1, in: opening..<closing).map {
      Loop(file: file, lines: $0)
    }
  }

  /// Returns whether a function waits in a loop that nothing in it ends.
  mutating func isHeld(at frame: NamedFrame) -> Bool {
    guard !frame.isMachinery, let loop = sources.source(at: frame)?.endlessLoop else {
      return false
    }
    return !loop.isLeft
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

  /// Returns the lines of the first `for await` from a position on, in a function and in no closure of that.
  fileprivate func asyncLoop(from start: Int, in body: Range<Int>) -> ClosedRange<UInt32>? {
    guard let loop = statements(in: start..<body.upperBound).first(where: \.isAsyncLoop),
      isOutside(loop.position, of: body.lowerBound),
      let opening = code[loop.position...].firstIndex(of: UInt8(ascii: "{")),
      let closing = closing(of: opening)
    else { return nil }
    return UInt32(line(at: loop.position))...UInt32(line(at: closing))
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
