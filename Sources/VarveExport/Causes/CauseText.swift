public import VarveAnalysis
internal import VarveFormat
internal import VarveMarbles
internal import VarveProbe

/// Shows the causal path to an event: from the event back to where it began, one step per line.
///
/// Streams that the program named stand out, operators between them are dim. Branches that joined
/// the path are indented. The line of a scheduler says how long the work waited there.
public struct CauseText {
  private let words: TraceWords
  private let lookup: EventLookup?

  /// Prepares to show the paths of a trace. If `lookup` is given, it finds the code that sent and
  /// scheduled.
  public init(_ words: TraceWords, lookup: EventLookup? = nil) {
    self.words = words
    self.lookup = lookup
  }

  /// A line of the path, before layout.
  private struct Line {
    var event: String
    var time: String
    var thread: String
    var indent: String
    var name: String
    var nameColour: Colour?
    var text: String
    var place: String?
    /// A line without columns: a note between two steps.
    var note: String?

    /// Returns the line with its text shortened if there is little room, so that the place shows.
    func cut(to room: Int?, besides longestPlace: Int, ellipsis: String) -> Line {
      guard let room else { return self }
      let left = room - (place == nil ? 0 : longestPlace + 2) - DisplayWidth.of(indent + name) - 1
      var line = self
      line.text = DisplayWidth.cut(text, to: max(left, 8), ellipsis: ellipsis)
      return line
    }
  }

  /// Returns the whole answer, with a line break after each line.
  public func text(_ path: CausalPath, _ telling: TellingStep? = nil) -> String {
    guard let effect = path.steps.first else { return "" }
    let title =
      words.style.paint("#\(effect.event.name)", .bold) + "  "
      + words.style.paint(words.phrase(effect.event), .bold)
    let marked = telling.map { mark($0) + [""] } ?? []
    let runs = telling?.decisions.runs ?? [:]
    let steps = laidOut(path.steps.flatMap { lines($0, runs) })
    return ([title, ""] + marked + steps + ending(path)).map { $0 + "\n" }.joined()
  }

  /// Returns the steps only, one per line, without line breaks.
  func steps(_ path: CausalPath) -> [String] { laidOut(path.steps.flatMap { lines($0, [:]) }) }

  /// The step most worth reading.
  private func mark(_ telling: TellingStep) -> [String] {
    guard let lookup else { return [] }
    let (place, sentence) =
      switch telling.choice {
      case .stop(let stop):
        (
          StopText(words, lookup: lookup).place(of: stop),
          StopText(words, lookup: lookup).sentence(stop)
        )
      case .decision(let decision):
        (
          DecisionText(words, lookup: lookup).place(of: decision),
          DecisionText(words, lookup: lookup).sentence(decision)
        )
      case nil: (nil, "")
      }
    guard !sentence.isEmpty else { return [] }
    let shown = place.map { words.style.paint($0, .failed) + "  " } ?? ""
    return [(words.style.ascii ? "> " : "▸ ") + shown + sentence]
  }

  // MARK: - Lines

  private func lines(
    _ step: CausalPath.Step, _ runs: [EventName: (Int, of: Int)]
  ) -> [Line] {
    let event = step.event
    let isUsers = words.isNamed(event.stream) && !event.isHop
    let joining = words.style.ascii ? "+ " : "┬ "
    var line = Line(
      event: "#\(event.name)", time: words.moment(event.ticks), thread: words.thread(event.ring),
      indent: String(repeating: "  ", count: max(step.depth - (step.joins ? 1 : 0), 0))
        + (step.joins ? joining : ""),
      name: words.style.short(
        event.isHop ? words.scheduler(event.stream) : words.shortStream(event.stream)),
      nameColour: event.isHop
        ? .scheduler
        : isUsers ? .stream(words.definitions.streams[event.stream]?.name ?? "") : .dim,
      text: words.predicate(event), place: event.isHop ? nil : words.place(of: event.stream))
    if let joined = step.joined {
      line.text += ", \(words.span(from: event.ticks, to: joined.ticks)) old"
    }
    if let run = runs[event.name], run.of > 1 {
      line.text += "  (\(StopText.ordinal(run.0)) of \(run.of) runs)"
    }
    if let scheduled = step.scheduled {
      line.text =
        "began work after \(words.span(from: scheduled.ticks, to: event.ticks))"
        + ", given to it by #\(scheduled.name) on \(words.thread(scheduled.ring))"
      if let code = lookup.flatMap({ words.scheduling(scheduled, $0) }) {
        line.text += " in \(code.function)"
        line.place = code.place
      }
    }
    if step.wasShown {
      line.text += words.style.ascii ? "  (see its other line)" : "  (told on its other line)"
    }
    guard let repeats = step.repeats else { return [line] }
    var note = line
    let steps = repeats.steps == 1 ? "step" : "\(repeats.steps) steps"
    note.note =
      "\(words.ellipsis) the same \(steps) \(Counted.text(UInt64(repeats.rounds), "time", "times"))"
      + " more, #\(repeats.first) to #\(repeats.last)"
    return [line, note]
  }

  private func laidOut(_ lines: [Line]) -> [String] {
    func width(_ path: KeyPath<Line, String>) -> Int {
      lines.map { DisplayWidth.of($0[keyPath: path]) }.max() ?? 0
    }
    let (event, time, thread) = (width(\.event), width(\.time), width(\.thread))
    let room = words.style.width.map { $0 - event - time - thread - 6 }
    let longest = lines.compactMap(\.place).map { DisplayWidth.of($0) }.max() ?? 0
    let lines = lines.map { $0.cut(to: room, besides: longest, ellipsis: words.ellipsis) }
    let told = lines.filter { $0.note == nil && $0.place != nil }.map {
      DisplayWidth.of($0.indent + $0.name + " " + $0.text)
    }
    let widest = min(told.max() ?? 0, 72)
    return lines.map { line in
      if let note = line.note {
        let gap = String(repeating: " ", count: event + time + thread + 6)
        return gap + words.style.paint(line.indent + note, .dim)
      }
      let head =
        words.style.paint(padded(line.event, event, right: true), .dim) + "  "
        + padded(line.time, time, right: true) + "  "
        + words.style.paint(padded(line.thread, thread), .dim) + "  "
      let name = line.nameColour.map { words.style.paint(line.name, $0) } ?? line.name
      let length = DisplayWidth.of(line.indent + line.name + " " + line.text)
      let place = line.place.map {
        String(repeating: " ", count: max(widest - length, 0) + 2) + words.style.paint($0, .dim)
      }
      return words.style.fitted(head + line.indent + name + " " + line.text + (place ?? ""))
    }
  }

  private func padded(_ text: String, _ width: Int, right: Bool = false) -> String {
    let padding = DisplayWidth.gap(after: text, to: width)
    return right ? padding + text : text + padding
  }

  // MARK: - Where it ends

  /// The number of frames of the sender that are shown.
  private static let mostFrames = 4

  /// Returns the closing sentence: where the first step of the main line came from.
  private func ending(_ path: CausalPath) -> [String] {
    guard let first = path.steps.last(where: { $0.depth == 0 && !$0.wasShown }) else { return [] }
    let cause = first.scheduled ?? first.event
    if path.isCut { return ["", "The way is longer; the steps before are left out."] }
    if let missing = path.missing[cause.name] {
      return [
        "",
        "#\(cause.name) came from #\(missing), which is not in the trace: lost, or from before it "
          + "began.",
      ]
    }
    let thread = words.thread(cause.ring)
    let outside = "#\(cause.name) came from outside all streams, on thread \(thread)"
    guard let stack = lookup?.sender(of: cause.name) else {
      let unknown = "From which code, the trace does not say: record with senders=yes to know."
      return ["", "\(outside).", unknown]
    }
    let frames = words.ownFrames(stack)
    if frames.isEmpty {
      return ["", "\(outside), and no frame of the stack there is the program's own."]
    }
    let sender = frames.prefix(Self.mostFrames).map { "  \($0.function) at \($0.place)" }
    let rest = frames.count > sender.count ? ["  \(words.ellipsis)"] : []
    return ["", "\(outside):"] + sender + rest
  }
}
