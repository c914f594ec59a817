public import VarveAnalysis
internal import VarveFormat
internal import VarveMarbles

/// A marble diagram as one self-contained SVG picture.
///
/// It needs no network and no script, follows the light or dark scheme of the page, and has a
/// tooltip on each marble: value, time, thread, cause. Values that lie too close together become
/// one marble with a count, so the size of the picture does not grow with the number of events.
/// The same timeline gives the same bytes.
public struct TimelinePicture {
  private let timeline: Timeline
  private let words: TraceWords
  private let lookup: EventLookup

  /// The columns of a timeline for a picture, including its names.
  public static let columns = 260
  static let headHeight = 40
  static let rowHeight = 32
  static let footHeight = 12
  private static let columnWidth = 5
  static let radius = 6
  private static let widestName = 40

  /// Prepares to draw a timeline that was laid out in `columns` columns. `lookup` finds the events
  /// that the lanes show.
  public init(_ timeline: Timeline, _ words: TraceWords, lookup: EventLookup) {
    self.timeline = timeline
    self.words = words
    self.lookup = lookup
  }

  /// The number of streams left out because a picture has no room for them.
  var hiddenLanes: Int { timeline.hiddenLanes }
  /// The number of tasks left out for the same reason.
  var hiddenTasks: Int { timeline.hiddenTasks }

  /// The start of the time axis, to the right of the names.
  var left: Int {
    let names = timeline.lanes.map {
      min(DisplayWidth.of($0.name), Self.widestName) * 7 + $0.depth * 14
    }
    return max(names.max() ?? 0, TaskRows.nameWidth(timeline.tasks)) + 24
  }

  /// Returns the picture.
  ///
  /// - Parameter title: the name of the trace.
  public func svg(title: String) -> String {
    let left = left
    let width = left + (timeline.axis?.columns ?? 0) * Self.columnWidth + 170
    let rows = timeline.lanes.count + timeline.tasks.count
    let height = Self.headHeight + rows * Self.rowHeight + Self.footHeight
    let tasks = TaskRows(timeline, words, left: left, columnWidth: Self.columnWidth)
    let lanes =
      timeline.lanes.indices.map { lane($0, left: left) }
      + timeline.tasks.indices.map { tasks.row($0, at: y(timeline.lanes.count + $0)) }
    let title = MarkupText.escaped(title)
    return """
      <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(width) \(height)" width="\(width)" \
      height="\(height)" aria-label="\(title)" font-family="ui-monospace, monospace" \
      font-size="11"><style>\(PictureStyle.rules)</style>
      <rect class="paper" width="\(width)" height="\(height)"/>
      \(ruler(left: left, height: height))\(lanes.joined())</svg>

      """
  }

  // MARK: - The axis

  private func ruler(left: Int, height: Int) -> String {
    guard let axis = timeline.axis else { return "" }
    var text = ""
    let step = AxisRuler.step(atLeast: axis.columnDuration * 18)
    var free = 0
    for segment in axis.segments {
      var time = (segment.times.lowerBound + step - 1) / step * step
      while time <= segment.times.upperBound {
        let x = left + axis.column(time) * Self.columnWidth
        let label = ElapsedTime.exact(nanoseconds: time)
        text += #"<line class="grid" x1="\#(x)" y1="22" x2="\#(x)" y2="\#(height - 6)"/>"#
        if x >= free {
          text += #"<text class="dim" x="\#(x)" y="16" text-anchor="middle">\#(label)</text>"#
          free = x + 7 * label.count + 12
        }
        text += "\n"
        time += step
      }
    }
    return text + folds(axis, left: left, height: height) + losses(left: left, height: height)
  }

  private func folds(_ axis: TimeAxis, left: Int, height: Int) -> String {
    axis.folds.map { fold in
      let x = left + fold.columns.lowerBound * Self.columnWidth
      let length = ElapsedTime.short(nanoseconds: fold.duration)
      return """
        <g><rect class="fold" x="\(x)" y="22" width="\(fold.columns.count * Self.columnWidth)" \
        height="\(height - 28)"/><text class="dim" x="\(x)" y="33">~</text>\
        <title>\(length) without anything are left out</title></g>

        """
    }.joined()
  }

  private func losses(left: Int, height: Int) -> String {
    timeline.lost.sorted().map { column in
      """
      <rect class="lost" x="\(left + column * Self.columnWidth)" y="22" \
      width="\(Self.columnWidth)" height="\(height - 28)"><title>events are missing</title></rect>

      """
    }.joined()
  }

  // MARK: - Lanes

  private func y(_ row: Int) -> Int { Self.headHeight + row * Self.rowHeight }

  private func lane(_ row: Int, left: Int) -> String {
    let lane = timeline.lanes[row]
    let name = name(of: row)
    let shade = PictureStyle.shade(of: name)
    var text = """
      <g class="lane k\(shade)" data-name="\(MarkupText.escaped(name))" \
      transform="translate(0,\(y(row)))">

      """
    if !lane.name.isEmpty {
      let shown = lane.process + NameCut.cut(lane.name, to: Self.widestName, ellipsis: "…")
      text += """
        <text class="name" x="\(8 + lane.depth * 14)" y="20">\(MarkupText.escaped(shown))\
        <title>\(MarkupText.escaped(lane.process + lane.name))</title></text>

        """
    }
    for life in lane.lives {
      let from = middle(of: life.lowerBound, left)
      let to = middle(of: life.upperBound, left)
      text += #"<line class="life" x1="\#(from)" y1="16" x2="\#(to)" y2="16"/>"# + "\n"
    }
    text += hops(of: lane, left: left)
    let marks = lane.marks { (8 + 6 * String($0).count) / Self.columnWidth + 1 }
    for (index, mark) in marks.enumerated() {
      let next =
        index + 1 < marks.count ? marks[index + 1].columns.lowerBound : lane.columnCount + 32
      let room = (next - mark.columns.upperBound) * Self.columnWidth
      text += draw(mark, name: name, room: room, left: left)
    }
    return text + "</g>\n"
  }

  /// Returns, for what another scheduler brought, the time that it waited there.
  private func hops(of lane: Lane, left: Int) -> String {
    lane.hops.map { hop in
      let to = middle(of: hop.to, left)
      // What hardly waited is to be seen, too.
      let from = min(middle(of: hop.from, left), to - Self.leastHop)
      return """
        <g class="hop"><line x1="\(from)" y1="16" x2="\(to)" y2="16"/>\
        <line class="handed" x1="\(from)" y1="11" x2="\(from)" y2="21"/>\
        <title>given to another scheduler</title></g>

        """
    }.joined()
  }

  private func middle(of column: Int, _ left: Int) -> Int {
    left + column * Self.columnWidth + Self.columnWidth / 2
  }

  /// Returns the name of the lane, or of the lane above that it continues.
  private func name(of row: Int) -> String {
    timeline.lanes[...row].last { !$0.name.isEmpty }?.name ?? ""
  }

  private func draw(_ mark: LaneMark, name: String, room: Int, left: Int) -> String {
    let (from, to) = (
      middle(of: mark.columns.lowerBound, left), middle(of: mark.columns.upperBound, left)
    )
    var text = ""
    if mark.starts {
      text += #"<line class="life" x1="\#(from)" y1="10" x2="\#(from)" y2="22"/>"# + "\n"
    }
    if mark.values == 1 {
      text += """
        <circle class="marble" cx="\(to)" cy="16" r="\(Self.radius)"\(data(mark.tag))>\
        <title>\(tooltip(mark.tag, name) { mark.text })</title></circle>

        """
      let columns = (room + 4) / 6
      if !mark.text.isEmpty, columns > 3 || DisplayWidth.of(mark.text) <= columns {
        let shown = DisplayWidth.cut(mark.text, to: columns, ellipsis: "…")
        text +=
          #"<text class="value" x="\#(to - Self.textGap)" y="7">\#(MarkupText.escaped(shown))</text>"#
          + "\n"
      }
    } else if mark.values > 1 {
      let width = max(to - from + 14, Self.narrowest(mark.values))
      let middle = (from + to) / 2
      text += """
        <rect class="marble" x="\(middle - width / 2)" y="9" width="\(width)" height="14" rx="7"\
        \(data(mark.tag))><title>\(mark.values) values; the last one: \
        \(tooltip(mark.tag, name) { "" })</title></rect>\
        <text class="count" x="\(middle)" y="20" text-anchor="middle">\(mark.values)</text>

        """
    }
    guard let ending = mark.ending else { return text }
    let x = mark.values > 0 ? to + Self.endGap : to
    return text + """
      <line class="\(ending.word)" x1="\(x)" y1="8" x2="\(x)" y2="24"\(data(mark.endTag))>\
      <title>\(tooltip(mark.endTag, name) { ending.word })</title></line>

      """
  }

  /// The least length of what shows a hop.
  private static let leastHop = radius + 8
  /// The distance from the last marble of a stream to the mark of its end.
  static let endGap = radius + 3
  /// The distance from the start of a value's text to its marble.
  static let textGap = 4

  /// Returns the least width of a marble that has room for its count.
  private static func narrowest(_ values: Int) -> Int { 8 + 6 * String(values).count }

  private func data(_ tag: LaneTag) -> String { #" data-event="\#(tag.event)""# }

  private func tooltip(_ tag: LaneTag, _ name: String, otherwise: () -> String) -> String {
    guard let event = lookup[tag.event] else {
      return MarkupText.escaped("\(name) \(otherwise())")
    }
    var lines = [
      words.phrase(event),
      "#\(event.name) at \(words.moment(event.ticks)) on \(words.thread(event.ring))",
    ]
    if let cause = event.causes.first.flatMap({ lookup[$0] }) {
      lines.append("because of #\(cause.name) \(words.phrase(cause, short: true))")
    }
    if let place = words.place(of: event.stream), !event.isHop { lines.append(place) }
    return MarkupText.escaped(lines.joined(separator: "\n"))
  }
}

extension LaneEnding {
  /// The name of the end, in a tooltip and in the rules of the picture.
  fileprivate var word: String {
    switch self {
    case .completed: "completed"
    case .failed: "failed"
    case .interrupted: "cancelled"
    }
  }
}
