public import VarveAnalysis
public import VarveFormat
internal import VarveProbe

/// Writes as NDJSON how a program ended and what it was doing.
///
/// Each object has a `subject`. First comes one `trace`, with the keys of `varve info` and
/// `kinds_known` (false in traces of older versions, in which silent joins and late results cannot
/// be found) and `searched` (false where no more was looked for than reasons to hang). Then come:
/// - a `finding` for each finding, with its keys;
/// - a `thread` for each thread and a `queued` for each piece of work that never ran, with the keys
///   of `varve backtrace`, but only the frames of the program's own code: `machinery_frames` counts
///   the others;
/// - an `open` for each pair of streams with observations that did not end: `name`, `place`,
///   `observer` (the observing stream, or null), `count`, `oldest_ns`, `newest_ns`, `event` (the
///   start of the newest observation) and `code` (which started it);
/// - a `task` for each task that had not ended, with the keys of `varve tasks` and `event` (which ended
///   its last run, or null).
public struct PostmortemJSON {
  private let reader: TraceReader
  private let damage: [TraceDamage]?
  private let history: TraceHistory
  private let choice: EventChoice?
  private let findings: [Finding]
  private let lacksKinds: Bool
  private let isSearched: Bool
  private let words: TraceWords
  private let lookup: EventLookup
  private let symbols: Symbolizer
  private let command: TraceCommand
  private let moments: [ThreadMoment]
  private let queued: [TracedBacktrace]
  /// The parts of the trace left out of the last moments of threads and the queued work.
  public let passedOver: PassedOver

  /// Prepares the objects of the trace that `command` names. `symbols` names the code in which the
  /// threads were; `damage` is that found in a check of all blocks, nil if they were not checked;
  /// `choice` are the events to speak of, nil for all.
  public init(
    _ reader: TraceReader, _ history: TraceHistory, _ findings: Findings, lookup: EventLookup,
    damage: [TraceDamage]? = nil, symbols: Symbolizer, command: TraceCommand,
    choice: EventChoice? = nil
  ) {
    self.reader = reader
    self.damage = damage
    self.history = history
    self.findings = findings.all
    lacksKinds = findings.lacksKinds
    isSearched = !findings.areOfEnding
    self.lookup = lookup
    self.symbols = symbols
    self.command = command
    var traced = TraceBacktraces(reader)
    self.choice = choice
    moments = traced.lastMoments(history).filter { moment in
      choice.map { choice in
        choice.isEverything
          || moment.lastEvent.map { choice.contains($0) } ?? choice.contains(ring: moment.ring)
      } ?? true
    }
    queued = traced.queued(in: history.hops).filter { backtrace in
      choice.map { choice in
        choice.isEverything
          || backtrace.segments.first?.event.map { choice.contains(work: $0, lookup) } ?? false
      } ?? true
    }
    passedOver = traced.passedOver
    symbols.lookUp(moments.flatMap(\.frames))
    symbols.lookUp(queued.lazy.flatMap(\.frames))
    words = TraceWords(reader, pid: reader.pid, style: .plain, symbols: symbols)
  }

  /// Passes each object to `body`, as a line with its line break. Their text together may not fit
  /// into memory.
  public func write(_ body: (String) -> Void) {
    let trace = TraceSummaryJSON.members(reader, damage: damage, of: subject("trace"))
      .adding("kinds_known", lacksKinds ? "false" : "true")
      .adding("searched", isSearched ? "true" : "false")
    body(trace.text + "\n")
    let json = FindingJSON(words, lookup: lookup, command: command)
    for finding in findings { body(json.members(finding, of: subject("finding")).text + "\n") }
    var backtraces = BacktraceJSON(reader, symbols: symbols, showsMachinery: false)
    for moment in moments { body(backtraces.line(moment)) }
    for backtrace in queued { body(backtraces.line(queued: backtrace)) }
    let open = OpenObservations(
      history, reader.definitions, selection: choice?.selection ?? Selection())
    for group in open.groups where choice?.contains(ring: group.newest.ring) ?? true {
      body(object(group) + "\n")
    }
    guard choice?.isEverything != false else { return }
    for task in LeftTasks(reader, symbols: symbols)?.objects(words) ?? [] { body(task) }
  }

  private func subject(_ name: String) -> JSONMembers {
    JSONMembers().adding("subject", JSONText.quoted(name))
  }

  private func object(_ group: OpenObservations.Group) -> String {
    let place = words.places.exact(group.from).map { "\($0.file):\($0.line)" }
    let code = lookup[group.newest.name].flatMap(words.observer)
    return subject("open")
      .adding("name", JSONText.quoted(name(group.from)))
      .adding("place", place.map(JSONText.quoted) ?? "null")
      .adding("observer", group.to == 0 ? "null" : JSONText.quoted(name(group.to)))
      .adding("count", String(group.count))
      .adding("oldest_ns", String(words.nanoseconds(group.oldest.ticks)))
      .adding("newest_ns", String(words.nanoseconds(group.newest.ticks)))
      .adding("event", group.newest.name.json)
      .adding("code", code.map(JSONText.quoted) ?? "null").text
  }

  private func name(_ stream: UInt32) -> String {
    words.definitions.streams[stream]?.name ?? "stream \(stream)"
  }
}
