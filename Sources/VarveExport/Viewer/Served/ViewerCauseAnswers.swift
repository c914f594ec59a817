internal import VarveAnalysis
internal import VarveFormat
internal import VarveProbe

/// Answers about one event: its value, its backtrace, what caused it, and what it caused.
struct ViewerCauseAnswers {
  private let snapshot: ViewerSnapshot
  private let names: ViewerNames
  private let words: TraceWords
  private let text: ViewerEventText

  /// The number of bytes of a value that the event's own panel has.
  private static let longestValue = 1 << 20
  private static let mostEffects = 50
  /// The number of blocks that are searched for effects.
  private static let mostBlocks = 12

  init(_ snapshot: ViewerSnapshot, _ names: ViewerNames) {
    self.snapshot = snapshot
    self.names = names
    words = snapshot.words(names.symbols)
    text = ViewerEventText(words, first: snapshot.first)
  }

  /// One event with all that is known of it.
  func event(_ question: ViewerQuestion) -> ViewerAnswer {
    let lookup = EventLookup(snapshot.reader)
    guard let name = question["event"].flatMap({ EventName($0) }), let event = lookup[name] else {
      return .missing("event \(question["event"] ?? "without a number")")
    }
    let place = event.isHop ? words.scheduling(event, lookup)?.place : words.place(of: event.stream)
    let effects = effects(of: event).map { "\"\($0)\"" }.joined(separator: ",")
    let scheduler = event.isHop ? JSONText.quoted(words.scheduler(event.stream)) : "null"
    let lane = snapshot.lanes.lane(of: event)
    // The frames' paths tell where the file of the event's place is.
    let backtrace = backtrace(of: name)
    return .json(
      """
      {"lane":\(lane.map { String($0) } ?? "null"),\
      \(text.members(event, bytes: Self.longestValue)),"scheduler":\(scheduler),\
      "place":\(place.map { JSONText.quoted($0) } ?? "null"),\
      "source":\(place.flatMap(names.lines) ?? "null"),"effects":[\(effects)],\
      "backtrace":[\(backtrace)]}
      """)
  }

  /// The chain of causes, from an event to where it began.
  func why(_ question: ViewerQuestion) -> ViewerAnswer {
    let lookup = EventLookup(snapshot.reader)
    guard let name = question["event"].flatMap({ EventName($0) }),
      let graph = CausalGraph(of: name, in: lookup)
    else { return .missing("event \(question["event"] ?? "without a number")") }
    let steps = CausalPath(graph).steps.filter { $0.depth == 0 && !$0.wasShown }.map { step in
      let event = step.event
      let place = event.isHop ? nil : words.place(of: event.stream)
      return """
        {"lane":\(snapshot.lanes.lane(of: event).map { String($0) } ?? "null"),\
        \(text.members(event, bytes: 200)),\
        "place":\(place.map { JSONText.quoted($0) } ?? "null")}
        """
    }
    return .json("{\"steps\":[\n\(steps.joined(separator: ",\n"))\n],\"marked\":null}")
  }

  /// The events that name an event as a cause, among those that came soon after it.
  private func effects(of event: TraceEvent) -> [EventName] {
    let reader = snapshot.reader
    let later = reader.blocks.indices.filter { reader.blocks[$0].ticks.upperBound >= event.ticks }
      .sorted { reader.blocks[$0].ticks.lowerBound < reader.blocks[$1].ticks.lowerBound }
    var columns = EventColumns()
    var found: [EventName] = []
    for block in later.prefix(Self.mostBlocks) {
      guard (try? reader.decode(block, into: &columns, columns: .causes)) != nil else { continue }
      let own = columns.ring == event.ring
      for index in 0..<columns.count where columns.backs[index] != 0 {
        // Nearly all causes are a few events back on the same thread.
        let back = UInt64(columns.backs[index])
        let sequence = columns.firstSequence + UInt64(index)
        let isDirect = own && sequence > back && sequence - back == event.name.sequence
        guard isDirect || back == UInt64(UInt32.max) || !columns.farCauses.isEmpty else { continue }
        guard isDirect || columns.causes(of: index).contains(event.name) else { continue }
        found.append(columns.name(index))
        if found.count == Self.mostEffects { return found }
      }
    }
    return found
  }

  /// The asynchronous backtrace: a part for each piece of work, innermost first.
  private func backtrace(of name: EventName) -> String {
    var traced = TraceBacktraces(snapshot.reader)
    guard let backtrace = traced.backtrace(of: name) else { return "" }
    names.symbols.lookUpOwn(backtrace.frames)
    return backtrace.segments.prefix(20).map { segment in
      let frames = names.symbols.named(segment.frames).prefix(64).map(frame)
      let title =
        segment.scheduler.map { "on \(words.scheduler($0))" }
        ?? segment.ring.map { "thread \(words.thread($0))" } ?? "the program's code"
      let times = segment.repeats > 0 ? " (\(segment.repeats + 1) times)" : ""
      return """
        {"title":\(JSONText.quoted(title + times)),"frames":[\(frames.joined(separator: ","))]}
        """
    }.joined(separator: ",")
  }

  private func frame(_ frame: NamedFrame) -> String {
    let file = frame.file?.split(separator: "/").last
    let place = file.flatMap { frame.line > 0 ? "\($0):\(frame.line)" : nil }
    // Only code of the program's own is worth its lines.
    let lines =
      frame.isMachinery || frame.line == 0
      ? nil : frame.file.flatMap { names.lines("\($0):\(frame.line)") }
    return """
      {"function":\(JSONText.quoted(frame.function ?? String(frame.frame.address, radix: 16))),\
      "place":\(place.map { JSONText.quoted($0) } ?? "null"),"own":\(!frame.isMachinery),\
      "source":\(lines ?? "null")}
      """
  }
}
