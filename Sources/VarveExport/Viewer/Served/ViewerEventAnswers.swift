internal import VarveAnalysis
internal import VarveFormat
internal import VarveProbe

/// Answers that list events, or what is drawn of them.
///
/// Each has a limit, and is given up when it would take so long that a person notices: what is drawn
/// then says that there is more.
struct ViewerEventAnswers {
  let snapshot: ViewerSnapshot
  let patience: AnswerPatience

  static let mostEvents = 20_000

  /// - Parameter small: The number of events up to which a recording is read in full, however long that
  ///   takes.
  init(
    _ snapshot: ViewerSnapshot, patience: AnswerPatience = AnswerPatience(),
    small: UInt64 = UInt64(mostEvents)
  ) {
    self.snapshot = snapshot
    self.patience = snapshot.reader.events <= small ? .endless : patience
  }

  var text: ViewerEventText { ViewerEventText(snapshot.words(), first: snapshot.first) }

  func list(_ name: String, _ objects: [String], more: Bool) -> ViewerAnswer {
    .json("{\"\(name)\":[\n\(objects.joined(separator: ",\n"))\n],\"more\":\(more)}")
  }

  /// Events of a range, in their order, after one of them if `after` names it. What is asked for to be
  /// drawn may be given up before any is found, and comes as a whole or not at all.
  func events(_ question: ViewerQuestion) -> ViewerAnswer {
    guard let (period, wanted) = snapshot.selection(question) else {
      return list("events", [], more: false)
    }
    var selection = period
    let limit = question.count("limit", most: Self.mostEvents) ?? 2_000
    var after: EventName?
    if let text = question["after"] {
      guard let name = EventName(text), let event = EventLookup(snapshot.reader)[name] else {
        return .missing("event \(text)")
      }
      after = name
      if let ticks = selection.ticks, ticks.contains(event.ticks) {
        selection.ticks = event.ticks...ticks.upperBound
      }
    }
    guard var query = try? EventQuery(selection, in: snapshot.reader, columns: .all) else {
      return list("events", [], more: false)
    }
    var (found, more): ([(event: TraceEvent, lane: Int)], Bool) = ([], false)
    var patience = patience
    let isDrawn = question["draws"] != nil
    query.deliversNothing = isDrawn
    query.run { page in
      // Who goes on from the last event that was listed needs one.
      more = patience.isOver() && (isDrawn || !found.isEmpty)
      page.forEach { batch, index in
        guard !more else { return }
        var event = batch.event(at: index)
        if after != nil {
          if event.name == after { after = nil }
          return
        }
        guard let lane = snapshot.lanes.lane(of: event), wanted?.contains(lane) ?? true else {
          return
        }
        if found.count == limit {
          more = true
        } else {
          event.payload = event.payload.cut(to: ViewerEventText.longestValue)
          found.append((event, lane))
        }
      }
      return !more
    }
    // Text takes longer than all the rest, and nobody draws a part.
    if isDrawn, more { found = [] }
    let text = text
    return list("events", found.map { text.object($0.event, lane: $0.lane) }, more: more)
  }

  /// The numbers of a stream over time: of each part of the range, the least and the greatest.
  func values(_ question: ViewerQuestion) -> ViewerAnswer {
    guard let lane = question.count("lane", most: .max), snapshot.lanes.all.indices.contains(lane),
      let (period, _) = snapshot.selection(question), let ticks = period.ticks
    else { return .json("{\"points\":[]}") }
    var selection = period.of([lane], snapshot.lanes)
    selection.kinds = KindSelection([.value])
    let parts = UInt64(max(question.count("limit", most: 8_000) ?? 2_000, 2) / 2)
    let width = max(
      (min(ticks.upperBound, snapshot.reader.lastTick) &- ticks.lowerBound) / parts, 1)
    var extremes: [UInt64: (low: (UInt64, Double), high: (UInt64, Double))] = [:]
    guard
      var query = try? EventQuery(
        selection, in: snapshot.reader, columns: [.kinds, .streams, .payloads])
    else { return .json("{\"points\":[]}") }
    var patience = patience
    query.deliversNothing = true
    query.run { page in
      guard !patience.isOver() else { return false }
      page.forEach { batch, index in
        let columns = batch.columns
        guard
          let number = PayloadNumber.of(
            PayloadKind(rawValue: columns.payloadKinds[index]), columns.words[index])
        else { return }
        let point = (columns.ticks[index], number)
        let part = (point.0 &- ticks.lowerBound) / width
        var known = extremes[part] ?? (point, point)
        if number < known.low.1 { known.low = point }
        if number >= known.high.1 { known.high = point }
        extremes[part] = known
      }
      return true
    }
    let points = extremes.values.flatMap { $0.low.0 == $0.high.0 ? [$0.low] : [$0.low, $0.high] }
      .sorted { $0.0 < $1.0 }
    let numbers = points.map(\.1)
    let pairs = points.map { "[\($0.0 - min($0.0, snapshot.first)),\(RealText.json($0.1))]" }
    return .json(
      """
      {"points":[\(pairs.joined(separator: ","))],"min":\(RealText.json(numbers.min() ?? 0)),\
      "max":\(RealText.json(numbers.max() ?? 0))}
      """)
  }

  /// The subscriptions of a stream, oldest first.
  func subscriptions(_ question: ViewerQuestion) -> ViewerAnswer {
    guard let lane = question.count("lane", most: .max), snapshot.lanes.all.indices.contains(lane)
    else { return .missing("such lane") }
    var selection = Selection().of([lane], snapshot.lanes)
    selection.kinds = KindSelection([.subscribed, .ended])
    guard var query = try? EventQuery(selection, in: snapshot.reader, columns: .all) else {
      return list("subscriptions", [], more: false)
    }
    var begun: [UInt64: Int] = [:]
    var found: [(begin: TraceEvent, end: TraceEvent?)] = []
    var (patience, more) = (patience, false)
    query.run { page in
      more = patience.isOver()
      guard !more else { return false }
      page.forEachEvent { event in
        if event.kind == .subscribed, found.count < 2_000 {
          begun[event.subscription] = found.count
          found.append((event, nil))
        } else if let index = begun[event.subscription], event.kind == .ended {
          found[index].end = event
        }
      }
      return true
    }
    let text = text
    let objects = found.map { begin, end in
      """
      {"subscription":\(begin.subscription),"event":"\(begin.name)","from":\(text.tick(begin)),\
      "to":\(end.map { String(text.tick($0)) } ?? "null"),\
      "reason":\((end?.reason).map { JSONText.quoted($0) } ?? "null")}
      """
    }
    return list("subscriptions", objects, more: more)
  }
}

/// How long an answer may take.
///
/// On a busy machine, and what is debugged is often busy, the time is over before anything has been read.
/// So the first parts of a trace are read all the same: what is small is seen whole.
struct AnswerPatience {
  private let deadline: ContinuousClock.Instant
  private var parts = 0

  /// The number of parts, which are pages of a query or blocks, that are read in any case.
  static let fewestParts = 4

  /// Begins to wait.
  init(_ duration: Duration = .milliseconds(120)) { deadline = .now + duration }

  /// For what is asked at each step of zooming, and draws what it can.
  static var short: AnswerPatience { AnswerPatience(.milliseconds(20)) }

  /// For a recording that is soon read, in however many parts: who is late once would not ask again.
  static var endless: AnswerPatience { AnswerPatience(.seconds(3_600)) }

  /// That of a question: what is drawn says so, or how long a pixel is.
  init(_ question: ViewerQuestion) {
    self = question["pixel"] ?? question["draws"] == nil ? AnswerPatience() : .short
  }

  /// To be asked before each part: whether it should not be read any more.
  mutating func isOver() -> Bool {
    parts += 1
    return parts > Self.fewestParts && ContinuousClock.now > deadline
  }
}

/// Payloads that are numbers.
enum PayloadNumber {
  static func of(_ kind: PayloadKind?, _ word: UInt64) -> Double? {
    switch kind {
    case .integer: Double(Int64(bitPattern: word))
    case .unsigned: Double(word)
    case .real: Double(bitPattern: word).isFinite ? Double(bitPattern: word) : nil
    default: nil
    }
  }
}

extension TraceReader {
  /// The last tick of any event.
  var lastTick: UInt64 { blocks.lazy.map(\.ticks.upperBound).max() ?? 0 }
}
