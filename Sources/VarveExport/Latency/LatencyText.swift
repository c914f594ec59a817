public import VarveAnalysis
internal import VarveFormat
internal import VarveMarbles

/// Shows how long work waited at each scheduler and how long it ran.
public struct LatencyText {
  private let words: TraceWords
  let lookup: EventLookup
  let pauses: [StreamPauses.Pause]
  private let awaits: [AwaitTimes.Place]
  private let samples: WorkSamples?
  let slow: [Finding]
  private let finding: Finding?

  /// The number of slow pieces of work that are listed.
  private static let mostSlow = 5

  /// Prepares to write about the schedulers of a trace.
  ///
  /// - Parameters:
  ///   - words: the words for what is in the trace.
  ///   - lookup: finds events.
  ///   - pauses: how long operators let values wait, the longest first.
  ///   - awaits: where tasks waited, the longest first.
  ///   - samples: where work was that ran for long.
  ///   - slow: guesses about what made tasks late.
  ///   - finding: what was found in the whole trace to let values wait; it is marked.
  public init(
    _ words: TraceWords, lookup: EventLookup, pauses: [StreamPauses.Pause] = [],
    awaits: [AwaitTimes.Place] = [], samples: WorkSamples? = nil,
    slow: [Finding] = [], finding: Finding? = nil
  ) {
    self.words = words
    self.lookup = lookup
    self.pauses = pauses
    self.awaits = awaits
    self.samples = samples
    self.slow = slow
    self.finding = finding
  }

  /// Whether there is something to say without any scheduler.
  public var hasPauses: Bool { pauses.first?.nanoseconds ?? 0 >= Self.shortestPause }

  /// Returns the tables, with a line break after each line.
  public func text(_ schedulers: [SchedulerAccount]) -> String {
    if schedulers.isEmpty { return (conclusion([]) + waits).map { $0 + "\n" }.joined() }
    return (conclusion(schedulers) + overview(schedulers) + slowest(schedulers) + waits).map {
      $0 + "\n"
    }
    .joined()
  }

  /// Work that took at least this long, in nanoseconds, is worth looking at.
  private static let shortest: UInt64 = 5_000_000

  /// Returns the line to look at: what makes work wait.
  private func conclusion(_ schedulers: [SchedulerAccount]) -> [String] {
    guard let (sentence, place) = telling(schedulers) else {
      return ["no work waited long behind other work, and none ran long", ""]
    }
    return marked(sentence, at: place)
  }

  /// Returns what makes work wait, and the place to look at; nil if nothing took long.
  func telling(_ schedulers: [SchedulerAccount]) -> (sentence: String, place: String?)? {
    let findings = FindingText(words, lookup: lookup)
    if let finding, let place = findings.place(finding) {
      return (findings.sentence(finding), place)
    }
    let found = Bottleneck(of: schedulers, lookup: lookup, words.places)
    let busy = found.map { max($0.waited, $0.longest) } ?? 0
    if let pause = pauses.first, pause.nanoseconds >= max(Self.shortestPause, 2 * busy) {
      return (sentence(pause), words.place(.stream(pause.stream)))
    }
    if let guess = slow.first, guess.nanoseconds >= 2 * busy {
      return (findings.sentence(guess), findings.place(guess))
    }
    guard let found, max(found.waited, found.longest) >= Self.shortest else {
      return nil
    }
    let scheduler = words.scheduler(found.scheduler)
    switch found.cause {
    case .queues(let stream):
      let waited =
        "gives \(scheduler) work faster than it is done: up to "
        + "\(Counted.text(UInt64(found.depth), "piece", "pieces")) waited, up to "
        + text(found.waited)
      return (words.shortStream(stream) + " " + waited, words.place(.stream(stream)))
    case .step(let step):
      let waited = found.waited >= Self.shortest ? ", and other work waited for it" : ""
      let sentence = "\(scheduler) ran up to \(text(found.longest))\(waited): "
      return (sentence + stepWords.text(step), stepWords.place(of: step))
    case .moved(let step, let stream, let origin):
      let sentence =
        "\(words.operatorName(stream)) moved work there from \(words.scheduler(origin)): "
      let waited = found.waited >= Self.shortest ? ", and other work waited for it" : ""
      return (
        "\(scheduler) ran up to \(text(found.longest))\(waited); " + sentence
          + stepWords.text(step),
        words.place(.stream(stream))
      )
    }
  }

  private var stepWords: StepWords { StepWords(words, lookup, samples) }

  /// A pause of at least this long, in nanoseconds, is worth looking at.
  private static let shortestPause: UInt64 = 100_000_000

  private func sentence(_ pause: StreamPauses.Pause) -> String {
    let (name, time) = (words.shortStream(pause.stream), text(pause.nanoseconds))
    switch pause.reason {
    case .turn:
      let waited = Counted.text(UInt64(pause.count), "value", "values")
      return
        "\(name) lets values wait for their turn: up to \(waited), and the last of them, until "
        + "#\(pause.event), for \(time)"
    case .restart:
      let times = pause.count == 1 ? "once" : "\(pause.count) times in a row"
      return "\(name) waited \(time) in all before it started its input again, \(times), until "
        + "#\(pause.event)"
    }
  }

  private func marked(_ sentence: String, at place: String?) -> [String] {
    let lines = words.style.wrapped(sentence, indent: 2)
    guard let place else { return lines + [""] }
    return [words.style.paint(words.mark + place, .failed)] + lines.map { "  " + $0 } + [""]
  }

  /// The columns of the overview; those of a narrow one are the ones that decide.
  private typealias Column = (title: String, isWide: Bool, cell: (SchedulerAccount) -> String)

  private var columns: [Column] {
    func quantile(_ path: KeyPath<SchedulerAccount, DurationHistogram>, _ share: Double)
      -> (SchedulerAccount) -> String
    {
      { text($0[keyPath: path].quantile(share)) }
    }
    return [
      ("WORK", false, { Counted.grouped($0.given) }),
      ("DEPTH", false, { String($0.deepest?.depth ?? 0) }),
      ("WAIT p50", false, quantile(\.wait, 0.5)), ("p90", true, quantile(\.wait, 0.9)),
      ("p99", true, quantile(\.wait, 0.99)), ("max", true, { text($0.wait.longest) }),
      ("BEHIND max", false, { text($0.behind.longest) }),
      ("RUN p50", false, quantile(\.run, 0.5)), ("p90", true, quantile(\.run, 0.9)),
      ("p99", true, quantile(\.run, 0.99)), ("max", false, { text($0.run.longest) }),
    ]
  }

  private func overview(_ schedulers: [SchedulerAccount]) -> [String] {
    func table(_ columns: [Column], _ style: OutputStyle) -> [String] {
      var table = TextTable(
        [("SCHEDULER", false)] + columns.map { ($0.title, true) }, style: style,
        dropping: ["WAIT p50", "RUN p50"])
      for account in schedulers {
        table.add(
          [TextTable.Cell(words.scheduler(account.id), .scheduler)]
            + columns.map { TextTable.Cell($0.cell(account)) })
      }
      return table.lines
    }
    let isNarrow = !words.style.fits(table(columns, words.style.unlimited))
    let meaning =
      "WAIT is from being given to beginning, a delay that was asked for included; BEHIND is the "
      + "part of it during which the scheduler was busy with other work."
    return table(columns.filter { !isNarrow || !$0.isWide }, words.style) + [""]
      + words.style.wrapped(meaning, indent: 0).map { words.style.paint($0, .dim) }
  }

  private func slowest(_ schedulers: [SchedulerAccount]) -> [String] {
    let runs = schedulers.flatMap { account in account.slowest.map { (account.id, $0) } }
      .sorted { $0.1.nanoseconds > $1.1.nanoseconds }
    let waits = schedulers.flatMap { account in account.mostDelayed.map { (account.id, $0) } }
      .filter { $0.1.nanoseconds > 0 }
      .sorted { $0.1.nanoseconds > $1.1.nanoseconds }
    return list("longest runs", runs, step) + list("longest behind other work", waits, cause)
  }

  private func list(
    _ title: String, _ all: [(UInt32, SchedulerAccount.Slow)], _ explain: (EventName) -> String
  ) -> [String] {
    guard !all.isEmpty else { return [] }
    let rows = all.prefix(Self.mostSlow).map { scheduler, slow in
      [
        TextTable.Cell("  #\(slow.event.name)", .dim),
        TextTable.Cell(words.moment(slow.event.ticks)),
        TextTable.Cell(text(slow.nanoseconds)),
        TextTable.Cell(words.thread(slow.event.ring), .dim),
        TextTable.Cell(name(of: scheduler, on: slow.event.ring), .scheduler),
        TextTable.Cell(explain(slow.event.name)),
      ]
    }
    func lines(_ columns: Int, _ style: OutputStyle) -> [String] {
      let titles = [
        ("", false), ("", true), ("", true), ("", false), ("", false), ("", false),
      ]
      var table = TextTable(
        Array(titles.prefix(columns)), style: style, endsInNames: columns < titles.count)
      for row in rows { table.add(Array(row.prefix(columns))) }
      return Array(table.lines.dropFirst())
    }
    let heading = ["", words.style.paint(title, .bold)]
    if words.style.fits(lines(6, words.style.unlimited)) { return heading + lines(6, words.style) }
    // Events and places are not cut: what does not fit stands below.
    return heading
      + zip(lines(5, words.style), rows).flatMap { line, row in
        [line] + words.style.wrapped(row[5].text, indent: 6).map { "      " + $0 }
      }
  }

  /// Returns the name of a scheduler beside that of a thread, which names the process where there are
  /// several.
  private func name(of scheduler: UInt32, on ring: UInt32) -> String {
    let name = words.scheduler(scheduler)
    let process = words.processes[EventName.recording(ring)].map { $0 + " " }
    guard words.style.width != nil, let process, name.hasPrefix(process) else { return name }
    return String(name.dropFirst(process.count))
  }

  /// The lines at which tasks waited, whatever their stacks were.
  var waitingPlaces: [(place: String, of: AwaitTimes.Place)] {
    var rows: [(place: String, of: AwaitTimes.Place)] = []
    for wait in awaits {
      guard let place = words.place(.stack(wait.stack)) else { continue }
      guard let known = rows.firstIndex(where: { $0.place == place }) else {
        rows.append((place, wait))
        continue
      }
      rows[known].of.times += wait.times
      rows[known].of.nanoseconds += wait.nanoseconds
    }
    return rows
  }

  /// Where tasks waited longest.
  private var waits: [String] {
    let rows = waitingPlaces
    guard !rows.isEmpty else { return [] }
    var table = TextTable(
      [("", false), ("TIMES", true), ("TOGETHER", true), ("LONGEST", true), ("UNTIL", false)],
      style: words.style)
    for (place, wait) in rows.prefix(Self.mostSlow) {
      table.add([
        TextTable.Cell("  " + place), TextTable.Cell(Counted.grouped(wait.times)),
        TextTable.Cell(text(wait.nanoseconds)), TextTable.Cell(text(wait.longest)),
        TextTable.Cell("#\(wait.event)", .dim),
      ])
    }
    return ["", words.style.paint("where tasks waited", .bold)] + table.lines
  }

  /// Returns the longest step of the work, or else what scheduled it.
  private func step(_ event: EventName) -> String {
    LongestStep(ofWorkBegunBy: event, in: lookup, words.places).map {
      stepWords.text($0)
    } ?? cause(event)
  }

  /// Returns what scheduled the work: the nearest event of a named stream, and its place.
  private func cause(_ event: EventName) -> String {
    NamedCause.text(event, in: lookup, words) ?? ""
  }

  private func text(_ nanoseconds: UInt64) -> String {
    DurationWords.text(nanoseconds, ascii: words.style.ascii)
  }
}

/// Finds the nearest event on the causal path whose stream the program named.
enum NamedCause {
  static func of(_ event: EventName, in lookup: EventLookup, _ words: TraceWords) -> TraceEvent? {
    guard let graph = CausalGraph(of: event, in: lookup, most: 500) else { return nil }
    let steps = CausalPath(graph).steps.filter { $0.depth == 0 && !$0.wasShown }
    let streams = steps.map(\.event).filter { !$0.isHop && $0.name != event }
    return streams.first { words.isNamed($0.stream) } ?? streams.first
  }

  /// Returns that event after an arrow, with the place of its stream.
  static func text(_ event: EventName, in lookup: EventLookup, _ words: TraceWords) -> String? {
    of(event, in: lookup, words).map { cause in
      let place = words.place(of: cause.stream).map { "  \($0)" } ?? ""
      return "\(words.arrow) #\(cause.name) \(words.phrase(cause))\(place)"
    }
  }
}
