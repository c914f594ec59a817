public import VarveAnalysis
internal import VarveFormat
internal import VarveMarbles
internal import VarveProbe

/// A table of observations that had not ended at some moment: stream, age, observer.
public struct OpenText {
  private let words: TraceWords
  private let lookup: EventLookup
  private let end: UInt64

  /// Prepares to write such tables. Ages are measured up to the tick `end` of that moment.
  public init(_ words: TraceWords, lookup: EventLookup, end: UInt64) {
    self.words = words
    self.lookup = lookup
    self.end = end
  }

  /// Returns the line to look at, if observations grow in number, and the table, with a line break
  /// after each line.
  ///
  /// - Parameters:
  ///   - groups: the observations.
  ///   - growing: the streams whose values grow: what to look at if the observations do not.
  ///   - kept: the streams that keep all their values, told if nothing else grows.
  ///   - unstopped: the producers whose start handlers go on after their end, told after these.
  ///   - found: what was found in the whole trace to become more and more; it is marked.
  public func text(
    _ groups: [OpenObservations.Group], growing: [GrowingValues.Growth] = [],
    kept: [KeptReplays.Stream] = [], unstopped: [UnstoppedProducers.Producer] = [],
    found: Finding? = nil
  ) -> String {
    let own = conclusion(groups, growing) ?? conclusion(kept, unstopped)
    let found = found.flatMap(conclusion)
    // What is at the same place is told more closely here.
    let first = found?.first == own.first ? own : found ?? own
    return (first + lines(groups)).map { $0 + "\n" }.joined()
  }

  /// Returns the line to look at that was found in the whole trace; nil if it is not known.
  private func conclusion(_ found: Finding) -> [String]? {
    let text = FindingText(words, lookup: lookup)
    return text.place(found).map { marked(text.sentence(found), at: $0) }
  }

  private func marked(_ sentence: String, at place: String) -> [String] {
    [words.style.paint(words.mark + place, .failed)]
      + words.style.wrapped(sentence, indent: 2).map { "  " + $0 } + [""]
  }

  /// Returns the line to look at where neither observations nor values grow.
  private func conclusion(
    _ kept: [KeptReplays.Stream], _ unstopped: [UnstoppedProducers.Producer]
  ) -> [String] {
    if let first = kept.first, let place = words.place(.stream(first.stream)) {
      let sentence =
        "\(words.shortStream(first.stream)) keeps all its values for who observes it later: "
        + "\(Counted.text(first.values, "value was", "values were")) repeated when observation #\(first.observation) began"
      return ["no group of observations grows, but what is kept to be repeated does:"]
        + marked(sentence, at: place)
    }
    if let first = unstopped.first {
      let sentence =
        "what the start handler of \(words.shortStream(first.stream)) begins here goes on: it was stopped "
        + "\(Counted.text(first.stopped, "time", "times")), and does not ask when that is (its second "
        + "parameter, the lifetime)"
      return ["no group of observations grows, but what sends into ended ones may:"]
        + marked(sentence, at: words.style.escaped(first.place.description))
    }
    return ["no group of observations grows", ""]
  }

  /// Returns the line to look at: where the observations begin that grow in number, or the streams whose
  /// values do; nil if there are none.
  private func conclusion(
    _ groups: [OpenObservations.Group], _ growing: [GrowingValues.Growth]
  ) -> [String]? {
    guard let grown = OpenObservations.grown(among: groups) else {
      if growing.isEmpty { return nil }
      let values = growing.prefix(Self.mostGrowing).enumerated().flatMap {
        self.growing($0.element, isFirst: $0.offset == 0)
      }
      return ["no group of observations grows, but values do:"] + values + [""]
    }
    let code = lookup[grown.newest.name].flatMap(words.observingFrame)
    let holder = grown.to == 0 ? holder(of: grown, code) : nil
    let place =
      grown.to == 0
      ? (holder ?? code?.place).map { words.style.escaped($0.description) }
      : words.place(.stream(grown.to))
    let began = words.span(from: grown.oldest.ticks, to: grown.newest.ticks)
    let by = grown.to == 0 ? code.map { words.style.escaped($0.function) } : nil
    let sentence =
      "\(words.stream(grown.from)) is observed \(Counted.grouped(UInt64(grown.count))) times by "
      + "\(by ?? observer(grown)), begun over \(began), and nothing has ended it"
      + (holder == nil ? "" : "; the closure here holds self")
    guard let place = place ?? words.place(.stream(grown.from)) else {
      return words.style.wrapped(sentence, indent: 2) + [""]
    }
    return marked(sentence, at: place)
  }

  /// The maximum number of streams with growing values that are told of.
  private static let mostGrowing = 3

  /// Returns the lines on a stream whose values grow: of a property, the code that changed it last.
  private func growing(_ growth: GrowingValues.Growth, isFirst: Bool) -> [String] {
    let sender = growth.last.flatMap { lookup.sender(of: $0.name) }
    let place =
      sender.flatMap { words.place(.stack($0)) } ?? words.place(.stream(growth.stream)) ?? ""
    let name =
      words.isNamed(growth.stream) ? words.stream(growth.stream) : words.operatorName(growth.stream)
    let most = (growth.isCut ? "more than " : "") + Counted.bytes(growth.most)
    let sentence =
      "\(name) keeps more and more: as text, the first of its \(Counted.grouped(growth.values)) values "
      + "had \(Counted.bytes(growth.first)), and the last ones have \(most)"
    let mark = isFirst ? words.mark : "  "
    return [words.style.paint(mark + place, isFirst ? .failed : .dim)]
      + words.style.wrapped(sentence, indent: 2).map { "  " + $0 }
  }

  /// Returns the operator on the way to observations whose closure holds what they keep, if the source
  /// is there and tells.
  private func holder(of group: OpenObservations.Group, _ code: OwnFrame?) -> Place? {
    guard let code, let name = lookup[group.newest.name],
      let path = words.observingPath(name)
    else { return nil }
    var places = [Place(file: path, line: code.place.line)]
    var next: UInt32? = group.from
    while let stream = next, places.count < Self.mostOperators {
      let place = words.places.exact(stream)
      if let place, path.hasSuffix(place.file.split(separator: "/").last ?? "") {
        places.append(Place(file: path, line: place.line))
      }
      next = words.definitions.streams[stream]?.parents.first
    }
    var captures = StrongCaptures()
    return captures.holder(among: places).map {
      Place(file: code.place.file, line: $0.line)
    }
  }

  /// The maximum number of operators whose source is read.
  private static let mostOperators = 32

  /// Returns the tasks that waited for something when a trace ended; empty if there are none.
  ///
  /// - Parameters:
  ///   - tasks: the tasks that had not ended.
  ///   - symbols: names the code of the tasks.
  ///   - words: the words of the trace.
  ///   - command: the command that reads it.
  public static func waitingTasks(
    _ tasks: TraceTasks, symbols: Symbolizer, _ words: TraceWords, _ command: TraceCommand
  ) -> String {
    LeftTasks(tasks, symbols: symbols, waiting: true)?.lines(words, command)
      .map { $0 + "\n" }.joined() ?? ""
  }

  /// The line that says at which moment the observations were open.
  public var lastMoment: String {
    let text =
      "open at \(words.moment(end)), before the program took itself down "
      + "(--until chooses another moment)"
    let lines = words.style.wrapped(text, indent: 0).map { words.style.paint($0, .dim) }
    return "\n" + lines.joined(separator: "\n") + "\n"
  }

  /// The columns before the last one, which has the event and the thread.
  private static let columns = [
    ("STREAM", false), ("PLACE", false), (observedBy, false), ("OPEN", true), ("AGE", true),
  ]
  private static let observedBy = "OBSERVED BY"

  func lines(_ groups: [OpenObservations.Group]) -> [String] {
    var rows = groups.map(cells)
    // The event and the thread are never cut: in a narrow terminal, they stand below.
    let least = zip(groups, rows).map { group, row in
      min(DisplayWidth.of(eventAndThread(group.newest)), DisplayWidth.of(row[5].text))
    }
    let places = rows.map { DisplayWidth.of($0[1].text) }.max() ?? 0
    let counts = rows.map { DisplayWidth.of($0[3].text) }.max() ?? 0
    // What stays of the other columns at last: the stream, its place, and how many are open.
    let others = [Self.leastName, max(places, "PLACE".count), max(counts, "OPEN".count)]
    let room = words.style.width.map { $0 - others.reduce(0) { $0 + $1 + Self.gap } }
    let isNarrow = room.map { (least.max() ?? 0) > $0 } ?? false
    // Nor is the place of the observer.
    let subscribed = isNarrow ? -Self.gap : max(least.max() ?? 0, Self.leastName)
    let observers = groups.map(observerAndPlace)
    let observing = room.map { $0 - subscribed - Self.gap }
    let isApart = observing.map { room in
      observers.contains { name, place in
        DisplayWidth.of(place) + min(DisplayWidth.of(name), Self.leastName) > room
      }
    }
    if let observing, isApart == false {
      let streams = rows.map { DisplayWidth.of($0[0].text) }.max() ?? 0
      let needed = observers.map { name, place in
        DisplayWidth.of(place) + min(DisplayWidth.of(name), Self.leastName)
      }
      // The streams' names are as long as elsewhere, and the ages stay, if that leaves enough for the
      // observers.
      let ages = rows.map { DisplayWidth.of($0[4].text) }.max() ?? 0
      let spared = max(min(streams, Self.readableName) - Self.leastName, 0) + ages + Self.gap
      let most = max(observing - spared, needed.max() ?? 0)
      for (row, (name, place)) in observers.enumerated() {
        rows[row][2].text = words.style.short(name, to: most - DisplayWidth.of(place)) + place
      }
    }
    let titles = Self.columns.filter { isApart != true || $0.0 != Self.observedBy }
    var table = TextTable(
      titles + (isNarrow ? [] : [("SUBSCRIBED", false)]), style: words.style,
      keeping: ["PLACE", Self.observedBy],
      least: ["SUBSCRIBED": max(least.max() ?? 0, Self.leastName)], dropping: ["AGE"])
    for row in rows {
      var cells = isNarrow ? Array(row.dropLast()) : row
      if isApart == true { cells.remove(at: 2) }
      table.add(cells)
    }
    guard isNarrow || isApart == true, let title = table.lines.first else { return table.lines }
    return [title]
      + zip(table.lines.dropFirst(), rows.indices).flatMap { line, row in
        let by = isApart == true && groups[row].to != 0 ? ["observed by \(rows[row][2].text)"] : []
        return [line] + (by + (isNarrow ? [rows[row][5].text] : [])).flatMap(below)
      }
  }

  /// Returns the lines of a text that stands below a line for lack of room on it.
  private func below(_ text: String) -> [String] {
    let gap = String(repeating: " ", count: Self.indentation)
    return words.style.wrapped(text, indent: Self.indentation).map { gap + $0 }
  }

  /// The width down to which names shorten in a table, at last and at first.
  private static let leastName = 12
  private static let readableName = 24
  /// The distance between columns.
  private static let gap = 2
  /// The indentation of what stands below a line for lack of room.
  private static let indentation = 4

  private func cells(_ group: OpenObservations.Group) -> [TextTable.Cell] {
    let name = words.definitions.streams[group.from]?.name ?? ""
    return [
      TextTable.Cell(words.stream(group.from), words.isNamed(group.from) ? .stream(name) : .dim),
      TextTable.Cell(words.place(of: group.from) ?? "", .dim),
      TextTable.Cell(observer(group)),
      TextTable.Cell(Counted.grouped(UInt64(group.count)), group.count > 7 ? .failed : nil),
      TextTable.Cell(age(group)),
      TextTable.Cell(subscriber(group)),
    ]
  }

  private func observer(_ group: OpenObservations.Group) -> String {
    let (name, place) = observerAndPlace(group)
    return name + place
  }

  private func observerAndPlace(_ group: OpenObservations.Group) -> (name: String, place: String) {
    guard group.to != 0 else { return ("an observer", "") }
    let place = words.places.exact(group.to).map { " (\(words.style.escaped($0.description)))" }
    return (words.shortStream(group.to), place ?? "")
  }

  private func age(_ group: OpenObservations.Group) -> String {
    let oldest = words.span(from: group.oldest.ticks, to: end)
    guard group.count > 1 else { return oldest }
    let dash = words.style.ascii ? "-" : "–"
    return "\(words.span(from: group.newest.ticks, to: end)) \(dash) \(oldest)"
  }

  /// Returns the code that started the newest observation, and the event that caused it.
  private func subscriber(_ group: OpenObservations.Group) -> String {
    let code = lookup[group.newest.name].flatMap(words.observer).map { ", \($0)" } ?? ""
    return because(group.newest) + code
  }

  private func eventAndThread(_ moment: EventMoment) -> String {
    "#\(moment.name) on \(words.style.middleShort(words.thread(moment.ring), to: 16))"
  }

  private func because(_ moment: EventMoment) -> String {
    guard let cause = NamedCause.of(moment.name, in: lookup, words) else {
      return eventAndThread(moment)
    }
    let place = words.place(of: cause.stream).map { " (\($0))" } ?? ""
    return
      "#\(moment.name) \(words.arrow) #\(cause.name) \(words.phrase(cause, short: true))\(place)"
  }
}
