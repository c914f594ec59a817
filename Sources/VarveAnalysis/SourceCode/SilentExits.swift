/// The ways out of code on which it does nothing with something that it was given, though it does elsewhere.
struct SilentExits {
  let source: PlainSource
  /// Where the code stands.
  let range: Range<Int>
  /// Whether a part of the code does what is expected of it.
  let isDone: (Range<Int>) -> Bool

  /// Returns the blocks and cases by which the code leaves.
  func all() -> [Range<Int>] {
    let code = source.code
    var exits: [Range<Int>] = []
    for opening in range where code[opening] == UInt8(ascii: "{") {
      guard let end = source.closing(of: opening), end < range.upperBound else { return exits }
      let start = source.start(ofStatementBefore: opening)
      let head = PlainSource.words(code[start..<opening])
      if head.first == "switch" { exits += cases(in: opening..<end) }
      let leaves = PlainSource.words(code[(opening + 1)..<end]).contains("return")
      let isWayOut =
        head.contains("catch")
        || leaves && (head.first == "if" || head.first == "else" || head.last == "else")
      guard isWayOut, !isDone((opening + 1)..<end), let outer = source.opening(before: opening),
        let outerEnd = source.closing(of: outer), outer >= range.lowerBound - 1,
        isDone((outer + 1)..<start) || isDone(end..<outerEnd)
      else { continue }
      exits.append(opening..<end)
    }
    return exits
  }

  /// An `if` that does it, and that has no `else`, or one that does not.
  struct Branch {
    /// From the block of the `if` to the end of the last one.
    var blocks: Range<Int>
    /// Where the code goes on without doing it.
    var exit: Int
  }

  /// Returns each `if` that does it on one side alone.
  func branches() -> [Branch] {
    let code = source.code
    return range.compactMap { opening in
      guard code[opening] == UInt8(ascii: "{"), let closing = source.closing(of: opening),
        closing < range.upperBound,
        PlainSource.words(code[source.start(ofStatementBefore: opening)..<opening]).first == "if",
        isDone(opening..<closing)
      else { return nil }
      let rest = code[(closing + 1)..<range.upperBound].drop { $0 <= UInt8(ascii: " ") }
      guard rest.starts(with: "else".utf8) else {
        return Branch(blocks: opening..<(closing + 1), exit: opening)
      }
      guard let other = rest.firstIndex(of: UInt8(ascii: "{")),
        PlainSource.words(rest[..<other]) == ["else"], let end = source.closing(of: other),
        end < range.upperBound, !isDone(other..<end)
      else { return nil }
      return Branch(blocks: opening..<(end + 1), exit: other)
    }
  }

  /// Returns the cases of a `switch` that do not do it, if others do.
  private func cases(in block: Range<Int>) -> [Range<Int>] {
    let code = source.code
    let starts = block.filter { position in
      source.opening(before: position) == block.lowerBound
        && code[position...].first.map { $0 > UInt8(ascii: " ") } == true
        && ["case ", "default:"].contains { code[position...].starts(with: $0.utf8) }
    }
    let ends = starts.dropFirst() + [block.upperBound]
    let cases = zip(starts, ends).map { $0..<$1 }
    let silent = cases.filter { !isDone($0) }
    return silent.count < cases.count ? silent : []
  }
}
