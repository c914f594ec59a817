public import VarveProbe

/// Finds the code that catches an error, in the source: a trace tells where it was thrown, and through
/// which functions it may have passed, but not which of them caught it.
public struct CatchSites {
  /// The code that catches an error.
  public struct Site: Sendable, Hashable {
    /// The line of the `try?`, or of the `catch`.
    public var place: Place
    /// Whether nothing is made of the error: by `try?`, or by a `catch` that does nothing, or only leaves
    /// or goes on.
    public var isIgnored: Bool
    /// Whether a `try?` does it.
    public var isOptional: Bool
    /// The `continue` of a `catch` in a `while` loop, which waits for nothing before that: what failed is tried
    /// again at once.
    public var retry: Place?
    /// The line that passed the error on, if that is in a loop which the error left.
    public var leftLoop: Place?
  }

  private var sources = SourceLines()

  /// Makes a finder that has read nothing yet.
  public init() {}

  /// Returns the code that catches an error; nil if the source is not there, or tells nothing.
  ///
  /// - Parameters:
  ///   - error: The name of the error's type.
  ///   - frames: The stack of the code that threw it.
  public mutating func site(of error: String, in frames: [NamedFrame]) -> Site? {
    catcher(of: error, in: frames)?.site
  }

  /// Returns likewise, with the position of the function that catches it among the frames.
  mutating func catcher(
    of error: String, in frames: [NamedFrame]
  ) -> (site: Site, position: Int)? {
    var seen: Set<Place> = []
    for (position, frame) in frames.enumerated() where !frame.isMachinery && frame.line > 0 {
      guard let file = frame.file, let text = sources.source(at: frame) else { return nil }
      // A closure in one line is further in than the code that it is given to.
      let isInner = seen.insert(Place(path: file, line: frame.line)).inserted
      if let line = text.catching(error, isInner: isInner) {
        let site = Site(
          place: Place(path: file, line: UInt32(line.number)), isIgnored: line.isIgnored,
          isOptional: line.isOptional,
          retry: line.retry.map { Place(path: file, line: UInt32($0)) },
          leftLoop: line.leavesLoop ? Place(path: file, line: frame.line) : nil)
        return (site, position)
      }
    }
    return nil
  }

  /// Returns whether some code between two lines of a file is deferred, and so runs whatever happens; true
  /// if the file is not there.
  mutating func defers(in file: String, between first: UInt32, and last: UInt32) -> Bool {
    guard let lines = sources.lines(of: file), first > 0, first <= last, last <= lines.count else {
      return true
    }
    return PlainSource(lines, around: Int(last)).contains("defer", from: Int(first))
  }
}

extension PlainSource {
  /// A line that catches an error.
  fileprivate struct Catch {
    var number: Int
    var isIgnored = true
    var isOptional = false
    var leavesLoop = false
    var retry: Int?
  }

  /// Returns the line that catches an error that is thrown, or passed on, in the line asked for: by the
  /// last word there that does it, or the first.
  fileprivate func catching(_ error: String, isInner: Bool) -> Catch? {
    var position = asked.lowerBound
    if let word = passing(isLast: isInner) {
      position = word
      if code[position...].starts(with: "try?".utf8) {
        return Catch(number: line(at: position), isOptional: true)
      }
    }
    var isInLoop = false
    while let opening = opening(before: position) {
      let head = Self.words(code[start(ofStatementBefore: opening)..<opening])
      if head.first == "do" || head.last == "do",
        var caught = clause(after: opening, for: error)
      {
        caught.leavesLoop = isInLoop
        return caught
      }
      guard let first = head.first, Self.blocks.contains(first) else { return nil }
      isInLoop = isInLoop || Self.loops.contains(first)
      position = opening
    }
    return nil
  }

  /// Returns where the error is thrown or passed on, which may be in one of the lines before, if what is
  /// called there goes on in this one.
  private func passing(isLast: Bool) -> Int? {
    var number = starts.lastIndex { $0 <= asked.lowerBound } ?? 0
    var end = asked.upperBound
    while true {
      let found = ["throw ", "try ", "try?"].flatMap { word in
        (starts[number]..<end).filter { code[$0..<end].starts(with: word.utf8) }
      }
      if let word = isLast ? found.max() : found.min() { return word }
      let begin = code[starts[number]..<end].first { $0 > UInt8(ascii: " ") }
      let before = code[..<starts[number]].last { $0 > UInt8(ascii: " ") }
      let goesOn =
        begin == UInt8(ascii: ".") || before.map { Self.open.contains($0) } == true
      guard goesOn, number > 0 else { return nil }
      end = starts[number]
      number -= 1
    }
  }

  /// What stands at the end of a line that goes on in the next one.
  private static let open: [UInt8] = ["(", ",", "="].map { UInt8(ascii: $0) }

  /// Returns the clause that catches an error after the `do` block that begins at `opening`.
  private func clause(after opening: Int, for error: String) -> Catch? {
    guard var end = closing(of: opening) else { return nil }
    while let next = code[(end + 1)...].firstIndex(where: { $0 > UInt8(ascii: " ") }),
      code[next...].starts(with: "catch".utf8),
      let body = code[next...].firstIndex(of: UInt8(ascii: "{")), let last = closing(of: body)
    {
      end = last
      let pattern = Self.words(code[(next + 5)..<body])
      let isAny = pattern.isEmpty || pattern.count == 2 && ["let", "var"].contains(pattern[0])
      guard isAny || pattern.contains(error) else { continue }
      let made = Self.words(code[(body + 1)..<last])
      if made.contains("throw") { return nil }
      return Catch(
        number: line(at: next), isIgnored: made.allSatisfy { Self.leaving.contains($0) },
        retry: made.contains("await") ? nil : retry(in: body..<last))
    }
    return nil
  }

  /// Returns the line in which a clause goes on with the next round of the `while` loop that it stands in, by
  /// its last word.
  private func retry(in clause: Range<Int>) -> Int? {
    guard let last = statements(in: clause).last, last.texts == ["continue"],
      opening(before: last.position) == clause.lowerBound
    else { return nil }
    var position = clause.lowerBound
    while let opening = opening(before: position) {
      let first = Self.words(code[start(ofStatementBefore: opening)..<opening]).first
      guard let first, Self.blocks.contains(first) else { return nil }
      if Self.loops.contains(first) { return first == "while" ? line(at: last.position) : nil }
      position = opening
    }
    return nil
  }

  /// What a clause consists of that makes nothing of an error.
  private static let leaving: Set<String> = ["continue", "break", "return", "nil", "false", "0"]
}
