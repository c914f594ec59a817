internal import VarveAnalysis
public import VarveFormat

/// Writes a summary of a trace as one JSON object. Its keys are a promise.
///
/// `chosen` is what flags that select events have chosen: null without them, else an object with
/// `events`, `streams`, `threads`, `first_ns` and `last_ns`. A merged trace has `processes`: for each its
/// number in the names of events as `process`, `program`, `pid`, and if known `host` and `started`.
public enum TraceSummaryJSON {
  /// Returns the object, one key per line.
  ///
  /// - Parameters:
  ///   - reader: the trace.
  ///   - damage: the damage found in a check of all blocks; nil if they were not checked.
  ///   - findings: JSON objects; nil if there was no search.
  ///   - chosen: what is chosen of the trace; nil if that is all of it.
  public static func text(
    _ reader: TraceReader, damage: [TraceDamage]? = nil, findings: [String]?,
    chosen: ChosenSummary? = nil
  ) -> String {
    let found = findings.map { "[" + $0.map { "\n    \($0)" }.joined(separator: ",") + "]" }
    let pairs = pairs(reader, damage) + rest(found, chosen)
    let lines = pairs.map { "  \(JSONText.quoted($0)): \($1)" }
    return "{\n" + lines.joined(separator: ",\n") + "\n}\n"
  }

  /// Returns the same object in one line.
  public static func line(
    _ reader: TraceReader, damage: [TraceDamage]? = nil, findings: [String]?,
    chosen: ChosenSummary? = nil
  ) -> String {
    let found = findings.map { "[\($0.joined(separator: ","))]" }
    return rest(found, chosen).reduce(members(reader, damage: damage, of: JSONMembers())) {
      $0.adding($1.0, $1.1)
    }.text + "\n"
  }

  private static func rest(_ findings: String?, _ chosen: ChosenSummary?) -> [(String, String)] {
    [("findings", findings ?? "null"), ("chosen", chosen?.json ?? "null")]
  }

  /// Returns the same keys as members of an object, without the findings.
  static func members(
    _ reader: TraceReader, damage: [TraceDamage]?, of object: JSONMembers
  ) -> JSONMembers {
    pairs(reader, damage).reduce(object) { $0.adding($1.0, $1.1) }
  }

  /// The processes of a merged trace, each with the number that its events' names begin with.
  private static func processes(_ processes: RecordedProcesses) -> String {
    let objects = processes.all.map { process in
      let started = process.started.map { WallTime.text(nanoseconds: Int64(clamping: $0)) }
      let pairs = [
        ("process", process.number.map { String($0) }),
        ("program", JSONText.quoted(process.program)),
        ("pid", String(process.pid)), ("host", process.host.map { JSONText.quoted($0) }),
        ("started", started.map { JSONText.quoted($0) }),
      ]
      return "{" + pairs.map { "\"\($0)\":\($1 ?? "null")" }.joined(separator: ",") + "}"
    }
    return "[" + objects.joined(separator: ",") + "]"
  }

  private static func pairs(
    _ reader: TraceReader, _ damage: [TraceDamage]?
  ) -> [(String, String)] {
    let process = reader.header.process
    let threads = ThreadNames(reader.definitions.threads, pid: process.pid)
    let names = Set(reader.definitions.threads.keys.map { threads[$0] })
    let ended = reader.ending.word
    var signal: Int32?
    if case .crashed(let number, _, _) = reader.ending { signal = number }
    let dropped = reader.losses.reduce(UInt64(0)) { $1.reason == .noRoom ? $0 &+ $1.count : $0 }
    let damaged = damage?.count ?? (reader.damage.isEmpty ? nil : reader.damage.count)
    let started = WallTime.text(nanoseconds: Int64(clamping: process.started))
    let processes = RecordedProcesses(reader.header, reader.definitions)
    let several = processes.areSeveral ? [("processes", Self.processes(processes))] : []
    return [
      ("format_version", JSONText.quoted(reader.header.version.description)),
      ("program", JSONText.quoted(process.program)),
      // What several processes were merged into has no number.
      ("pid", process.pid == 0 ? "null" : String(process.pid)),
      ("host", JSONText.quoted(process.host)),
      ("started", JSONText.quoted(started)),
      ("duration_ns", String(TraceSpan(of: reader).duration)),
      ("events", String(reader.events)),
      ("streams", String(reader.definitions.streams.count)),
      ("threads", String(names.count)),
      ("bytes", String(reader.bytes)),
      ("ended", JSONText.quoted(ended)),
      ("signal", signal.map { String($0) } ?? "null"),
      ("dropped", String(dropped)),
      // Unknown where nothing was checked, unless opening the trace has found some.
      ("damaged_blocks", damaged.map { String($0) } ?? "null"),
      ("blocks_checked", String(damage != nil)),
      ("sidecar_events", String(reader.sidecarEvents)),
      ("lacks_sidecar", String(reader.lacksSidecar)),
    ] + several
  }
}
