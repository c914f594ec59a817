public import VarveAnalysis
internal import VarveFormat
internal import VarveProbe

/// Writes the causal path to an event, one JSON object per step.
///
/// The keys are a promise: those of `replay`, and `depth` (0 for the main line), `place` (or null),
/// `waited_ns` (for work on a scheduler, else null), `age_ns` (of a value that joins, else null),
/// `given_by` (the event that scheduled the work, else null), `task` (whose run begins or ends, or
/// null), `task_name` (or null), `awaited` (what it waited for before, in words, or null), and
/// `runs_left_out` (how many runs of the same task are left out after this one).
///
/// The last line is about the place most worth reading, with the keys `marked` (the place, or null),
/// `evidence` (a sentence), `event`, and `weight` (from 0 to 100).
public struct CauseJSON {
  private let words: TraceWords
  private let lookup: EventLookup?

  /// Prepares to write the paths of a trace. If `lookup` is given, it finds the code that sent and
  /// scheduled.
  public init(_ words: TraceWords, lookup: EventLookup? = nil) {
    self.words = words
    self.lookup = lookup
  }

  /// Returns the steps, one per line, from the event back to where it began, and the place most
  /// worth reading.
  public func text(_ path: CausalPath, _ telling: TellingStep? = nil) -> String {
    let steps = path.steps.filter { !$0.wasShown }.map { object($0) }
    return (steps + [telling.flatMap(marked)?.text].compactMap { $0 }).map { $0 + "\n" }.joined()
  }

  /// Returns what the last line says; nil if there is nothing to choose from.
  func marked(_ telling: TellingStep) -> JSONMembers? {
    guard let told = lookup.flatMap({ TellingText.of(telling, words, $0) }) else { return nil }
    return JSONMembers()
      .adding("marked", told.place.map { JSONText.quoted($0) } ?? "null")
      .adding("evidence", JSONText.quoted(told.sentence))
      .adding("event", told.event.map(\.json) ?? "null")
      .adding("weight", String(told.weight))
  }

  private func object(_ step: CausalPath.Step) -> String {
    let event = step.event
    let place = event.isHop ? nil : words.places.exact(event.stream)
    let waited = step.scheduled.map {
      words.nanoseconds(event.ticks) - words.nanoseconds($0.ticks)
    }
    return EventObject(words).members(of: event)
      .adding("depth", String(step.depth))
      .adding("place", place.map { JSONText.quoted("\($0.file):\($0.line)") } ?? "null")
      .adding("waited_ns", waited.map { String($0) } ?? "null")
      .adding(
        "age_ns",
        step.joined.map { String(words.nanoseconds($0.ticks) - words.nanoseconds(event.ticks)) }
          ?? "null"
      )
      .adding("given_by", step.scheduled.map(\.name.json) ?? "null")
      .adding("task", step.task.map { String($0) } ?? "null")
      .adding(
        "task_name",
        step.task.flatMap { words.taskNames[$0] }.map { JSONText.quoted($0) } ?? "null"
      )
      .adding(
        "awaited", step.suspension?.awaited.map { JSONText.quoted($0.phrase) } ?? "null"
      )
      .adding("runs_left_out", String(step.earlier?.count ?? 0))
      .text
  }
}

/// A JSON object that is built member by member.
struct JSONMembers {
  private var members: [String] = []

  /// Returns the object with one more member, whose value is already JSON.
  func adding(_ key: String, _ json: String) -> JSONMembers {
    var more = self
    more.members.append("\"\(key)\":\(json)")
    return more
  }

  /// The object as text.
  var text: String { "{\(members.joined(separator: ","))}" }
}

/// A single event with the keys of `replay --format ndjson`.
struct EventObject {
  private let words: TraceWords

  init(_ words: TraceWords) { self.words = words }

  func members(of event: TraceEvent) -> JSONMembers {
    let stream = event.isHop ? nil : words.definitions.streams[event.stream]
    let id = event.isHop || event.stream == 0 ? "null" : String(event.stream)
    let scheduler = words.definitions.schedulers[event.stream]?.name ?? "scheduler \(event.stream)"
    let (value, type) = Self.value(event.payload)
    var members = JSONMembers()
      .adding("event", event.name.json)
      .adding("time_ns", String(words.nanoseconds(event.ticks)))
      .adding("thread", JSONText.quoted(words.thread(event.ring)))
      .adding("name", stream.map { JSONText.quoted($0.name) } ?? "null")
      .adding("stream", id)
      .adding("operator", stream.map { JSONText.quoted($0.operation) } ?? "null")
      .adding("subscription", event.subscription == 0 ? "null" : String(event.subscription))
      .adding("kind", JSONText.quoted(event.kind?.name ?? "unknown"))
      .adding("value", value)
      .adding("value_type", type.map { "\"\($0)\"" } ?? "null")
    if let bytes = event.payload.cutBytes {
      members = members.adding("value_bytes", String(bytes)).adding("truncated", "true")
    }
    members = members.adding("cause", event.causes.first.map(\.json) ?? "null")
    if event.causes.count > 1 {
      let all = event.causes.map(\.json).joined(separator: ",")
      members = members.adding("causes", "[\(all)]")
    }
    return
      members
      .adding("scheduler", event.isHop ? JSONText.quoted(scheduler) : "null")
      .adding("reason", event.reason.map { "\"\($0)\"" } ?? "null")
  }

  /// Returns a payload as JSON, and the name of its type in NDJSON.
  static func value(_ payload: EventPayload) -> (json: String, type: String?) {
    guard let kind = payload.kind else { return ("null", "unknown") }
    let json =
      switch kind {
      case .integer: String(Int64(bitPattern: payload.word))
      case .unsigned: String(payload.word)
      case .stream: String(SubscriptionPayload(word: payload.word).stream)
      case .real: RealText.json(Double(bitPattern: payload.word))
      case .boolean: payload.word == 0 ? "false" : "true"
      case .string, .description, .typeOnly: JSONText.quoted(payload.text)
      case .bytes:
        "\"" + payload.bytes.map { String(UInt16($0) | 256, radix: 16).dropFirst() }.joined() + "\""
      case .task, .awaited, .made: kind.task(in: payload.word).map { String($0) } ?? "null"
      case .absent, .unit, .null, .withheld, .reason, .cause: "null"
      }
    let isNoValue = kind == .absent || kind == .reason || kind == .cause
    return (json, isNoValue ? nil : kind.name)
  }
}
