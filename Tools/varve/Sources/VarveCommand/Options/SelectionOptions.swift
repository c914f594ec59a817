internal import ArgumentParser
internal import VarveAnalysis
internal import VarveFormat

/// The options that select events: the same flags in every verb.
struct SelectionOptions: ParsableArguments {
  @Option(
    name: [.customShort("n"), .customLong("name")],
    help: ArgumentHelp(
      "Streams whose whole name matches: * is any text, ? any character; or /regex/.",
      discussion: "May be given several times.", valueName: "pattern"),
    completion: TraceNames.streams)
  var names: [String] = []

  @Option(
    name: [.customShort("x"), .customLong("exclude")],
    help: ArgumentHelp("Leave out streams whose name matches.", valueName: "pattern"),
    completion: TraceNames.streams)
  var excluded: [String] = []

  @Flag(
    name: [.customShort("i"), .customLong("ignore-case")], help: "Ignore case in names.")
  var ignoreCase = false

  private var ignoresCase: Bool { ignoreCase || Configuration.truth("ignore-case") ?? false }

  @Option(
    help: ArgumentHelp("Only streams upstream of one that matches.", valueName: "pattern"),
    completion: TraceNames.streams)
  var upstreamOf: [String] = []

  @Option(
    help: ArgumentHelp("Only streams downstream of one that matches.", valueName: "pattern"),
    completion: TraceNames.streams)
  var downstreamOf: [String] = []

  @Option(
    help: ArgumentHelp(
      "Only this subscription, run or hop, by its number (--fields +subscription).",
      valueName: "id"))
  var subscription: [UInt64] = []

  @Option(
    help: ArgumentHelp("Only threads with this name, number or id.", valueName: "pattern"),
    completion: TraceNames.threads)
  var thread: [String] = []

  @Option(
    help: ArgumentHelp("Only events during work of this scheduler.", valueName: "pattern"),
    completion: TraceNames.schedulers)
  var scheduler: [String] = []

  @Option(
    name: .customLong("where"),
    help: ArgumentHelp(
      "Only events that satisfy a condition: 'value > 3 && name ~ \"search*\"'.",
      discussion: """
        The fields are value, name, stream, operator, kind, thread, scheduler, subscription, time, step, place, reason \
        and event; the operators ==, !=, <, <=, >, >=, ~ for a pattern or a /regex/, in (a, b), and value is truncated; \
        &&, ||, !, or and, or, not. A time is 20ms after the start, or 50%, #4.1749 and the like, as for --since.
        """, valueName: "condition"))
  var condition: String?

  @Option(
    help: ArgumentHelp("Only events around this one.", valueName: "event"))
  var around: String?

  @Option(
    help: ArgumentHelp(
      "How far around it: a time on each side (50ms) or a number of events (20).", valueName: "span"
    ))
  var context: String?

  @Option(
    name: [.customShort("k"), .customLong("kind")],
    help: ArgumentHelp(
      "Kinds of events: value, failed, completed, interrupted, subscribed, disposed, hop, log, mark and others.",
      valueName: "kinds"),
    completion: WordLists.kinds)
  var kinds: [String] = []

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "From here on: +1.5s after the start, -30s before the end, 10%, 2026-11-21T08:15:00Z, an event (4.1749).",
      valueName: "time"))
  var since: String?

  @Option(parsing: .unconditional, help: ArgumentHelp("Not after.", valueName: "time"))
  var until: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Only the first COUNT events.", valueName: "count"))
  var head: Int?

  @Option(
    parsing: .unconditional, help: ArgumentHelp("Only the last COUNT events.", valueName: "count"))
  var tail: Int?

  /// Returns the selection that the flags describe.
  func selection() throws(SelectionError) -> Selection {
    var selection = Selection()
    for name in names {
      selection.names.append(try NamePattern(name, ignoresCase: ignoresCase))
    }
    for name in excluded {
      selection.excluded.append(try NamePattern(name, ignoresCase: ignoresCase))
    }
    selection.upstreamOf = try patterns(upstreamOf)
    selection.downstreamOf = try patterns(downstreamOf)
    selection.subscriptions = Set(subscription)
    selection.threads = try patterns(thread)
    selection.schedulers = try patterns(scheduler)
    selection.condition = try condition.map { text throws(SelectionError) in try Condition(text) }
    if !kinds.isEmpty {
      selection.kinds = try KindSelection(names: kinds.joined(separator: ","))
    }
    if let since { selection.since = try TimeExpression(since) }
    if let until { selection.until = try TimeExpression(until) }
    for count in [head, tail].compactMap({ $0 }) where count < 0 {
      throw SelectionError("\(count) is not a number of events")
    }
    if context != nil, around == nil {
      throw SelectionError("--context needs --around EVENT")
    }
    if around != nil, since != nil || until != nil {
      throw SelectionError("--around cannot be combined with --since or --until")
    }
    selection.head = head
    selection.tail = tail
    return selection
  }

  /// A flag that chooses by what was recorded, if there is one.
  var flagAboutEvents: String? {
    let lists = [
      ("--upstream-of", upstreamOf), ("--downstream-of", downstreamOf), ("--thread", thread),
      ("--scheduler", scheduler), ("--kind", kinds),
    ]
    let texts = [
      ("--where", condition), ("--around", around), ("--since", since), ("--until", until),
    ]
    return lists.first { !$0.1.isEmpty }?.0 ?? texts.first { $0.1 != nil }?.0
      ?? (subscription.isEmpty ? nil : "--subscription")
  }

  /// Whether the flags choose by more than the kind.
  var choosesByMoreThanKinds: Bool {
    let lists = [names, excluded, upstreamOf, downstreamOf, thread, scheduler]
    let texts = [condition, around, since, until]
    return lists.contains { !$0.isEmpty } || texts.contains { $0 != nil }
      || !subscription.isEmpty
  }

  /// Returns the selection that the flags describe, with names resolved in a trace.
  func selection(in reader: TraceReader) throws -> Selection {
    var selection = try selection()
    if let around {
      try AroundEvent(around, context: context).narrow(&selection, in: reader)
    }
    return try selection.resolved(in: reader)
  }

  /// Returns the things that a list shows: the first, the last, or both, as the flags say.
  func listed<Thing>(_ things: [Thing]) -> [Thing] {
    let (first, last) = (head ?? 0, tail ?? 0)
    guard head != nil || tail != nil, first + last < things.count else { return things }
    return Array(things.prefix(first) + things.suffix(last))
  }

  private func patterns(_ texts: [String]) throws(SelectionError) -> [NamePattern] {
    try texts.map { text throws(SelectionError) in
      try NamePattern(text, ignoresCase: ignoresCase)
    }
  }

  /// Reports the patterns that match no stream, with suggestions. Returns whether there are any.
  func warnOfStrangers(_ selection: Selection, _ definitions: TraceDefinitions) -> Bool {
    let streams = Set(definitions.streams.values.map(\.name))
    let patterns = selection.names + ((try? patterns(upstreamOf + downstreamOf)) ?? [])
    let strangers = patterns.filter { pattern in !streams.contains { pattern.matches($0) } }
    for pattern in strangers { Messages.error(Strangers.text(pattern, among: definitions)) }
    return !strangers.isEmpty
  }
}
