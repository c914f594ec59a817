internal import VarveProbe

/// Finds, in the source of code that ought to do something at its end, a way out on which it does not.
struct WaysOut {
  private var sources = SourceLines()

  /// The maximum number of closures around a line whose ways out are looked at.
  private static let mostClosures = 4

  /// Returns the line with the only bare `return` of the innermost closure or function around a line that
  /// has one; nil if what it ought to do is done before that, or if the source is not there.
  ///
  /// - Parameters:
  ///   - word: The call that ought to be there, such as `finish`.
  ///   - frame: The code.
  mutating func exit(without word: String, around frame: NamedFrame) -> Place? {
    guard !frame.isMachinery, let file = frame.file, let source = sources.source(at: frame) else {
      return nil
    }
    var position = source.asked.lowerBound
    // A closure may begin in the line itself.
    if let opening = source.code[source.asked].lastIndex(of: UInt8(ascii: "{")) {
      position = opening + 1
    }
    for _ in 0..<Self.mostClosures {
      guard let body = source.body(around: position) else { return nil }
      let statements = source.statements(in: body)
      let exits = statements.filter {
        $0.texts == ["return"] && source.body(around: $0.position)?.lowerBound == body.lowerBound
      }
      position = body.lowerBound
      guard let exit = exits.first else { continue }
      let block = source.opening(before: exit.position) ?? body.lowerBound
      let before = source.statements(in: block..<exit.position)
      guard exits.count == 1, !statements.contains(where: { $0.texts.first == "defer" }),
        !before.contains(where: { $0.texts.contains(word) })
      else { return nil }
      return Place(path: file, line: UInt32(source.line(at: exit.position)))
    }
    return nil
  }
}
