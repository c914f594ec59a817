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
  /// Stands before a value that another scheduler was given to deliver.
  package var handed: Character
  /// Leads there from the moment at which it was given.
  package var queued: Character
  /// Whether a value that begins with a digit is marked with a sign, because counts are plain
  /// digits, too.
  package var marksNumbers: Bool

  /// Box-drawing characters and a few symbols.
  package static let unicode = GlyphSet(
    line: "─", started: "├", value: "●", completed: "┤", failed: "✗", interrupted: "⊘", idle: "~",
    lost: "?", tick: "╷", ellipsis: "…", handed: "▸", queued: "┄", marksNumbers: false)

  /// Characters that every terminal and every issue tracker can show.
  package static let ascii = GlyphSet(
    line: "-", started: "^", value: "o", completed: "|", failed: "#", interrupted: "!", idle: "~",
    lost: "?", tick: "'", ellipsis: "..", handed: ">", queued: ":", marksNumbers: true)

  /// The greatest number of values in one column of the chart, which decides the scale of `ramp`.
  package var most = 0

  private static let heights: [Character] = ["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"]
  /// The greatest number that has a character of its own.
  private static let mostCounted = 20

  /// Returns the character for a number of values in one column: `⑫`, or, of a number that has no
  /// character, the height of a block. In ASCII, it is the number itself; in a chart with ten or
  /// more values in a column, all counts are the number's magnitude, `2` for 100 to 999.
  package func count(_ values: Int) -> Character {
    guard !marksNumbers else {
      let digits = String(values).count
      return Character("\(max(most, values) < 10 ? values : digits - 1)")
    }
    guard values > Self.mostCounted else {
      return Unicode.Scalar(0x245f + UInt32(values)).map { Character($0) } ?? "?"
    }
    return Self.heights[height(values)]
  }

  /// The full height is for more than half of the greatest number, each lower one for half as many.
  private func height(_ values: Int) -> Int {
    var height = Self.heights.count - 1
    var least = max(most, values) / 2
    while height > 0, values <= least {
      height -= 1
      least /= 2
    }
    return height
  }

  /// Returns the scale of blocks or magnitudes for the chart's legend; nil if all counts are exact.
  ///
  /// - Parameter column: the duration of a column.
  package func scale(column: String) -> String? {
    if marksNumbers {
      guard most >= 10 else { return nil }
      let magnitudes = (1...max(2, String(most).count - 1)).map { magnitude in
        ", \(magnitude) for 1\(String(repeating: "0", count: magnitude)) or more"
      }
      return "0 for 2 to 9 values in a column of \(column)" + magnitudes.joined()
    }
    guard most > Self.mostCounted else { return nil }
    let lowest = height(Self.mostCounted + 1)
    let shown = String(Self.heights[lowest...])
    let range = "\(shown) \(Self.mostCounted + 1) to \(most) values in a column of \(column)"
    return lowest == Self.heights.count - 1 ? range : range + ", each height for twice as many"
  }
}
