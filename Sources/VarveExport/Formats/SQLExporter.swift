public import VarveAnalysis
public import VarveFormat
internal import VarveProbe

/// Writes SQL for SQLite: a table of events, and tables of what they refer to.
///
///     varve export shop.varve --format sql | sqlite3 shop.db
///
/// The statements are plain `CREATE TABLE` and `INSERT`, in one transaction. Text is quoted as the
/// SQL standard demands, so nothing in a trace is read as a statement. Control characters are
/// given by number, so that none of them reaches a terminal.
public struct SQLExporter: EventwiseExporter {
  private let output: ByteOutput
  private let words: TraceWords
  private let program: String
  private let pid: UInt32
  private let losses: [TraceLoss]

  /// Prepares to export.
  ///
  /// - Parameters:
  ///   - words: the words of the trace.
  ///   - losses: the events that are missing.
  ///   - pid: the id of the recorded process.
  ///   - program: the path of its executable.
  ///   - output: the destination of the statements.
  public init(
    _ words: TraceWords, losses: [TraceLoss] = [], pid: UInt32, program: String, output: ByteOutput
  ) {
    self.losses = losses
    self.words = words
    self.pid = pid
    self.program = program
    self.output = output
  }

  private static let schema = """
    BEGIN;
    CREATE TABLE process (program TEXT NOT NULL, pid INTEGER NOT NULL, process INTEGER NOT NULL);
    CREATE TABLE threads (ring INTEGER PRIMARY KEY, number TEXT NOT NULL, name TEXT NOT NULL, \
    system_id INTEGER, process INTEGER);
    CREATE TABLE schedulers (scheduler INTEGER PRIMARY KEY, name TEXT NOT NULL);
    CREATE TABLE streams (stream INTEGER PRIMARY KEY, name TEXT NOT NULL, operator TEXT, \
    place TEXT, value_type TEXT);
    CREATE TABLE parents (stream INTEGER NOT NULL, parent INTEGER NOT NULL);
    CREATE TABLE events (event TEXT PRIMARY KEY, time_ns INTEGER NOT NULL, \
    ring INTEGER NOT NULL, ordinal INTEGER NOT NULL, kind TEXT, stream INTEGER, scheduler INTEGER, subscription INTEGER, \
    value, value_type TEXT, reason TEXT, value_bytes INTEGER, \
    truncated INTEGER NOT NULL);
    CREATE TABLE losses (ring INTEGER NOT NULL, thread TEXT NOT NULL, count INTEGER NOT NULL, \
    from_ns INTEGER NOT NULL, to_ns INTEGER NOT NULL, reason TEXT NOT NULL);
    CREATE TABLE causes (event TEXT NOT NULL, cause TEXT NOT NULL);

    """

  private static let ending = """
    CREATE INDEX events_by_stream ON events (stream, time_ns);
    CREATE INDEX causes_by_event ON causes (event);
    CREATE INDEX causes_by_cause ON causes (cause);
    CREATE VIEW deliveries AS SELECT event, time_ns, threads.name AS thread, \
    streams.name AS name, kind, value, place FROM events LEFT JOIN streams USING (stream) \
    LEFT JOIN threads USING (ring) WHERE kind IN ('value', 'failed', 'completed', 'interrupted');
    COMMIT;

    """

  /// Creates the tables and fills those that events refer to.
  public mutating func begin() {
    output.write(Self.schema)
    let definitions = words.definitions
    let processes = RecordedProcesses(program: program, pid: pid, definitions)
    for (place, process) in processes.all.enumerated() {
      insert("process", [Self.text(process.program), String(process.pid), String(place + 1)])
    }
    for ring in definitions.threads.keys.sorted() {
      let id = definitions.threads[ring].map { Self.integer($0.systemID) } ?? "NULL"
      insert(
        "threads",
        [
          String(ring), "'\(EventName.thread(ring))'", Self.text(words.threads[ring]), id,
          processes.place(ofRing: ring).map { String($0 + 1) } ?? "NULL",
        ])
    }
    for scheduler in definitions.schedulers.values.sorted(by: { $0.id < $1.id }) {
      insert("schedulers", [String(scheduler.id), Self.text(scheduler.name)])
    }
    for stream in definitions.streams.values.sorted(by: { $0.id < $1.id }) {
      let place = words.places.exact(stream.id).map { Self.text("\($0.file):\($0.line)") }
      insert(
        "streams",
        [
          String(stream.id), Self.text(stream.name), Self.text(stream.operation),
          place ?? "NULL", Self.text(stream.valueType),
        ])
      for parent in stream.parents { insert("parents", [String(stream.id), String(parent)]) }
    }
    for loss in losses {
      insert(
        "losses",
        [
          String(loss.ring), Self.text(words.threads[loss.ring]), Self.integer(loss.count),
          String(words.nanoseconds(loss.ticks.lowerBound)),
          String(words.nanoseconds(loss.ticks.upperBound)), "'\(loss.reason.name)'",
        ])
    }
  }

  /// Writes a row for the event and one for each of its causes.
  public mutating func write(_ event: TraceEvent) {
    let id = event.stream == 0 ? "NULL" : String(event.stream)
    let (value, type) = Self.value(event.payload)
    let cut = event.payload.cutBytes
    insert(
      "events",
      [
        "'\(event.name)'", String(words.nanoseconds(event.ticks)), String(event.ring),
        String(event.name.sequence),
        event.kind.map { "'\($0.name)'" } ?? "NULL", event.isHop ? "NULL" : id,
        event.isHop ? id : "NULL",
        event.subscription == 0 ? "NULL" : Self.integer(event.subscription), value,
        type.map { "'\($0)'" } ?? "NULL", event.reason.map { "'\($0)'" } ?? "NULL",
        cut.map { Self.integer($0) } ?? "NULL", cut == nil ? "0" : "1",
      ])
    for cause in event.causes { insert("causes", ["'\(event.name)'", "'\(cause)'"]) }
  }

  /// Creates the indices and ends the transaction.
  public mutating func end() { output.write(Self.ending) }

  private func insert(_ table: String, _ cells: [String]) {
    output.write("INSERT INTO \(table) VALUES(\(cells.joined(separator: ",")));\n")
  }

  /// Returns a payload as a literal, and the name of its type in NDJSON.
  private static func value(_ payload: EventPayload) -> (literal: String, type: String?) {
    let type = EventObject.value(payload).type
    guard let kind = payload.kind else { return ("NULL", type) }
    let literal =
      switch kind {
      case .integer: String(Int64(bitPattern: payload.word))
      case .unsigned: integer(payload.word)
      case .stream: String(SubscriptionPayload(word: payload.word).stream)
      case .real: real(Double(bitPattern: payload.word))
      case .boolean: payload.word == 0 ? "0" : "1"
      case .string, .description, .typeOnly: text(payload.text)
      case .bytes:
        "x'" + payload.bytes.map { String(UInt16($0) | 256, radix: 16).dropFirst() }.joined() + "'"
      case .task, .awaited, .made: kind.task(in: payload.word).map(integer) ?? "NULL"
      case .absent, .unit, .null, .withheld, .reason, .cause: "NULL"
      }
    return (literal, type)
  }

  /// Returns an integer literal. SQLite's integers are signed: a larger number becomes text rather
  /// than a different number.
  private static func integer(_ number: UInt64) -> String {
    number > UInt64(Int64.max) ? "'\(number)'" : String(number)
  }

  /// Returns a real literal. SQLite has infinities, produced by overflow, but no NaN.
  private static func real(_ value: Double) -> String {
    if value.isNaN { return "NULL" }
    if value.isInfinite { return value > 0 ? "9e999" : "-9e999" }
    return value.description
  }

  /// Returns text in quotes, joined with control characters by number. SQLite's text ends at a NUL,
  /// so U+FFFD replaces it.
  private static func text(_ text: String) -> String {
    var quoted = "'"
    for scalar in text.unicodeScalars {
      switch scalar {
      case "'": quoted += "''"
      case "\0": quoted += "\u{fffd}"
      case _ where TerminalText.isDangerous(scalar.value): quoted += "'||char(\(scalar.value))||'"
      default: quoted.unicodeScalars.append(scalar)
      }
    }
    return quoted + "'"
  }
}
