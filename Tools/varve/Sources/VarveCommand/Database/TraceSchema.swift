/// The tables and views in which a trace is asked in SQL.
///
/// A database has the table `records` and, above it, the view `events`; `varve query` has `events` as a
/// virtual table over the trace. All other tables and views are the same in both.
enum TraceSchema {
  /// The number of bits of an event's number that are its ordinal on its thread. The others are the
  /// number of the thread in `threads`.
  static let ordinalBits: UInt64 = 40

  /// A table or view, and what it answers.
  struct Entry {
    let name: String
    let answers: String
    let statement: String
  }

  /// The tables of what events refer to.
  static let definitions = [
    Entry(
      name: "process", answers: "the program that was recorded; of a merge, all",
      statement: """
        CREATE TABLE process (program TEXT NOT NULL, pid INTEGER NOT NULL, host TEXT, \
        started_ns INTEGER NOT NULL, ended TEXT NOT NULL, process INTEGER NOT NULL)
        """),
    Entry(
      name: "threads", answers: "the threads: the events of one have numbers from thread << 40 on",
      statement: """
        CREATE TABLE threads (thread INTEGER PRIMARY KEY, number TEXT NOT NULL, \
        name TEXT NOT NULL, system_id, process INTEGER)
        """),
    Entry(
      name: "schedulers", answers: "the schedulers",
      statement: "CREATE TABLE schedulers (scheduler INTEGER PRIMARY KEY, name TEXT NOT NULL)"),
    Entry(
      name: "streams", answers: "the streams, and where they were made",
      statement: """
        CREATE TABLE streams (stream INTEGER PRIMARY KEY, name TEXT NOT NULL, operator TEXT, \
        place TEXT, value_type TEXT)
        """),
    Entry(
      name: "parents", answers: "the streams that each stream was made from",
      statement: "CREATE TABLE parents (stream INTEGER NOT NULL, parent INTEGER NOT NULL)"),
    Entry(
      name: "losses", answers: "the events that are missing",
      statement: """
        CREATE TABLE losses (thread TEXT NOT NULL, count INTEGER NOT NULL, \
        from_ns INTEGER NOT NULL, to_ns INTEGER NOT NULL, reason TEXT NOT NULL)
        """),
    Entry(
      name: "damage", answers: "the parts of the file that could not be read",
      statement: "CREATE TABLE damage (offset INTEGER, reason TEXT NOT NULL)"),
  ]

  /// The columns of `events`, as a virtual table declares them.
  static let eventColumns = """
    id INTEGER, event TEXT, time_ns INTEGER, thread TEXT, name TEXT, kind TEXT, value, \
    value_type TEXT, place TEXT, operator TEXT, stream INTEGER, scheduler TEXT, \
    subscription INTEGER, reason TEXT, cause TEXT, cause_id INTEGER, value_bytes INTEGER, \
    truncated INTEGER
    """

  /// What the virtual table and the view both are.
  static let eventsAnswer = "every event, as in the NDJSON form, with its place"

  /// The tables of a database that `varve query` has no need of.
  static let stored = [
    "CREATE TABLE kinds (kind INTEGER PRIMARY KEY, name TEXT NOT NULL)",
    "CREATE TABLE value_types (type INTEGER PRIMARY KEY, name TEXT)",
    """
    CREATE TABLE records (id INTEGER PRIMARY KEY, time_ns INTEGER NOT NULL, kind INTEGER NOT NULL, \
    stream INTEGER, scheduler INTEGER, subscription INTEGER, value, type INTEGER NOT NULL, \
    reason TEXT, cause INTEGER, value_bytes INTEGER, truncated INTEGER)
    """,
    "CREATE TABLE further_causes (id INTEGER NOT NULL, cause INTEGER NOT NULL)",
    """
    CREATE TABLE counts (stream INTEGER NOT NULL, kind INTEGER NOT NULL, count INTEGER NOT NULL, \
    first_ns INTEGER NOT NULL, last_ns INTEGER NOT NULL, PRIMARY KEY (stream, kind)) WITHOUT ROWID
    """,
    "CREATE TABLE tasks (\(taskColumns))",
  ]

  /// Adds to what was counted of a stream and a kind.
  static let addCount = """
    INSERT INTO counts VALUES (?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET \
    count = count + excluded.count, first_ns = min(first_ns, excluded.first_ns), \
    last_ns = max(last_ns, excluded.last_ns)
    """

  /// The indices of a database, made when the tables are full.
  static let indices = [
    "CREATE INDEX records_by_time ON records (time_ns)",
    "CREATE INDEX records_by_stream ON records (stream, time_ns) WHERE stream IS NOT NULL",
    "CREATE INDEX records_by_cause ON records (cause) WHERE cause IS NOT NULL",
    "CREATE INDEX further_causes_by_event ON further_causes (id)",
    "CREATE INDEX further_causes_by_cause ON further_causes (cause)",
    "CREATE INDEX streams_by_name ON streams (name)",
  ]

  /// The views of a database that stand for the virtual tables.
  static let overRecords = [
    """
    CREATE VIEW events AS SELECT r.id, t.number || '.' || (r.id & 0xffffffffff) AS event, r.time_ns, \
    t.name AS thread, s.name AS name, k.name AS kind, r.value, v.name AS value_type, s.place, \
    s.operator, r.stream, \
    CASE WHEN r.scheduler IS NOT NULL THEN coalesce(c.name, 'scheduler ' || r.scheduler) END \
    AS scheduler, r.subscription, r.reason, \
    (SELECT number FROM threads WHERE threads.thread = r.cause >> 40) || '.' \
    || (r.cause & 0xffffffffff) AS cause, r.cause AS cause_id, r.value_bytes, r.truncated \
    FROM records r LEFT JOIN threads t ON t.thread = r.id >> 40 \
    LEFT JOIN streams s ON s.stream = r.stream LEFT JOIN kinds k ON k.kind = r.kind \
    LEFT JOIN value_types v ON v.type = r.type LEFT JOIN schedulers c ON c.scheduler = r.scheduler
    """,
    """
    CREATE VIEW causes AS SELECT id, cause AS cause_id FROM records WHERE cause IS NOT NULL \
    UNION ALL SELECT id, cause FROM further_causes
    """,
    """
    CREATE VIEW kind_counts AS SELECT r.stream, s.name, k.name AS kind, r.count, r.first_ns, \
    r.last_ns FROM counts r \
    LEFT JOIN kinds k ON k.kind = r.kind LEFT JOIN streams s ON s.stream = r.stream
    """,
    "CREATE VIEW all_events AS SELECT * FROM events",
    "CREATE VIEW all_causes AS SELECT * FROM causes",
  ]

  /// A database has only what was exported. A query has also what its flags leave out: what led to a
  /// chosen event is most often of another stream.
  static let allEventsAnswer = "events, with those that flags leave out of the other tables"
  static let allCausesAnswer = "causes, with those of such events"

  /// The columns of `causes`.
  static let causeColumns = "id INTEGER, cause_id INTEGER"
  static let causesAnswer = "which event led to which, by their numbers"

  /// The columns of `tasks`.
  static let taskColumns = """
    task INTEGER, name TEXT, kind TEXT, priority INTEGER, parent INTEGER, made_by INTEGER, \
    phase TEXT, awaiting TEXT, awaited_task INTEGER, executor TEXT, cancelled INTEGER, \
    failure TEXT, made_at TEXT, born_ns INTEGER, since_ns INTEGER
    """
  static let tasksAnswer = "the tasks: who made each, and what it does at the end"

  /// The columns of `kind_counts`.
  static let countColumns =
    "stream INTEGER, name TEXT, kind TEXT, count INTEGER, first_ns INTEGER, last_ns INTEGER"
  static let countsAnswer = "how many events of each kind each stream had"
}

extension TraceSchema {
  /// The views that answer the common questions.
  static let views = [
    Entry(
      name: "stream_counts", answers: "what each stream delivered, and how fast",
      statement: """
        CREATE VIEW stream_counts AS SELECT s.stream, s.name, s.operator, s.place, s.value_type, \
        coalesce(c.subscriptions, 0) AS subscriptions, \
        max(coalesce(c.subscriptions, 0) - coalesce(c.ends, 0), 0) AS open, \
        coalesce(c.deliveries, 0) AS deliveries, coalesce(c.failed, 0) AS failed, \
        coalesce(c.completed, 0) AS completed, coalesce(c.interrupted, 0) AS interrupted, \
        coalesce(c.absorbed, 0) AS absorbed, c.first_ns, c.last_ns, \
        CASE WHEN c.last_ns > c.first_ns \
        THEN round((c.deliveries - 1) * 1e9 / (c.last_ns - c.first_ns), 3) END AS per_second \
        FROM streams s LEFT JOIN (SELECT stream, \
        sum(CASE kind WHEN 'subscribed' THEN count END) AS subscriptions, \
        sum(CASE kind WHEN 'ended' THEN count END) AS ends, \
        sum(CASE kind WHEN 'value' THEN count END) AS deliveries, \
        sum(CASE kind WHEN 'failed' THEN count END) AS failed, \
        sum(CASE kind WHEN 'completed' THEN count END) AS completed, \
        sum(CASE kind WHEN 'interrupted' THEN count END) AS interrupted, \
        sum(CASE kind WHEN 'absorbed' THEN count END) AS absorbed, \
        min(CASE WHEN kind IN ('value', 'failed', 'completed', 'interrupted') \
        THEN first_ns END) AS first_ns, \
        max(CASE WHEN kind IN ('value', 'failed', 'completed', 'interrupted') \
        THEN last_ns END) AS last_ns FROM kind_counts GROUP BY stream) c ON c.stream = s.stream
        """),
    Entry(
      name: "observations", answers: "who observed a stream from when to when, and how it ended",
      statement: """
        CREATE VIEW observations AS SELECT o.subscription, o.stream, s.name, s.place, \
        o.observer AS observer_stream, b.name AS observer, o.event, o.from_ns, o.to_ns, o.reason \
        FROM (SELECT subscription, stream, max(CASE WHEN kind = 'subscribed' THEN value END) \
        AS observer, max(CASE WHEN kind = 'subscribed' THEN event END) AS event, \
        max(CASE WHEN kind = 'subscribed' THEN time_ns END) AS from_ns, \
        max(CASE WHEN kind = 'ended' THEN time_ns END) AS to_ns, \
        max(CASE WHEN kind = 'ended' THEN reason END) AS reason FROM events \
        WHERE kind IN ('subscribed', 'ended') GROUP BY subscription, stream) o \
        LEFT JOIN streams s ON s.stream = o.stream LEFT JOIN streams b ON b.stream = o.observer
        """),
    Entry(
      name: "open_observations", answers: "what was still observed at the end: leaks",
      statement: "CREATE VIEW open_observations AS SELECT * FROM observations WHERE to_ns IS NULL"),
    Entry(
      name: "work", answers: "work given to schedulers: how long it waited and ran",
      statement: """
        CREATE VIEW work AS SELECT *, coalesce(began_ns, cancelled_ns) - given_ns AS waited_ns, \
        ended_ns - began_ns AS ran_ns FROM (SELECT subscription AS work, scheduler, \
        max(CASE WHEN kind = 'hopScheduled' THEN event END) AS given, \
        max(CASE WHEN kind = 'hopBegan' THEN event END) AS began, \
        max(CASE WHEN kind = 'hopBegan' THEN thread END) AS thread, \
        max(CASE WHEN kind = 'hopScheduled' THEN time_ns END) AS given_ns, \
        max(CASE WHEN kind = 'hopBegan' THEN time_ns END) AS began_ns, \
        max(CASE WHEN kind = 'hopEnded' THEN time_ns END) AS ended_ns, \
        max(CASE WHEN kind = 'hopCancelled' THEN time_ns END) AS cancelled_ns FROM events \
        WHERE kind IN ('hopScheduled', 'hopBegan', 'hopEnded', 'hopCancelled') \
        GROUP BY subscription, scheduler)
        """),
    Entry(
      name: "slowest_work", answers: "the work that waited and ran longest, the slowest first",
      statement: """
        CREATE VIEW slowest_work AS SELECT * FROM work WHERE began_ns IS NOT NULL \
        ORDER BY coalesce(waited_ns, 0) + coalesce(ran_ns, 0) DESC
        """),
    Entry(
      name: "unfinished_work", answers: "work that never began, or began and never ended",
      statement: """
        CREATE VIEW unfinished_work AS SELECT * FROM work \
        WHERE ended_ns IS NULL AND cancelled_ns IS NULL
        """),
    Entry(
      name: "scheduler_counts", answers: "each scheduler: how much work, and how slow",
      statement: """
        CREATE VIEW scheduler_counts AS SELECT scheduler, count(*) AS work, \
        count(cancelled_ns) AS cancelled, count(began_ns) - count(ended_ns) AS unfinished, \
        avg(waited_ns) AS mean_wait_ns, max(waited_ns) AS longest_wait_ns, \
        avg(ran_ns) AS mean_run_ns, max(ran_ns) AS longest_run_ns FROM work GROUP BY scheduler
        """),
    Entry(
      name: "task_runs", answers: "each run of a task: where, when, and what it awaited then",
      statement: """
        CREATE VIEW task_runs AS SELECT \
        max(CASE WHEN kind = 'hopBegan' AND value_type = 'task' THEN value END) AS task, \
        subscription AS work, scheduler AS executor, \
        max(CASE WHEN kind = 'hopBegan' THEN event END) AS began, \
        max(CASE WHEN kind = 'hopBegan' THEN thread END) AS thread, \
        max(CASE WHEN kind = 'hopScheduled' THEN time_ns END) AS given_ns, \
        max(CASE WHEN kind = 'hopBegan' THEN time_ns END) AS began_ns, \
        max(CASE WHEN kind = 'hopEnded' THEN time_ns END) AS ended_ns, \
        max(CASE WHEN kind = 'hopEnded' THEN reason END) AS awaiting, \
        max(CASE WHEN kind = 'hopEnded' THEN value END) AS awaited_task FROM events \
        WHERE kind IN ('hopScheduled', 'hopBegan', 'hopEnded') \
        GROUP BY subscription, scheduler HAVING task IS NOT NULL
        """),
    Entry(
      name: "deliveries", answers: "values and ends of streams, with thread and place",
      statement: """
        CREATE VIEW deliveries AS SELECT event, time_ns, thread, name, kind, value, place \
        FROM events WHERE kind IN ('value', 'failed', 'completed', 'interrupted')
        """),
    Entry(
      name: "failures", answers: "failures of streams, and the event that led to each",
      statement: """
        CREATE VIEW failures AS SELECT event, time_ns, thread, name, value, place, cause \
        FROM events WHERE kind = 'failed'
        """),
    Entry(
      name: "cause_steps", answers: "each event beside an event that led to it",
      statement: """
        CREATE VIEW cause_steps AS SELECT e.id, e.event, e.name, e.kind, e.value, e.place, \
        c.cause_id, b.event AS cause, b.name AS cause_name, b.kind AS cause_kind, \
        b.value AS cause_value, b.place AS cause_place, e.time_ns - b.time_ns AS later_ns \
        FROM events e CROSS JOIN causes c ON c.id = e.id \
        CROSS JOIN all_events b ON b.id = c.cause_id
        """),
    Entry(
      name: "gaps", answers: "the time between two values of a stream",
      statement: """
        CREATE VIEW gaps AS SELECT event, name, place, from_ns, to_ns, to_ns - from_ns AS gap_ns \
        FROM (SELECT event, name, place, \
        lag(time_ns) OVER (PARTITION BY stream ORDER BY time_ns) AS from_ns, time_ns AS to_ns \
        FROM events WHERE kind = 'value') WHERE from_ns IS NOT NULL
        """),
  ]
}
