/// The characters with which a chart is drawn.
///
/// Each takes one column in all terminals tested; none depends on color.
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
  /// Whether a value that begins with a digit is marked with a sign, because counts are plain
  /// digits, too.
  package var marksNumbers: Bool

  /// Box-drawing characters and a few symbols.
  package static let unicode = GlyphSet(
    line: "─", started: "├", value: "●", completed: "┤", failed: "✗", interrupted: "⊘", idle: "~",
    lost: "?", tick: "╷", ellipsis: "…", marksNumbers: false)

  /// Characters that every terminal and every issue tracker can show.
  package static let ascii = GlyphSet(
    line: "-", started: "^", value: "o", completed: "|", failed: "#", interrupted: "!", idle: "~",
    lost: "?", tick: "'", ellipsis: "..", marksNumbers: true)

  /// Returns the character for a number of values in one column: `⑫`, or in ASCII, `9` or, from ten
  /// on, `+`.
  package func count(_ values: Int) -> Character {
    guard !marksNumbers else { return values < 10 ? Character("\(values)") : "+" }
    guard values <= 20, let scalar = Unicode.Scalar(0x245f + UInt32(values)) else { return "⊕" }
    return Character(scalar)
  }
}
