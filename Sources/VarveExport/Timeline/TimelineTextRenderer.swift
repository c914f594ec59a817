internal import VarveMarbles

/// Draws a timeline for a terminal or a README.
public struct TimelineTextRenderer {
  private let timeline: Timeline
  private let style: OutputStyle
  private let glyphs: GlyphSet
  /// Names the threads and the places of tasks.
  private let words: TraceWords?

  /// The greatest number of values listed below the lanes for lack of room on them.
  private static let mostNotes = 10

  /// Prepares to draw a timeline.
  ///
  /// - Parameters:
  ///   - timeline: the timeline.
  ///   - style: the abilities of the output.
  ///   - words: what tells, below the lanes of tasks, what the tasks do at the end; nil to leave
  ///     this out.
  public init(_ timeline: Timeline, style: OutputStyle, words: TraceWords? = nil) {
    self.timeline = timeline
    self.words = words
    self.style = style
    glyphs = style.ascii ? .ascii : .unicode
  }

  /// Returns the picture, with a line break after each line.
  public func text() -> String {
    guard let axis = timeline.axis, !timeline.isEmpty else { return "" }
    let chart = Chart(
      axis: axis, lanes: timeline.lanes, lost: timeline.lost,
      leastLabel: TaskLaneText.labelWidth(timeline.tasks, ascii: style.ascii), glyphs: glyphs)
    let tasks = TaskLaneText(timeline, axis: axis, glyphs: glyphs, ascii: style.ascii)
    var lines = chart.rows.map { line($0, chart) }
    lines += tasks.rows(width: chart.labelWidth).map { row in
      let padding = DisplayWidth.gap(after: row.label, to: chart.labelWidth) + "  "
      return trimmed(row.label + padding + painted(row.glyphs, nil))
    }
    lines += [""] + notes(chart)
    if let words { lines += ways(words) + listed(tasks.notes(words)) }
    lines += key(meanings(chart, tasks), chart)
    lines += key(tasks.meanings.map { ($0.role, $0.text) }, chart)
    if !timeline.processes.isEmpty {
      let named = timeline.processes.map { "\($0.number): \(style.escaped($0.name))" }
      lines += style.wrapped(named.joined(separator: "   "), indent: 0).map {
        style.paint($0, .dim)
      }
    }
    if timeline.leavesOutHops {
      lines += style.hanging(
        "Ways between schedulers are left out, for so many events; choose a time with --since and "
          + "--until.")
    }
    if timeline.hiddenTasks > 0 {
      lines.append("\(timeline.hiddenTasks) more tasks are left out; choose some with -n.")
    }
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
    case .hop: .scheduler
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
    return listed(
      notes.sorted { $0.tag.time < $1.tag.time }.map { note in
        TimelineNotes.Note(
          sign: note.isFailure ? glyphs.failed : glyphs.value, tag: note.tag,
          place: words?.place(of: timeline.streams[note.lane]), name: name(of: note.lane),
          text: TimelineNotes.Phrase(note.text))
      })
  }

  /// Returns the hops between schedulers.
  private func ways(_ words: TraceWords) -> [String] {
    let hops = LaneHopsText(timeline, words)
    let more =
      switch hops.hidden {
      case 0: [String]()
      case 1: ["1 more way between schedulers is left out.", ""]
      case let hidden: ["\(hidden) more ways between schedulers are left out.", ""]
      }
    let lines = listed(hops.notes(glyphs.handed) { name(of: $0) })
    return more.isEmpty ? lines : lines.dropLast() + more
  }

  private func listed(_ notes: [TimelineNotes.Note]) -> [String] {
    notes.isEmpty ? [] : TimelineNotes(notes, words, style).lines + [""]
  }

  /// Returns the meaning of the signs that occur, in as many lines as it takes.
  private func key(_ meanings: [(LaneGlyph.Role, String)], _ chart: Chart) -> [String] {
    var lines: [String] = []
    var used = 0
    let room = chart.labelWidth + 2 + (timeline.axis?.columns ?? 0)
    for (role, text) in meanings {
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

  private func meanings(_ chart: Chart, _ tasks: TaskLaneText) -> [(LaneGlyph.Role, String)] {
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
    let isLong = all.contains { $0.role == .hop && $0.character == glyphs.queued }
    let way = isLong ? String(glyphs.queued) : ""
    let meanings: [(LaneGlyph.Role, String, Bool)] = [
      (.value, "\(glyphs.value) value", signs.contains(glyphs.value)),
      (.count, "\(glyphs.count(3)) so many values", isCounted),
      (.count, scale ?? "", scale != nil),
      (.started, "\(glyphs.started) started", roles.contains(.started)),
      (.completed, "\(glyphs.completed) completed", roles.contains(.completed)),
      (.interrupted, "\(glyphs.interrupted) cancelled", roles.contains(.interrupted)),
      (.failed, "\(glyphs.failed) failed", roles.contains(.failed) && !timeline.failures.isEmpty),
      (.idle, "\(glyphs.idle) nothing happened", roles.contains(.idle) || tasks.hasIdle),
      (.failed, "\(glyphs.lost) events are missing", !timeline.lost.isEmpty),
      (.hop, "\(way)\(glyphs.handed) brought by another scheduler", roles.contains(.hop)),
      (.line, "\(glyphs.line) alive", signs.contains(glyphs.line)),
      (.line, "\(glyphs.tick) this moment", signs.contains(glyphs.tick)),
    ]
    let values = Set(all.filter { $0.role == .value }.compactMap(\.character))
    let written = MarbleText.signs(ascii: style.ascii).filter {
      $0.sign != glyphs.value && values.contains($0.sign)
    }
    return meanings.filter(\.2).map { ($0.0, $0.1) }
      + written.map { (.value, "\($0.sign) \($0.meaning)") }
  }
}
