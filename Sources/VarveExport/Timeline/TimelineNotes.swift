internal import VarveMarbles

/// The lines below the lanes: each names an event, for the next command, and says what is not seen
/// on the lanes.
struct TimelineNotes {
  struct Note {
    /// The sign of the event on its lane.
    var sign: Character?
    var tag: LaneTag
    /// The place in the code.
    var place: String?
    var name: String
    /// How often something happened.
    var count = Phrase("")
    /// What happened.
    var text: Phrase
  }

  /// Some words, and fewer with the same meaning.
  struct Phrase {
    var whole: String
    var brief: String

    init(_ whole: String, brief: String? = nil) {
      self.whole = whole
      self.brief = brief ?? whole
    }
  }

  private let notes: [Note]
  private let words: TraceWords?
  private let style: OutputStyle

  /// - Parameter words: name threads; nil if they are not to be shown.
  init(_ notes: [Note], _ words: TraceWords?, _ style: OutputStyle) {
    self.notes = notes
    self.words = words
    self.style = style
  }

  /// The columns that a name and a text keep, if they are so long.
  private static let leastName = 12
  private static let leastText = 18

  /// The lines. Where they have no room, the brief texts are shown; then, as everywhere, texts
  /// shorten and columns go. What would be barely recognized stands below.
  var lines: [String] {
    for (count, text) in [(\Phrase.whole, \Phrase.whole), (\Phrase.whole, \Phrase.brief)] {
      let lines = table(style.unlimited, count: count, text: text)
      if style.fits(lines) { return table(style, count: count, text: text) }
    }
    guard isTooNarrow else { return table(style, count: \.brief, text: \.brief) }
    let heads = table(style, count: nil, text: nil)
    return zip(heads, notes).flatMap { head, note in
      let parts = [note.count.whole, note.text.brief].filter { !$0.isEmpty }
      return [head] + style.wrapped(parts.joined(separator: ", "), indent: 4).map { "    " + $0 }
    }
  }

  /// Whether not even the beginnings of names and texts have room on a line.
  private var isTooNarrow: Bool {
    guard let width = style.width else { return false }
    let widths = rows(count: nil, text: \.brief).map { cells in
      cells.map { DisplayWidth.of($0.text) }
    }
    let columns = Column.allCases.map { column in
      let widest = widths.map { $0[column.rawValue] }.max() ?? 0
      return switch column {
      case .event, .thread, .place: widest
      case .name: min(widest, Self.leastName)
      case .text: min(widest, Self.leastText)
      case .time, .count: 0
      }
    }
    let shown = columns.filter { $0 > 0 }
    return shown.reduce(2 * (shown.count - 1), +) > width
  }

  private enum Column: Int, CaseIterable {
    case event, time, thread, place, name, count, text

    var title: String { String(describing: self) }
  }

  private func rows(
    count: KeyPath<Phrase, String>?, text: KeyPath<Phrase, String>?
  ) -> [[TextTable.Cell]] {
    notes.map { note in
      [
        (note.sign.map { "\($0) " } ?? "") + "#\(note.tag.event)",
        ElapsedTime.exact(nanoseconds: note.tag.time / 1_000_000 * 1_000_000),
        words?.thread(note.tag.ring) ?? "", note.place ?? "", note.name,
        count.map { note.count[keyPath: $0] } ?? "", text.map { note.text[keyPath: $0] } ?? "",
      ].map { TextTable.Cell($0) }
    }
  }

  private func table(
    _ style: OutputStyle, count: KeyPath<Phrase, String>?, text: KeyPath<Phrase, String>?
  ) -> [String] {
    let rows = rows(count: count, text: text)
    let shown = Column.allCases.filter { column in
      rows.contains { !$0[column.rawValue].text.isEmpty }
    }
    var table = TextTable(
      shown.map { ($0.title, $0 == .time) }, style: style,
      keeping: [Column.event.title, Column.place.title],
      dropping: [Column.time.title, Column.count.title], hasHeading: false)
    for row in rows { table.add(shown.map { row[$0.rawValue] }) }
    return table.lines
  }
}
