public import VarveAnalysis
public import VarveFormat
internal import VarveMarbles
internal import VarveProbe

/// A one-page report on how a program ended and what it was doing, from its trace alone.
public struct PostmortemText {
  private let reader: TraceReader
  private let damage: [TraceDamage]?
  private let history: TraceHistory
  private let choice: EventChoice?
  private let findings: [Finding]
  private let lacksKinds: Bool
  private let areOfEnding: Bool
  private let words: TraceWords
  private let lookup: EventLookup
  private let command: TraceCommand
  private let moments: [UInt32: ThreadMoment]
  private let struck: [StackFrame]
  private let lastPlace: LastPlace?
  /// The parts of the trace left out of the last moments of threads.
  public let passedOver: PassedOver
  private let backtraces: BacktraceText
  private let tasks: LeftTasks?
  private let end: String?

  private static let mostThreads = 6
  private static let mostEvents = 3
  private static let mostSteps = 14
  private static let mostRows = 8

  /// Prepares the report on the trace that `command` names. `symbols` names the code in which the
  /// threads were; `damage` is that found in a check of all blocks, nil if they were not checked;
  /// `choice` are the events to speak of, nil for all; `end` says who ended the program and why, where that is
  /// known from elsewhere.
  public init(
    _ reader: TraceReader, _ history: TraceHistory, _ findings: Findings, lookup: EventLookup,
    damage: [TraceDamage]? = nil, symbols: Symbolizer, command: TraceCommand, style: OutputStyle,
    choice: EventChoice? = nil, end: String? = nil
  ) {
    self.end = end
    var traced = TraceBacktraces(reader)
    let moments = traced.lastMoments(history)
    struck = traced.struckStack
    passedOver = traced.passedOver
    symbols.lookUp(moments.flatMap(\.frames) + struck)
    self.moments = Dictionary(moments.map { ($0.ring, $0) }) { first, _ in first }
    backtraces = BacktraceText(
      reader, symbols: symbols, machinery: .hidden, style: style.indented(by: 2))
    // What goes round and round, or hangs, is known better than by what its thread did last.
    let isFound =
      findings.all.first.map { found in
        let ends: [Finding.Kind] =
          reader.ending == .clean ? [.hang] : [.hang, .recursion, .retries, .feedback, .storm]
        return ends.contains(found.kind) && found.place != nil
      } ?? false
    let last = isFound ? nil : LastPlace(reader, history, lookup: lookup, symbols: symbols)
    lastPlace = last.flatMap { last in
      let isChosen =
        choice.map { choice in
          choice.isEverything
            || last.event.map { choice.contains($0) }
              ?? last.ring.map { choice.contains(ring: $0) } ?? false
        } ?? true
      return isChosen ? last : nil
    }
    self.choice = choice.flatMap { $0.isEverything ? nil : $0 }
    tasks = choice?.isEverything == false ? nil : LeftTasks(reader, symbols: symbols)
    self.reader = reader
    self.damage = damage
    self.history = history
    self.findings = findings.all
    areOfEnding = findings.areOfEnding
    lacksKinds = findings.lacksKinds && !areOfEnding
    self.lookup = lookup
    self.command = command
    words = TraceWords(reader, pid: reader.pid, style: style, symbols: symbols)
  }

  /// Returns the report, with a line break after each line.
  public func text() -> String {
    let head = TraceSummaryText(
      reader, damage: damage, command: command, style: words.style, end: end
    )
    .text()
    let sections = [
      lastSection, foundSection, leftOutSection, unknownSection, strangerSection, threadSection,
      runningSection, queuedSection,
      openSection, tasks?.lines(words, command) ?? [],
    ]
    return head
      + sections.filter { !$0.isEmpty }.map { "\n" + $0.map { $0 + "\n" }.joined() }.joined()
  }

  private func title(_ text: String) -> String { words.style.paint(text, .bold) }

  private func more(_ count: Int, _ what: String, _ command: String) -> [String] {
    guard count > 0 else { return [] }
    let line = "and \(Counted.grouped(UInt64(count))) more \(what)\(command)"
    return words.style.wrapped(line, indent: 2).map { words.style.paint("  " + $0, .dim) }
  }

  // MARK: - Where to look

  /// The line to look at.
  private var lastSection: [String] {
    guard let last = lastPlace else { return [] }
    return [title("what to look at")] + LastPlaceText(words: words, lookup: lookup).lines(last)
  }

  // MARK: - Findings

  private var foundSection: [String] {
    guard !findings.isEmpty else { return [] }
    let text = FindingText(
      words, lookup: lookup, command: command, lastPlace: lastPlace, isPostmortem: true)
    let lines = findings.prefix(12).enumerated().flatMap { index, finding in
      text.lines(finding, isMarked: index == 0 && lastPlace == nil)
    }
    return [title("found")] + lines.map { "  " + $0 }
      + more(findings.count - 12, "findings", "")
  }

  /// What was not looked for, and how it is.
  private var leftOutSection: [String] {
    guard areOfEnding else { return [] }
    let all = command.line("postmortem", "--findings")
    return [title("what was not looked for")]
      + FindingText.leftOutLines(
        events: reader.events, command: all, style: words.style,
        more: reader.ending == .clean ? "" : ", nor was every reason to hang")
  }

  /// The kinds of findings that this trace cannot show.
  private var unknownSection: [String] {
    guard lacksKinds else { return [] }
    return [
      words.style.paint(
        "this trace is of an older version, which does not say what kinds of streams it has: silent "
          + "joins and late results were not looked for", .dim)
    ]
  }

  // MARK: - Threads

  /// The ring of the thread that crashed.
  private var crashedRing: UInt32? {
    guard case .crashed(_, let ring, _) = reader.ending else { return nil }
    return ring
  }

  /// The place of the crash, if the crashed thread has recorded nothing.
  private var strangerSection: [String] {
    guard crashedRing == nil, !struck.isEmpty else { return [] }
    return [title("the thread that crashed had recorded nothing")] + backtraces.struck(struck)
  }

  private var threadSection: [String] {
    let lasts = history.lastEvents.keys.filter { !chosen($0).isEmpty && !isSampler($0) }.map {
      (ring: $0, ticks: ticks(ofLast: $0))
    }
    let rings = lasts.sorted { one, other in
      if (one.ring == crashedRing) != (other.ring == crashedRing) { return one.ring == crashedRing }
      return (one.ticks, other.ring) > (other.ticks, one.ring)
    }.map(\.ring)
    guard !rings.isEmpty else { return [] }
    // The most recent threads say most, and the crashed one most of all: it comes first.
    let lines = rings.prefix(Self.mostThreads).flatMap { [""] + thread($0) }
    return [title("what each thread did last")] + lines
      + more(rings.count - Self.mostThreads, "threads", "")
  }

  /// Returns the last events of a thread, of those to speak of.
  private func chosen(_ ring: UInt32) -> [EventName] {
    let names = history.lastEvents[ring] ?? []
    return choice.map { choice in names.filter { choice.contains($0) } } ?? names
  }

  /// Whether a thread is the recorder's own, which takes samples of the others' work.
  private func isSampler(_ ring: UInt32) -> Bool {
    history.lastEvents[ring]?.last.flatMap { lookup[$0]?.kind } == .hopSampled
  }

  private func isChosen(work event: EventName) -> Bool {
    choice?.contains(work: event, lookup) ?? true
  }

  private func ticks(ofLast ring: UInt32) -> UInt64 {
    history.lastEvents[ring]?.last.flatMap { lookup[$0]?.ticks } ?? 0
  }

  private func thread(_ ring: UInt32) -> [String] {
    let names = chosen(ring)
    let isCrashed = ring == crashedRing
    let mark = isCrashed ? words.style.paint("  crashed here", .failed) : ""
    let lines = lastLines(names.suffix(Self.mostEvents).compactMap { lookup[$0] })
    let code = moments[ring].map { backtraces.lines($0).map { "  " + $0 } } ?? []
    return ["  " + title(words.numbered(thread: ring)) + mark] + lines + code
      + way(to: names, isCrashed)
  }

  /// Returns the lines of events; their times yield where one has no room for what happened.
  private func lastLines(_ events: [TraceEvent]) -> [String] {
    let width = events.map { String($0.name).count }.max() ?? 0
    func lines(withTime: Bool) -> [String] {
      events.map { event in
        let padding = String(repeating: " ", count: width - String(event.name).count)
        let time = withTime ? words.moment(event.ticks) + "  " : ""
        let head = "    \(padding)#\(event.name)  \(time)"
        return head + told(event, behind: DisplayWidth.of(head))
      }
    }
    let timed = lines(withTime: true)
    let isReadable = zip(timed, events).allSatisfy { line, event in
      let excess = words.style.width.map { DisplayWidth.of(line) - $0 } ?? 0
      let told = DisplayWidth.of(words.briefPredicate(event))
      return excess <= 0 || told - excess >= Self.leastPredicate
    }
    return (isReadable ? timed : lines(withTime: false)).map { words.style.fitted($0) }
  }

  /// The columns that a name keeps beside what happened.
  private static let leastName = 16
  /// The columns of what happened for which the time yields.
  private static let leastPredicate = 20

  /// Returns what happened; where lines are cut, behind the place, and with as much of the name as
  /// there is room for.
  private func told(_ event: TraceEvent, behind columns: Int) -> String {
    guard let width = words.style.width else { return words.phrase(event) }
    let place = event.isHop ? nil : words.place(of: event.stream)
    let head = place.map { $0 + "  " } ?? ""
    let name = event.isHop ? words.scheduler(event.stream) : words.shortStream(event.stream)
    let shown = event.stream == 0 ? "" : NameCut.name(name, beside: place) + " "
    let room = width - columns - DisplayWidth.of(head + shown)
    let long = words.predicate(event)
    let predicate = DisplayWidth.of(long) > room ? words.briefPredicate(event) : long
    let most = DisplayWidth.of(shown) - 1 + room - DisplayWidth.of(predicate)
    guard room < DisplayWidth.of(predicate), !shown.isEmpty else { return head + shown + predicate }
    let brief = String(shown.dropLast())
    return head + words.style.short(brief, to: max(most, Self.leastName)) + " " + predicate
  }

  /// Returns the events that led to the last delivery on the thread.
  private func way(to names: [EventName], _ isCrashed: Bool) -> [String] {
    let most = isCrashed ? Self.mostSteps * 3 : Self.mostSteps
    guard let last = names.last(where: { lookup[$0].map { !$0.causes.isEmpty } ?? false }),
      let graph = CausalGraph(of: last, in: lookup, most: 500)
    else { return [] }
    let steps = CauseText(words.indented(by: 4)).steps(CausalPath(graph))
    guard steps.count > 1 else { return [] }
    return ["    how it came there:"] + steps.dropFirst().prefix(most).map { "    " + $0 }
      + more(
        steps.count - 1 - most, "steps", ": " + command.line("why", "#\(last)"))
  }

  // MARK: - Work

  private var runningSection: [String] {
    let running = history.hops.running.filter { isChosen(work: $0.began.name) }
    let count = choice == nil ? history.hops.runningCount : running.count
    guard !running.isEmpty, reader.ending != .clean else { return [] }
    let lines = running.suffix(Self.mostRows).flatMap { work in
      let thread = words.style.middleShort(words.thread(work.began.ring), to: 16)
      return line(work.began, words.scheduler(work.scheduler), end: " on \(thread)")
    }
    return [title("work that had begun and did not return: \(count)")] + lines
  }

  private var queuedSection: [String] {
    let queued = history.hops.queued.filter { isChosen(work: $0.scheduled.name) }
    let count = choice == nil ? history.hops.queuedCount : queued.count
    guard !queued.isEmpty else { return [] }
    let lines = queued.prefix(Self.mostRows).flatMap { work in
      line(work.scheduled, words.scheduler(work.scheduler))
    }
    // Where records are missing, the beginnings may be among them.
    let isKnown = damage?.isEmpty != false && reader.losses.isEmpty
    let what = isKnown ? "and never ran" : "and, as far as the trace is intact, never ran"
    let heading = "work that was queued \(what): \(Counted.grouped(UInt64(count)))"
    return words.style.hanging(heading).map(title) + lines
      + more(count - Self.mostRows, "pieces of work", "")
  }

  /// Returns the line of a piece of work, with what caused it behind or, for lack of room, below.
  private func line(
    _ moment: EventMoment, _ scheduler: String, end: String = ""
  ) -> [String] {
    let head = words.style.fitting(scheduler) {
      "  #\(moment.name)  \(words.moment(moment.ticks))  \($0)\(end)"
    }
    return NamedCause.text(moment.name, in: lookup, words).map {
      words.style.below(head, $0, indent: 6)
    } ?? [head]
  }

  // MARK: - Observations

  private var openSection: [String] {
    let open = OpenObservations(
      history, reader.definitions, selection: choice?.selection ?? Selection()
    ).atEnds(reader.definitions).filter { choice?.contains(ring: $0.newest.ring) ?? true }
    guard !open.isEmpty else { return [] }
    let end = TraceSpan(of: reader).ticks?.upperBound ?? 0
    let table = OpenText(words.indented(by: 2), lookup: lookup, end: end).lines(
      Array(open.prefix(Self.mostRows)))
    let more = more(
      open.count - Self.mostRows, "pairs of streams", ": " + command.line("streams", "--open"))
    return [title("observed and never ended: \(open.reduce(0) { $0 + $1.count })")]
      + table.map { "  " + $0 } + more
  }
}
