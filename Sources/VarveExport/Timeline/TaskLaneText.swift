internal import VarveAnalysis
internal import VarveMarbles

/// The lanes of tasks in text, with their legend and a line for each task.
struct TaskLaneText {
  private let tasks: [TaskLane]
  private let axis: TimeAxis
  private let glyphs: GlyphSet
  private let isASCII: Bool

  /// The greatest number of tasks that have a line below the lanes.
  private static let mostNotes = 12

  init(_ timeline: Timeline, axis: TimeAxis, glyphs: GlyphSet, ascii: Bool) {
    tasks = timeline.tasks
    self.axis = axis
    self.glyphs = glyphs
    isASCII = ascii
  }

  /// The width of the labels.
  static func labelWidth(_ tasks: [TaskLane], ascii: Bool) -> Int {
    tasks.map { DisplayWidth.of(name($0.task, ascii: ascii)) + 2 * $0.depth }.max() ?? 0
  }

  private static func name(_ task: TaskState, ascii: Bool) -> String {
    TerminalText.escaped(TaskLanes.name(task), ascii: ascii)
  }

  private func name(_ task: TaskState) -> String { Self.name(task, ascii: isASCII) }

  private var runs: Character { isASCII ? "=" : "━" }
  private var ready: Character { isASCII ? ":" : "┄" }
  private var waits: Character { isASCII ? "." : "·" }

  // MARK: - Lanes

  /// Returns the lines of the tasks.
  ///
  /// - Parameter width: the width of the labels.
  func rows(width: Int) -> [(label: String, glyphs: [LaneGlyph])] {
    let idle = Set(axis.folds.flatMap { Array($0.columns) })
    return tasks.map { lane in
      let indentation = String(repeating: " ", count: 2 * lane.depth)
      let name = Chart.middleCut(
        self.name(lane.task), to: width - 2 * lane.depth, ellipsis: glyphs.ellipsis)
      return (indentation + name, row(lane, idle: idle))
    }
  }

  private func row(_ lane: TaskLane, idle: Set<Int>) -> [LaneGlyph] {
    lane.signs.indices.map { column in
      let sign = lane.signs[column]
      if sign != .none, sign < .runs, idle.contains(column) { return LaneGlyph(glyphs.idle, .idle) }
      // A wait begins with what it is for.
      let isFirst = column == 0 || lane.signs[column - 1] != sign
      return glyph(sign, isFirst: isFirst)
    }
  }

  private func glyph(_ sign: TaskLane.Sign, isFirst: Bool) -> LaneGlyph {
    switch sign {
    case .none: LaneGlyph(" ", .blank)
    case .made: LaneGlyph(glyphs.started, .started)
    case .ended: LaneGlyph(glyphs.completed, .completed)
    case .cancelled: LaneGlyph(glyphs.interrupted, .interrupted)
    case .runs: LaneGlyph(runs, .value)
    case .ready: LaneGlyph(ready, .line)
    case .waits, .sleeps, .waitsForActor, .waitsForGroup, .waitsForTask, .waitsForElement,
      .waitsForContinuation:
      isFirst ? LaneGlyph(letter(sign), .count) : LaneGlyph(waits, .line)
    }
  }

  private func letter(_ sign: TaskLane.Sign) -> Character {
    switch sign {
    case .waitsForActor: "a"
    case .waitsForGroup: "g"
    case .waitsForTask: "t"
    case .waitsForContinuation: "c"
    case .waitsForElement: "e"
    case .sleeps: "s"
    case .none, .waits, .ready, .runs, .made, .cancelled, .ended: "w"
    }
  }

  /// The signs that occur, with their meanings, but for `~`.
  var meanings: [(role: LaneGlyph.Role, text: String)] {
    let signs = Set(tasks.flatMap(\.signs))
    let all: [(TaskLane.Sign, String)] = [
      (.made, "task made"), (.runs, "runs"), (.ready, "could run"),
      (.waitsForContinuation, "waits for a continuation"),
      (.waitsForElement, "waits for an element of a stream"), (.waitsForTask, "for a task"),
      (.waitsForGroup, "for its group"), (.waitsForActor, "for an actor"), (.sleeps, "sleeps"),
      (.waits, "waits"),
      (.cancelled, "task cancelled"), (.ended, "task ended"),
    ]
    return all.filter { signs.contains($0.0) }.map { sign, meaning in
      let glyph = glyph(sign, isFirst: true)
      let sign = String(glyph.character ?? " ") + (sign.isWait ? String(waits) : "")
      return (glyph.role, "\(sign) \(meaning)")
    }
  }

  /// Whether an idle stretch is folded while a task waits.
  var hasIdle: Bool {
    let idle = Set(axis.folds.flatMap { Array($0.columns) })
    return tasks.contains { lane in row(lane, idle: idle).contains { $0.role == .idle } }
  }

  // MARK: - Notes

  /// Returns what the tasks do at the end: first those that have not ended.
  func notes(_ words: TraceWords) -> [TimelineNotes.Note] {
    let lasting = tasks.filter { $0.state != .none }
    let chosen = (lasting + tasks.filter { $0.state == .none }).prefix(Self.mostNotes)
    return chosen.filter { $0.last.ring != 0 }.map { lane in
      TimelineNotes.Note(
        tag: lane.last, place: words.place(.stack(lane.stack)), name: name(lane.task),
        text: TimelineNotes.Phrase(phrase(lane, words)))
    }
  }

  private func phrase(_ lane: TaskLane, _ words: TraceWords) -> String {
    let phase =
      switch lane.state {
      case .waitsForTask: lane.task.awaitedTask.map { "waits for task \($0)" } ?? lane.state.meaning
      case .made, .cancelled, .ended: TaskLane.Sign.runs.meaning
      default: lane.state.meaning
      }
    let resumer =
      switch lane.resumer {
      case .task(let task): ", resumed by task \(task)"
      case .thread(let ring): ", resumed by thread \(words.thread(ring))"
      case nil: ""
      }
    return phase + (lane.task.isCancelled ? ", cancelled" : "") + resumer
  }
}
