internal import VarveMarbles

/// Draws a timeline for a terminal or a README.
public struct TimelineTextRenderer {
  private let timeline: Timeline
  private let style: OutputStyle
  private let glyphs: GlyphSet

  /// The greatest number of values listed below the lanes for lack of room on them.
  private static let mostNotes = 10

  /// Prepares to draw a timeline.
  public init(_ timeline: Timeline, style: OutputStyle) {
    self.timeline = timeline
    self.style = style
    glyphs = style.ascii ? .ascii : .unicode
  }

  /// Returns the picture, with a line break after each line.
  public func text() -> String {
    guard let axis = timeline.axis else { return "" }
    let chart = Chart(axis: axis, lanes: timeline.lanes, lost: timeline.lost, glyphs: glyphs)
    var lines = chart.rows.map { line($0, chart) }
    lines += [""] + notes(chart)
    lines += key(chart)
    if timeline.hiddenLanes > 0 {
      lines.append("\(timeline.hiddenLanes) more streams are left out; choose some with -n.")
    }
    return lines.map { $0 + "\n" }.joined()
  }

  private func line(_ row: Chart.Row, _ chart: Chart) -> String {
    let padding = DisplayWidth.gap(after: row.label, to: chart.labelWidth) + "  "
    let colour = row.lane.map { Colour.stream(name(of: $0)) }
    let label = colour.map { style.paint(row.label, $0) } ?? row.label
    return trimmed(label + padding + painted(row.glyphs, colour))
  }

  /// Joins neighbors of the same color, so that a line contains few escape sequences.
  private func painted(_ row: [LaneGlyph], _ stream: Colour?) -> String {
    var text = ""
    var run = ""
    var colour: Colour?
    for glyph in row {
      guard let character = glyph.character else { continue }
      let wanted = character == " " ? nil : self.colour(glyph.role, stream)
      if wanted != colour {
        text += colour.map { style.paint(run, $0) } ?? run
        run = ""
        colour = wanted
      }
      run.append(character)
    }
    return text + (colour.map { style.paint(run, $0) } ?? run)
  }

  private func colour(_ role: LaneGlyph.Role, _ stream: Colour?) -> Colour? {
    switch role {
    case .blank: nil
    case .line, .idle, .started: .dim
    case .value: stream
    case .count: stream ?? .bold
    case .completed: .completed
    case .failed: .failed
    case .interrupted: .interrupted
    }
  }

  /// Returns the name of the lane, or of the lane above that it continues.
  private func name(of lane: Int) -> String {
    timeline.lanes[...lane].last { !$0.name.isEmpty }?.name ?? ""
  }

  private func trimmed(_ line: String) -> String {
    var line = line
    while line.last == " " { line.removeLast() }
    return line
  }
}

// MARK: - Below the lanes

extension TimelineTextRenderer {
  /// Returns the failures, and the values that the lanes could not show in full.
  private func notes(_ chart: Chart) -> [String] {
    var notes = timeline.failures
    if chart.unseen.count <= Self.mostNotes {
      notes += chart.unseen.map {
        Timeline.Note(lane: $0.lane, tag: $0.tag, isFailure: false, text: $0.text)
      }
    }
    guard !notes.isEmpty else { return [] }
    let lines = notes.sorted { $0.tag.time < $1.tag.time }.map(note)
    let widths = (0..<3).map { column in lines.map { DisplayWidth.of($0[column]) }.max() ?? 0 }
    return lines.map { cells in
      let padded = (0..<3).map { column in
        let padding = DisplayWidth.gap(after: cells[column], to: widths[column])
        return column == 2 ? cells[column] + padding : padding + cells[column]
      }
      return cut("\(cells[3]) \(padded.joined(separator: "  "))  \(cells[4])")
    } + [""]
  }

  private func note(_ note: Timeline.Note) -> [String] {
    let sign = note.isFailure ? glyphs.failed : glyphs.value
    let time = ElapsedTime.exact(nanoseconds: note.tag.time / 1_000_000 * 1_000_000)
    return ["#\(note.tag.event)", time, name(of: note.lane), String(sign), note.text]
  }

  private func cut(_ line: String) -> String {
    style.fitted(line)
  }

  /// Returns the meaning of the signs that occur, in as many lines as it takes.
  private func key(_ chart: Chart) -> [String] {
    var lines: [String] = []
    var used = 0
    let room = chart.labelWidth + 2 + (timeline.axis?.columns ?? 0)
    for (role, text) in meanings(chart) {
      let sign = style.paint(String(text.prefix(1)), colour(role, .bold) ?? .bold)
      let shown = sign + style.paint(String(text.dropFirst()), .dim)
      let width = DisplayWidth.of(text)
      if lines.isEmpty || used + 3 + width > room {
        lines.append(shown)
        used = width
      } else {
        lines[lines.count - 1] += "   " + shown
        used += 3 + width
      }
    }
    return lines
  }

  private func meanings(_ chart: Chart) -> [(LaneGlyph.Role, String)] {
    let all = chart.rows.flatMap(\.glyphs)
    let roles = Set(all.map(\.role))
    let signs = Set(all.compactMap(\.character))
    let glyphs = chart.glyphs
    let duration = ElapsedTime.short(nanoseconds: UInt64(timeline.axis?.columnDuration ?? 0))
    let column = style.ascii ? duration.replacing("µ", with: "u") : duration
    let scale = glyphs.scale(column: column)
    let isCounted =
      glyphs.marksNumbers
      ? roles.contains(.count) && scale == nil
      : all.contains { $0.role == .count && $0.character.map { !"▁▂▃▄▅▆▇█".contains($0) } == true }
    let meanings: [(LaneGlyph.Role, String, Bool)] = [
      (.value, "\(glyphs.value) value", signs.contains(glyphs.value)),
      (.count, "\(glyphs.count(3)) so many values", isCounted),
      (.count, scale ?? "", scale != nil),
      (.started, "\(glyphs.started) started", roles.contains(.started)),
      (.completed, "\(glyphs.completed) completed", roles.contains(.completed)),
      (.interrupted, "\(glyphs.interrupted) cancelled", roles.contains(.interrupted)),
      (.failed, "\(glyphs.failed) failed", roles.contains(.failed) && !timeline.failures.isEmpty),
      (.idle, "\(glyphs.idle) nothing happened", roles.contains(.idle)),
      (.failed, "\(glyphs.lost) events are missing", !timeline.lost.isEmpty),
      (.line, "\(glyphs.line) alive", signs.contains(glyphs.line)),
      (.line, "\(glyphs.tick) this moment", signs.contains(glyphs.tick)),
    ]
    let written = MarbleText.signs.filter { !style.ascii && signs.contains($0.sign) }
    return meanings.filter(\.2).map { ($0.0, $0.1) }
      + written.map { (.value, "\($0.sign) \($0.meaning)") }
  }
}
