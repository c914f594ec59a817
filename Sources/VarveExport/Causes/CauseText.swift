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
    /// What is said instead where there is no room for the text: an event in it is not cut.
    var brief: [String] = []
    var place: String?
    /// A line without columns: a note between two steps.
    var note: String?
  }

  /// Returns the whole answer, with a line break after each line.
  public func text(_ path: CausalPath, _ telling: TellingStep? = nil) -> String {
    guard let effect = path.steps.first else { return "" }
    let title = words.style.fitted(
      words.style.paint("#\(effect.event.name)", .bold) + "  "
        + words.style.paint(words.phrase(effect.event), .bold))
    let marked = mark(thrown: effect.event) ?? telling.map { mark($0) + [""] } ?? []
    let runs = telling?.decisions.runs ?? [:]
    let steps = laidOut(path.steps.flatMap { lines($0, runs) })
    let frames = lookup.map { AsynchronousFrames(words: words, lookup: $0).lines(path) }
    return ([title, ""] + marked + steps + ending(path) + (frames ?? [])).map { $0 + "\n" }.joined()
  }

  /// Returns the steps only, one per line, without line breaks.
  func steps(_ path: CausalPath) -> [String] { laidOut(path.steps.flatMap { lines($0, [:]) }) }

  /// Where the error was thrown with which a task failed, or where it was cancelled, if that is what it says.
  private func mark(thrown failure: TraceEvent) -> [String]? {
    guard let lookup else { return nil }
    if failure.kind == .taskFailed, words.value(failure) == "(\(ThrownErrors.cancellation))",
      let cancelled = lookup.cancellation(of: failure.subscription),
      let place = words.place(.stack(HopPayload(word: cancelled.payload.word).stack))
    {
      return marked(
        place, "#\(cancelled.name)  \(words.task(cancelled.subscription)) was cancelled here") + [
          ""
        ]
    }
    guard let thrown = lookup.thrown(with: failure),
      let place = lookup.sender(of: thrown.name).flatMap({ words.place(.stack($0)) })
    else { return nil }
    return marked(
      place, "#\(thrown.name)  \(words.task(thrown.subscription)) threw the error here") + [""]
  }

  /// The step most worth reading.
  private func mark(_ telling: TellingStep) -> [String] {
    guard let told = lookup.flatMap({ TellingText.of(telling, words, $0) }), !told.sentence.isEmpty
    else { return [] }
    let sentence = told.sentence
    guard let place = told.place else {
      return words.style.wrapped(words.mark + sentence, indent: 2)
    }
    return marked(place, sentence)
  }

  private func marked(_ place: String, _ sentence: String) -> [String] {
    var lines = words.style.below(words.mark + place, sentence, indent: 2)
    let rest = String(lines[0].dropFirst((words.mark + place).count))
    lines[0] = words.mark + words.style.paint(place, .failed) + rest
    return lines
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
      name: event.isHop ? words.scheduler(event.stream) : words.shortStream(event.stream),
      nameColour: event.isHop
        ? .scheduler
        : isUsers ? .stream(words.definitions.streams[event.stream]?.name ?? "") : .dim,
      text: words.predicate(event), place: event.isHop ? nil : words.place(of: event.stream))
    if let subject = words.taskSubject(event) { (line.name, line.text) = subject }
    if let joined = step.joined, step.task == nil {
      line.text += ", \(words.span(from: event.ticks, to: joined.ticks)) old"
    }
    if let run = runs[event.name], run.of > 1 {
      line.text += "  (\(StopText.ordinal(run.0)) of \(run.of) runs)"
    }
    if let task = step.task {
      line.name = words.task(task)
      line.text = event.awaited?.phrase ?? "ran on \(words.scheduler(event.stream))"
    }
    if let scheduled = step.scheduled, event.runTask != nil {
      let code = lookup.flatMap { words.scheduling(scheduled, $0) }
      line.text = TaskRunText(words).text(step, scheduled, in: code?.function)
      line.place = code?.place
    } else if let scheduled = step.scheduled {
      line.text =
        "began work after \(words.span(from: scheduled.ticks, to: event.ticks))"
        + ", given to it by #\(scheduled.name) on \(words.thread(scheduled.ring))"
      if let code = lookup.flatMap({ words.scheduling(scheduled, $0) }) {
        line.text += " in \(code.function)"
        line.place = code.place
      }
    }
    if let scheduled = step.scheduled {
      let waited = words.span(from: scheduled.ticks, to: event.ticks)
      let verb = event.runTask == nil ? "began" : "ran"
      let giver = "by #\(scheduled.name)"
      line.brief = ["\(verb) after \(waited), given \(giver)", "\(verb), given \(giver)", giver]
    }
    if step.wasShown {
      line.text += words.style.ascii ? "  (see its other line)" : "  (told on its other line)"
    }
    var left: [Line] = []
    var note = line
    note.indent = String(repeating: "  ", count: step.depth)
    if let earlier = step.earlier, let task = event.runTask {
      let span = words.span(from: earlier.began, to: earlier.ended)
      note.note = "\(words.ellipsis) \(earlier.count) runs of \(words.task(task)), \(span)"
      left.append(note)
    }
    guard let repeats = step.repeats else { return [line] + left }
    let steps = repeats.steps == 1 ? "step" : "\(repeats.steps) steps"
    note.note =
      "\(words.ellipsis) the same \(steps) \(Counted.text(UInt64(repeats.rounds), "time", "times"))"
      + " more, #\(repeats.first) to #\(repeats.last)"
    return [line] + left + [note]
  }

  private func laidOut(_ lines: [Line]) -> [String] {
    func width(_ path: KeyPath<Line, String>) -> Int {
      lines.map { DisplayWidth.of($0[keyPath: path]) }.max() ?? 0
    }
    let (event, time, thread) = (width(\.event), width(\.time), width(\.thread))
    let columns = Columns(event: event, time: time, thread: thread)
    let place = lines.compactMap(\.place).map { DisplayWidth.of($0) }.max() ?? 0
    let told = lines.filter { $0.note == nil && $0.place != nil }.map {
      DisplayWidth.of($0.indent + $0.name + " " + $0.text)
    }
    let widest = min(told.max() ?? 0, 72)
    let longest =
      lines.map { line in
        let text = DisplayWidth.of(line.indent + line.name + " " + line.text)
        return line.place.map { max(text, widest) + 2 + DisplayWidth.of($0) } ?? text
      }.max() ?? 0
    let head = event + time + thread + 6
    guard let room = words.style.width, head + longest > room else {
      return lines.map { self.line($0, columns, placeAt: widest) }
    }
    var narrow = columns
    var text = 0
    // The names of threads yield, and then once more, before texts are hardly there.
    for widest in [16, 8] {
      narrow.thread =
        lines.map { DisplayWidth.of(words.style.middleShort($0.thread, to: widest)) }.max() ?? 0
      let fit = ColumnFit.widths(
        [
          .whole(event), .whole(time, rank: 0), .whole(narrow.thread), .whole(place),
          .text(longest),
        ], in: room)
      narrow.time = fit[1]
      let before = event + narrow.thread + 4 + (narrow.time.map { $0 + 2 } ?? 0)
      text = min(fit[4] ?? 0, room - before - (place == 0 ? 0 : place + 2))
      if text >= Self.leastText { break }
    }
    return lines.map { self.line($0, narrow, placeOf: place, textIn: max(text, 0)) }
  }

  /// The width of texts below which threads shorten further.
  private static let leastText = 16

  /// The widths of the columns before the text.
  private struct Columns {
    var event: Int
    /// Nil if there is no room for times.
    var time: Int?
    var thread: Int
  }

  private func head(_ line: Line, _ columns: Columns) -> String {
    let time = columns.time.map { padded(line.time, $0, right: true) + "  " } ?? ""
    let thread = words.style.middleShort(line.thread, to: columns.thread)
    return words.style.paint(padded(line.event, columns.event, right: true), .dim) + "  " + time
      + words.style.paint(padded(thread, columns.thread), .dim) + "  "
  }

  private func note(_ note: String, of line: Line, behind columns: Int) -> String {
    func shown(behind columns: Int) -> String {
      String(repeating: " ", count: columns) + words.style.paint(line.indent + note, .dim)
    }
    // It names events at its end.
    let whole = shown(behind: columns)
    return words.style.fits([whole]) ? whole : words.style.fitted(shown(behind: 2))
  }

  /// Returns a line that fits, or need not: the place behind the text.
  private func line(_ line: Line, _ columns: Columns, placeAt column: Int) -> String {
    if let note = line.note {
      let width = columns.event + (columns.time ?? 0) + columns.thread + 6
      return self.note(note, of: line, behind: width)
    }
    let name = line.nameColour.map { words.style.paint(line.name, $0) } ?? line.name
    let length = DisplayWidth.of(line.indent + line.name + " " + line.text)
    let place = line.place.map {
      String(repeating: " ", count: max(column - length, 0) + 2) + words.style.paint($0, .dim)
    }
    return head(line, columns) + line.indent + name + " " + line.text + (place ?? "")
  }

  /// Returns a line in which the text comes last, because only its beginning fits. The name yields
  /// first, as it can be told from its end.
  private func line(
    _ line: Line, _ columns: Columns, placeOf width: Int, textIn room: Int
  ) -> String {
    let place = width == 0 ? 0 : width + 2
    if let note = line.note {
      let before = columns.event + (columns.time.map { $0 + 2 } ?? 0) + columns.thread + 4 + place
      return self.note(note, of: line, behind: before)
    }
    // Without a place, there is room for more.
    let isPlaced = place > 0 && line.place != nil
    let room = isPlaced || line.brief.isEmpty ? room : room + place
    let whole = NameCut.name(line.name, beside: line.place)
    let shortest = min(DisplayWidth.of(whole), min(room * 3 / 5, 24))
    func fits(_ text: String, name: Int) -> Bool {
      DisplayWidth.of(line.indent + text) + 1 + name <= room
    }
    let text =
      line.brief.isEmpty || fits(line.text, name: shortest)
      ? line.text : line.brief.first { fits($0, name: shortest) } ?? line.brief.last ?? line.text
    let left = room - DisplayWidth.of(line.indent + " " + text)
    let most = line.brief.isEmpty ? max(left, min(room * 3 / 5, 24)) : max(left, 4)
    let short =
      line.nameColour == .scheduler
      ? words.style.middleShort(whole, to: most) : words.style.short(whole, to: most)
    let name = line.nameColour.map { words.style.paint(short, $0) } ?? short
    let cell =
      place == 0 || !isPlaced && !line.brief.isEmpty
      ? "" : words.style.paint(padded(line.place ?? "", width), .dim) + "  "
    return words.style.fitted(head(line, columns) + cell + line.indent + name + " " + text)
  }

  private func padded(_ text: String, _ width: Int, right: Bool = false) -> String {
    let padding = DisplayWidth.gap(after: text, to: width)
    return right ? padding + text : text + padding
  }

  // MARK: - Where it ends

  /// The number of frames of the sender that are shown.
  private static let mostFrames = 4

  private static let unfollowed =
    "A Dispatch queue ran it. Who gave it to the queue: record with varve run --hops to know."

  /// Returns the closing sentence: where the first step of the main line came from.
  private func ending(_ path: CausalPath) -> [String] {
    guard let first = path.origin else { return [] }
    let cause = first.scheduled ?? first.event
    if path.isCut { return ["", "The way is longer; the steps before are left out."] }
    if let missing = path.missing[cause.name] {
      return [""]
        + words.style.wrapped(
          "#\(cause.name) came from #\(missing), which is not in the trace: lost, or from before "
            + "it began.", indent: 0)
    }
    return from(cause) + begun(path)
  }

  /// Where the code of the program sent the first event of a way.
  private func from(_ cause: TraceEvent) -> [String] {
    let thread = words.thread(cause.ring)
    let outside = "#\(cause.name) came from outside all streams, on thread \(thread)"
    guard let stack = lookup?.code(behind: cause) else {
      // Of a run, senders do not tell.
      let isRun = cause.isHop || cause.kind == .taskCreated
      let advice = isRun ? "." : ": record with senders=yes to know."
      let unknown = "From which code, the trace does not say" + advice
      return ["", "\(outside).", unknown].flatMap { words.style.wrapped($0, indent: 0) }
    }
    let frames = words.ownFrames(stack)
    let queue =
      words.definitions.isUnfollowedWork(stack: stack)
      ? words.style.wrapped(Self.unfollowed, indent: 0) : []
    if frames.isEmpty {
      return [""]
        + words.style.wrapped(
          "\(outside), and no frame of the stack there is the program's own.", indent: 0) + queue
    }
    let sender = frames.prefix(Self.mostFrames).map {
      words.style.codeLine($0.function, at: $0.place, indent: "  ")
    }
    let rest = frames.count > sender.count ? ["  \(words.ellipsis)"] : []
    return [""] + words.style.wrapped("\(outside):", indent: 0) + sender + rest + queue
  }

  /// What began the run that the first event of a way was sent into.
  private func begun(_ path: CausalPath) -> [String] {
    guard let lookup, let sent = path.origin?.event,
      let began = lookup.beginning(ofRunAt: path)
    else { return [] }
    let because = began.causes.first.flatMap { lookup[$0] }.map { cause in
      let place = words.place(of: cause.stream).map { " (\($0))" } ?? ""
      return ", because of #\(cause.name) \(words.phrase(cause, short: true))\(place)"
    }
    let code = lookup.observer(of: began.name).flatMap { words.place(.stack($0)) }
    let span = words.span(from: began.ticks, to: sent.ticks)
    return words.style.wrapped(
      "It was sent into what #\(began.name) had begun \(span) before, on thread "
        + words.thread(began.ring) + (code.map { ", at \($0)" } ?? "") + (because ?? "") + ".",
      indent: 0)
  }
}
