internal import ArgumentParser
internal import VarveAnalysis
internal import VarveExport
internal import VarveFormat

/// A timeline in one of its forms.
struct DrawnTimeline {
  let text: String
  let isEmpty: Bool
  /// Whether it has lanes of tasks.
  var hasTasks = false
  let damage: [TraceFileError]
  let passedOver: PassedOver
}

/// The options for what a drawing shows: the same flags in every verb that draws lanes.
struct DrawingOptions: ParsableArguments {
  @Flag(help: "Draw every stream, not only those with names.") var all = false
  @Flag(name: .customLong("no-fold"), help: "Draw idle stretches at their full length.")
  var keepsGaps = false

  /// Returns a marble diagram for people.
  ///
  /// - Parameter symbols: names the code of tasks.
  func text(
    _ trace: OpenedTrace, _ chosen: Selection, columns: Int, _ style: OutputStyle,
    _ symbols: Symbolizer
  ) throws -> DrawnTimeline {
    let timeline = try timeline(trace, chosen, columns: columns, style, symbols)
    let words = TraceWords(trace.reader, pid: trace.reader.pid, style: style, symbols: symbols)
    return DrawnTimeline(
      text: TimelineTextRenderer(timeline, style: style, words: words).text(),
      isEmpty: timeline.isEmpty, hasTasks: timeline.hasTasks,
      damage: timeline.damage, passedOver: timeline.passedOver)
  }

  /// Returns a self-contained picture.
  ///
  /// - Parameter symbols: names the code of tasks.
  func picture(
    _ trace: OpenedTrace, _ chosen: Selection, columns: Int?, _ symbols: Symbolizer
  ) throws -> DrawnTimeline {
    try drawn(trace, chosen, columns, symbols) { $0.svg(title: trace.title) }
  }

  /// Returns a page for a browser.
  func page(
    _ trace: OpenedTrace, _ chosen: Selection, columns: Int?, _ symbols: Symbolizer
  ) throws -> DrawnTimeline {
    try drawn(trace, chosen, columns, symbols) {
      TimelinePage($0).html(title: trace.title, files: trace.names)
    }
  }

  /// Returns marble diagrams for a test.
  func exactMarbles(_ trace: OpenedTrace, _ chosen: Selection) throws -> DrawnTimeline {
    let marbles = try ExactMarbles(of: trace.reader, selection: chosen, words: words(trace))
    return DrawnTimeline(
      text: marbles.text(), isEmpty: marbles.isEmpty, damage: marbles.damage,
      passedOver: marbles.passedOver)
  }

  private func drawn(
    _ trace: OpenedTrace, _ chosen: Selection, _ columns: Int?,
    _ symbols: Symbolizer, _ form: (TimelinePicture) -> String
  ) throws -> DrawnTimeline {
    let columns = columns ?? TimelinePicture.columns
    let timeline = try timeline(trace, chosen, columns: columns, .plain, symbols)
    let lookup = EventLookup(trace.reader)
    let words = TraceWords(trace.reader, pid: trace.reader.pid, style: .plain, symbols: symbols)
    let picture = TimelinePicture(timeline, words, lookup: lookup)
    return DrawnTimeline(
      text: form(picture), isEmpty: timeline.isEmpty, hasTasks: timeline.hasTasks,
      damage: timeline.damage + lookup.damage,
      passedOver: timeline.passedOver)
  }

  private func words(_ trace: OpenedTrace) -> TraceWords {
    TraceWords(trace.reader, pid: trace.reader.pid, style: .plain)
  }

  private func timeline(
    _ trace: OpenedTrace, _ chosen: Selection, columns: Int, _ style: OutputStyle,
    _ symbols: Symbolizer
  ) throws -> Timeline {
    try Timeline(
      of: trace.reader, selection: chosen, losses: trace.reader.losses,
      damaged: trace.reader.damagedTicks,
      options: Timeline.Options(
        width: columns, showsAll: all || Configuration.truth("all") ?? false,
        keepsGaps: keepsGaps || Configuration.truth("fold") == false,
        showsTasks: true),
      style: style, symbols: symbols)
  }
}
