/// Finds, in the source of code that waits in a loop, how the loop is to end.
package struct LoopConditions {
  private var sources = SourceLines()

  /// Makes a reader that has read nothing yet.
  package init() {}

  /// Returns whether a line stands in a loop that asks in its head whether its task was cancelled
  /// (`while !Task.isCancelled`): whoever made the task is to cancel it.
  package mutating func asksForCancellation(around frame: NamedFrame) -> Bool {
    guard let source = sources.source(at: frame) else { return false }
    var position = source.asked.lowerBound
    while let opening = source.opening(before: position) {
      let head = PlainSource.words(
        source.code[source.start(ofStatementBefore: opening)..<opening])
      guard let first = head.first, PlainSource.blocks.contains(first) else { return false }
      if PlainSource.loops.contains(first) { return head.contains("isCancelled") }
      position = opening
    }
    return false
  }

  /// Returns whether some code from a line on, down to another one, asks whether its task was cancelled.
  mutating func asksForCancellation(between frame: NamedFrame, and last: UInt32) -> Bool {
    guard let source = sources.source(at: frame), last > frame.line else { return false }
    return source.statements(in: source.asked.lowerBound..<source.code.count)
      .prefix { source.line(at: $0.position) < Int(last) }
      .contains { !Self.questions.isDisjoint(with: $0.texts) }
  }

  private static let questions: Set<String> = ["isCancelled", "checkCancellation"]
}
