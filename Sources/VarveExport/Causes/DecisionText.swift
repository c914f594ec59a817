internal import VarveAnalysis
internal import VarveFormat
internal import VarveProbe

/// The words for the step on a path that is most worth reading: its line, and what happened there.
struct DecisionText {
  private let words: TraceWords
  private let lookup: EventLookup

  init(_ words: TraceWords, lookup: EventLookup) {
    self.words = words
    self.lookup = lookup
  }

  func place(of decision: Decision) -> String? {
    let code: UInt32? =
      switch decision.kind {
      case .sent, .changedTwice: lookup.sender(of: decision.event.name)
      case .observed, .sideBySide, .replayedAgain: lookup.observer(of: decision.event.name)
      case .fedBack:
        lookup.observer(of: decision.event.name) ?? lookup.sender(of: decision.event.name)
      case .captured: HopPayload(word: decision.event.payload.word).stack
      default: nil
      }
    if let code, let place = words.place(.stack(code)) { return place }
    if decision.kind == .hop, !hops(decision.stream), let hop = hop(before: decision.event),
      let code = words.scheduling(hop, lookup)
    {
      return code.place
    }
    if case .unshared = decision.kind { return words.place(.stream(decision.stream)) }
    if decision.event.isHop { return words.scheduling(decision.event, lookup)?.place }
    return words.place(.stream(decision.stream))
  }

  func sentence(_ decision: Decision) -> String {
    let event = decision.event
    var isOfWork = event.isHop
    if case .unshared = decision.kind { isOfWork = false }
    let name = isOfWork ? words.scheduler(event.stream) : words.operatorName(decision.stream)
    switch decision.kind {
    case .run(let number, let count):
      if count == 1 { return "\(name) sent a value of its only inner stream" }
      return "\(name) sent a value of the \(StopText.ordinal(number)) of \(count) inner streams"
        + (number < count ? ", after the next one had begun" : "")
    case .firstInLine(let number, let count):
      return
        "\(name) sent a value of the \(StopText.ordinal(number)) of \(count) inner streams: what came "
        + "afterwards waits for its turn"
    case .overtaken(let other):
      return "what waited here was overtaken: #\(other)\(value(other)) has a later cause and was "
        + "delivered before"
    case .sideBySide(let other):
      return "each run that began here goes on beside the ones before: #\(other)\(value(other)) is "
        + "of one that began later and answered first"
    case .oldInput(let input, let newer):
      let count = Counted.text(UInt64(newer), "newer value", "newer values")
      return "\(name) took #\(input)\(value(input)), \(age(input, event)) old, while \(count) of "
        + "that input waited"
    case .joined(let input):
      return "\(name) joined it with #\(input)\(value(input)), \(age(input, event)) old"
    case .joinedEarly(let old, let newer):
      return "\(name) joined it with #\(old)\(value(old)) before the same cause replaced that by"
        + "\(value(newer)) (#\(newer))"
    case .outOfStep(let pair, let dropped):
      let join = lookup[pair].map { words.operatorName($0.stream) } ?? "a join"
      let values = Counted.text(dropped, "value", "values")
      return "\(name) kept back \(values), and since then \(join) pairs what does not belong "
        + "together, as in #\(pair)\(value(pair))"
    case .fedBack(let rounds):
      return "the loop closes here: \(name) led to its own next value, \(rounds) times before"
    case .changedInLoop(let rounds):
      return "\(name) changes the value in each round of a loop, \(rounds) times before, so that "
        + "it never settles"
    case .twice(let other):
      return "\(name) sent two values for one cause: #\(other)\(value(other)) mixed old and new"
    case .restarted(let failure):
      return "\(name) started its input again after the failure #\(failure)\(value(failure)), and "
        + "this is of the new run"
    case .replaced(let failure):
      return "\(name) delivered this instead of the failure #\(failure)\(value(failure))"
    case .gathered(let last, let count):
      let values = Counted.text(UInt64(count), "value", "values")
      return
        "\(name) gathered it with \(values) of earlier inner streams, which were replaced: the "
        + "last was #\(last)\(value(last))"
    case .turned(let input): return "\(name) made it of #\(input)\(value(input))"
    case .levelled(let same, let count):
      return
        "\(name) made the same of \(same) of \(count) different values, as\(value(event.name)) here"
    case .distinctAbove(let other):
      return
        "\(name) let #\(event.name)\(value(event.name)) pass after #\(other)\(value(other)), but "
        + "what is made of the two further down is the same"
    case .passedTwice(let other):
      return "\(name) let it pass, though it had come by the other way: as #\(other)\(value(other))"
    case .waitsForEnd(let next):
      return
        "\(name) has not begun \(words.stream(next)), because the input before it has not ended"
    case .standsInOnce(let first, let count):
      return
        "\(name) sent #\(first)\(value(first)) once, before the values of all \(count) inner streams: "
        + "while one of them is awaited, what the one before it sent is shown"
    case .gatheredOf(let count, let first):
      return "\(name) made it of what it had kept of \(count) values, the first of them for "
        + "#\(first)"
    case .gatheredTwice(let sum):
      return "\(name) added up #\(sum)\(value(sum)), which "
        + "\(lookup[sum].map { words.operatorName($0.stream) } ?? "another") had added up already"
    case .changedTwice(let other):
      return
        "\(words.stream(event.stream)) is changed here, #\(event.name)\(value(event.name)), and "
        + "for the same value elsewhere, too, #\(other)\(value(other))"
    case .thinned(let dropped, let received):
      return "\(name) dropped \(dropped) of \(received) values, which came too quickly, and what "
        + "follows adds up the rest"
    case .merged(let other):
      return "\(name) sent it after the other input's value for the same cause, "
        + "#\(other)\(value(other)), which had come \(age(other, event)) before"
    case .early(let read, let newer):
      let property = lookup[read].map { words.stream($0.stream) } ?? "a property"
      return "\(property) was read here (#\(read)) before the same cause changed it, to"
        + "\(value(newer)) (#\(newer))"
    case .outdated(let read, let newer):
      let property = lookup[read].map { words.stream($0.stream) } ?? "a property"
      return "\(property) was read here (#\(read)), and is not observed: it has changed since, to"
        + "\(value(newer)) (#\(newer)), and no value came for that"
    case .replayed(let failure, let times):
      return "\(name) replayed the failure #\(failure)\(value(failure)) "
        + "\(Counted.text(UInt64(times), "more time", "more times")): its input was not started again"
    case .replayedAgain(let first):
      return "this observation was replayed what had been delivered \(age(first, event)) before, "
        + "as #\(first)\(value(first))"
    case .unshared(let times):
      return "\(name) was made \(times) times by the computed property here, once at each access, "
        + "so that nothing is shared: this work was begun by one of them"
    case .captured(let read, let newer):
      let property = words.stream(event.stream)
      return "\(property) was read here once, as the stream was made (#\(read)); it has changed "
        + "since, to\(value(newer)) (#\(newer))"
    case .hop:
      let scheduler = hop(before: event).map { words.scheduler($0.stream) } ?? "a scheduler"
      return hops(decision.stream)
        ? "\(name) moved it to \(scheduler)"
        : "the work on \(scheduler) that sent it into \(name) was scheduled here"
    case .taskRun: return taskRun(event)
    case .startedElsewhere(let hop):
      let scheduler = lookup[hop].map { words.scheduler($0.stream) } ?? "another scheduler"
      return "\(name) says where the work begins, not where its values come: they came on "
        + "\(scheduler)"
    case .undoneHop(let moved):
      let mover = lookup[moved].map { words.stream($0.stream) } ?? "an operator"
      return "\(name) delivers where its inner streams do, and not where \(mover), above it, had "
        + "moved what it received"
    case .observed: return "\(name) was observed from here"
    case .sent: return event.isHop ? "the work on \(name) began here" : "it was sent into \(name)"
    }
  }

  /// `task 3 "waiter" was resumed here`.
  private func taskRun(_ event: TraceEvent) -> String {
    let task = words.task(event.runTask ?? 0)
    let scheduled = event.causes.lazy.compactMap { lookup[$0] }.first { $0.kind == .hopScheduled }
    let ended = scheduled?.causes.lazy.compactMap { lookup[$0]?.awaited }.first
    guard let ended else { return "\(task) was made here" }
    return ended.awaited == TaskAwait.executor.rawValue
      ? "\(task) moved to \(words.scheduler(event.stream)) here" : "\(task) was resumed here"
  }

  /// Returns whether the stream itself uses the scheduler, and not the code that sends into it.
  private func hops(_ stream: UInt32) -> Bool {
    words.definitions.streams[stream]?.traits?.contains(.hops) ?? true
  }

  private func hop(before event: TraceEvent) -> TraceEvent? {
    event.causes.lazy.compactMap { lookup[$0] }.first { $0.isHop }
  }

  private func value(_ name: EventName) -> String {
    guard let event = lookup[name] else { return "" }
    let value = words.value(event)
    return value.isEmpty ? "" : " \(value)"
  }

  private func age(_ input: EventName, _ event: TraceEvent) -> String {
    guard let input = lookup[input] else { return "" }
    return words.span(from: input.ticks, to: event.ticks)
  }
}
