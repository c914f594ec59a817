/// The signs that a chart is drawn with.
///
/// Each takes one column in every terminal that was tried; none depends on colour.
package struct GlyphSet: Sendable, Equatable {
  package var line: Character
  package var started: Character
  package var value: Character
  package var completed: Character
  package var failed: Character
  package var interrupted: Character
  package var idle: Character
  package var lost: Character
  package var tick: Character
  package var ellipsis: String
  /// Whether a value that begins with a digit bears a sign, because counts are plain digits too.
  package var marksNumbers: Bool

  /// Box drawing and a few signs.
  package static let unicode = GlyphSet(
    line: "─", started: "├", value: "●", completed: "┤", failed: "✗", interrupted: "⊘", idle: "~",
    lost: "?", tick: "╷", ellipsis: "…", marksNumbers: false)

  /// What every terminal, and every issue tracker, can show.
  package static let ascii = GlyphSet(
    line: "-", started: "^", value: "o", completed: "|", failed: "#", interrupted: "!", idle: "~",
    lost: "?", tick: "'", ellipsis: "..", marksNumbers: true)

  /// How so many values in one column are drawn: `⑫`, or `9` and `+` where there are only digits.
  package func count(_ values: Int) -> Character {
    guard !marksNumbers else { return values < 10 ? Character("\(values)") : "+" }
    guard values <= 20, let scalar = Unicode.Scalar(0x245f + UInt32(values)) else { return "⊕" }
    return Character(scalar)
  }
}
