internal import VarveAnalysis
internal import VarveMarbles

/// The lanes of tasks in a picture: bars for what each does, with the word for what it waits for.
struct TaskRows {
  private let tasks: [TaskLane]
  private let words: TraceWords
  /// The position of the first column, and the width of each.
  private let left: Int
  private let columnWidth: Int

  /// The greatest width of a name, in characters.
  private static let widestName = 40
  private static let indentation = 14

  init(_ timeline: Timeline, _ words: TraceWords, left: Int, columnWidth: Int) {
    tasks = timeline.tasks
    self.words = words
    self.left = left
    self.columnWidth = columnWidth
  }

  /// Returns the width of the names, in pixels.
  static func nameWidth(_ tasks: [TaskLane]) -> Int {
    tasks.map {
      min(DisplayWidth.of(TaskLanes.name($0.task)), widestName) * 7 + $0.depth * indentation
    }
    .max() ?? 0
  }

  /// Returns the lane of a task.
  ///
  /// - Parameter y: where it begins.
  func row(_ index: Int, at y: Int) -> String {
    let lane = tasks[index]
    let name = TaskLanes.name(lane.task)
    let shown = NameCut.cut(name, to: Self.widestName, ellipsis: "…")
    var text = """
      <g class="lane task" data-name="\(MarkupText.escaped(name))" transform="translate(0,\(y))">
      <text class="name" x="\(8 + lane.depth * Self.indentation)" y="20">\
      \(MarkupText.escaped(shown))<title>\(MarkupText.escaped(tooltip(lane)))</title></text>

      """
    var first = 0
    for column in lane.signs.indices {
      let isLast = column + 1 == lane.signs.count
      guard isLast || lane.signs[column + 1] != lane.signs[column] else { continue }
      text += bar(lane.signs[column], first...column, of: lane)
      first = column + 1
    }
    return text + "</g>\n"
  }

  /// Returns what is seen in columns that are alike.
  private func bar(_ sign: TaskLane.Sign, _ columns: ClosedRange<Int>, of lane: TaskLane) -> String
  {
    let x = left + columns.lowerBound * columnWidth
    let width = columns.count * columnWidth
    let title =
      "<title>\(MarkupText.escaped("\(TaskLanes.name(lane.task)) \(sign.meaning)"))</title>"
    switch sign {
    case .none: return ""
    case .made, .cancelled, .ended:
      let middle = x + columnWidth / 2
      let kind = sign == .made ? "life" : sign == .ended ? "completed" : "cancelled"
      return
        #"<line class="\#(kind)" x1="\#(middle)" y1="8" x2="\#(middle)" y2="24">\#(title)</line>"#
        + "\n"
    case .runs, .ready:
      let (y, height) = sign == .runs ? (10, 12) : (14, 4)
      return """
        <rect class="\(sign == .runs ? "runs" : "ready")" x="\(x)" y="\(y)" width="\(width)" \
        height="\(height)">\(title)</rect>

        """
    case .waits, .sleeps, .waitsForActor, .waitsForGroup, .waitsForTask, .waitsForElement,
      .waitsForContinuation:
      let bar =
        #"<rect class="waits" x="\#(x)" y="13" width="\#(width)" height="6">\#(title)</rect>"#
        + "\n"
      // A word that has no room over its bar would lie over the next one.
      guard let label = label(sign), width >= 7 * label.count + 6 else { return bar }
      return bar + #"<text class="dim" x="\#(x + 2)" y="9">\#(label)</text>"# + "\n"
    }
  }

  private func label(_ sign: TaskLane.Sign) -> String? {
    switch sign {
    case .waitsForContinuation: "continuation"
    case .waitsForElement: "element"
    case .sleeps: "sleep"
    case .waitsForTask: "task"
    case .waitsForGroup: "group"
    case .waitsForActor: "actor"
    default: nil
    }
  }

  /// Returns what a task does at the end, and the place of the code that it waits in, or that made it.
  private func tooltip(_ lane: TaskLane) -> String {
    let place = words.place(.stack(lane.stack)).map { "\n\($0)" } ?? ""
    let isCancelled = lane.task.isCancelled ? ", cancelled" : ""
    return "\(TaskLanes.name(lane.task)) \(lane.state.meaning)\(isCancelled)\(place)"
  }
}
