internal import VarveAnalysis
internal import VarveFormat
internal import VarveMarbles
internal import VarveProbe

/// The words for a place at which values stopped: the line of the program, and a sentence.
struct StopText {
  private let words: TraceWords
  private let lookup: EventLookup

  init(_ words: TraceWords, lookup: EventLookup) {
    self.words = words
    self.lookup = lookup
  }

  /// The line to look at: that of the code responsible, or of the operator or source.
  func place(of stop: Stop) -> String? {
    if let author = stop.author {
      if stop.reason == .unobserved, let other = stop.otherAuthor,
        let place = words.parting(of: author, from: other)
      {
        return place
      }
      if let place = words.place(.stack(author)) { return place }
    }
    if let exit = stop.exit { return words.place(.line(exit)) }
    if let partner = droppedPartner(stop) { return partner.place }
    if stop.reason == .neverStarted { return words.place(.receiver(of: stop.stream)) }
    // The parts of an action have its line; the one that took a part says which.
    if case .swallowed = stop.reason, let below = stop.below, isPartOfAction(stop.stream),
      let place = words.place(.stream(below))
    {
      return place
    }
    return words.place(.stream(stop.stream))
  }

  /// Of what ended before it had delivered anything: what was handed to it, if that was made together with
  /// something that nothing keeps.
  private func droppedPartner(_ stop: Stop) -> (name: String, place: String)? {
    guard stop.reason == .ended, stop.stopped == 0, stop.author == nil, stop.trigger == nil,
      words.definitions.streams[stop.stream]?.traits?.contains(.endsEarly) == true
    else { return nil }
    return words.droppedPartner(of: stop.stream)
  }

  /// Returns whether a stream is one of those that an action makes of its events: the values, or the
  /// errors. An action is a source that also makes properties, which say whether it runs.
  private func isPartOfAction(_ stream: UInt32) -> Bool {
    let streams = words.definitions.streams
    guard let parents = streams[stream]?.parents, let action = parents.first, parents.count == 1,
      let source = streams[action], source.parents.isEmpty, source.place != nil,
      source.traits?.contains(.replays) == false
    else { return false }
    return streams.values.contains { other in
      other.parents == parents && other.traits?.isSuperset(of: [.hot, .replays]) == true
    }
  }

  /// What happened there.
  func sentence(_ stop: Stop) -> String {
    let name = words.operatorName(stop.stream)
    switch stop.reason {
    case .swallowed(let reason): return swallowed(stop, name, reason)
    case .confused:
      return "\(name) took \(share(stop)) for repeated\(since(stop))" + difference(stop)
    case .ended:
      let after = " after \(Counted.text(stop.stopped, "value", "values"))"
      if let partner = droppedPartner(stop) {
        return
          "\(partner.name), by which \(name) is to end, is made here with something that nothing keeps: "
          + "it ended\(after)\(moment(stop))\(more(stop))"
      }
      return stop.author == nil
        ? "\(name) ended\(after)\(triggered(stop))\(moment(stop))\(more(stop))"
        : "here \(name)\(own(stop)) was ended\(lasting(stop))"
          + "\(stop.began == nil || after.isEmpty ? "" : ",")\(after)\(moment(stop))\(more(stop))"
    case .sourceEnded:
      return "\(name) completed after \(Counted.text(stop.stopped, "value", "values"))"
        + moment(stop)
    case .disposed:
      if let trigger = stop.trigger {
        return "\(name) let go of its input for a value of \(words.stream(trigger))"
          + "\(lasting(stop))\(moment(stop))\(more(stop))"
      }
      let here = stop.author == nil ? "the" : "here the"
      return "\(here) observation that \(name)\(own(stop)) had of its input was disposed of"
        + "\(lasting(stop))\(moment(stop))\(more(stop))"
    case .abandoned:
      let here = stop.author == nil ? "" : "here "
      return "\(here)the last observation of \(words.stream(stop.stream)) was disposed of"
        + "\(lasting(stop))\(moment(stop)); \(Counted.text(stop.stopped, "value", "values")) found "
        + "no observer after that"
    case .failed:
      let observer = stop.author == nil ? "its observer" : "the observer here"
      return "\(words.stream(stop.stream)) failed\(failure(stop)), and \(observer) got no more"
    case .endedByInner:
      return "\(name) failed with one of its inner streams\(failure(stop)), and ended for good"
        + more(stop)
    case .handledFailure: return handled(stop, name)
    case .restarted: return restarted(stop, name)
    case .gaveUp:
      let runs = Counted.text(stop.received, "stream", "streams")
      return "\(name) gave up \(Counted.grouped(stop.stopped)) of \(runs) for newer ones before "
        + "they sent a value\(moment(stop, "the last"))"
    case .cutOff:
      let runs = Counted.text(stop.received, "stream", "streams")
      return "\(name) gave up \(Counted.grouped(stop.stopped)) of \(runs) for newer ones when they "
        + "had sent only a part of their values\(moment(stop, "the last"))"
    case .timedOut:
      let error = stop.examples.first.flatMap { value($0) }.map { " with \($0)" } ?? ""
      // Who waits for the next value of a stream that goes on may take the limit for one between values.
      let reason =
        stop.received == 0
        ? "because its input took longer"
        : "because its input had not ended by then, though "
          + "\(Counted.text(stop.received, "value", "values")) had come"
      return "\(name) failed\(error)\(moment(stop)), \(reason)"
    case .unobserved:
      let values = Counted.text(stop.stopped, "value", "values")
      let last = stop.moment.flatMap { event($0.name) }.map { ": \($0)" } ?? ""
      let began =
        stop.began.map { ", which began with #\($0.name) at \(words.moment($0.ticks))" } ?? ""
      return "\(name) sent \(values) before the first observation\(began)\(last)"
    case .replayedFewer:
      let kept = stop.received - stop.stopped
      return "\(name) still had \(Counted.grouped(kept)) of the "
        + "\(Counted.text(stop.received, "value", "values")) that came before the observation"
        + moment(stop)
    case .waited(let input):
      let span = span(stop.began, stop.moment).map { " for \($0)" } ?? ""
      return "\(name) waited\(span) for the first value of its \(Self.ordinal(input + 1)) input"
    case .queued(let scheduler):
      let work = stop.stopped == 1 ? "work" : "\(Counted.grouped(stop.stopped)) pieces of work"
      return "\(work) of \(name) still queued on \(words.scheduler(scheduler))"
        + moment(stop, "since")
    case .neverStarted:
      return stop.streams == 1
        ? "\(name) was made and never started"
        : "\(name) was made \(Counted.grouped(UInt64(stop.streams))) times and never started"
    case .stuck:
      return "the newest run waits for \(name), which has sent nothing and has not ended"
        + exit(stop)
    case .sourceSilent: return "nothing was sent into \(name)" + exit(stop)
    case .unchanged:
      let alone = "its signal, taken here, tells changes alone"
      guard let waiting = stop.waiting else {
        return "\(words.stream(stop.stream)) has a value, which did not change: \(alone)"
      }
      let lasting = span(stop.began, stop.moment).map { " for \($0)" } ?? ""
      return
        "\(words.stream(stop.stream)) has a value, which did not change\(lasting): \(alone), and "
        + "\(words.operatorName(waiting)) waited for the first one"
    case .silent(let reason):
      return "\(name) \(SilenceWords(words).told(reason, received: stop.received))" + exit(stop)
    }
  }

  // MARK: - Kinds of sentences

  private func exit(_ stop: Stop) -> String {
    stop.exit == nil
      ? "" : ": this way out of the code that it runs tells its observer nothing"
  }

  private func swallowed(_ stop: Stop, _ name: String, _ reason: AbsorptionReason) -> String {
    let count = share(stop)
    let rest = since(stop) + examples(stop)
    switch reason {
    case .filtered: return "\(name) refused \(count)\(rest)"
    case .repeated: return "\(name) swallowed \(count) as repeated\(rest)"
    case .superseded where stop.author != nil:
      return
        "\(count) of \(words.stream(stop.stream)) gave way to newer ones in the buffer that is "
        + "read here"
    case .superseded: return "\(name) replaced \(count) by newer ones before they were due"
    case .notSampled: return "\(name) did not sample \(count)\(rest)"
    case .pastLimit: return "\(name) left out \(count) outside its limit\(rest)"
    case .ended:
      let lost = stop.examples.prefix(1).compactMap { value($0) }.first
      let what =
        stop.stopped == 1 ? lost ?? "a value" : Counted.text(stop.stopped, "value", "values")
      return "\(name) dropped \(what) when it ended\(moment(stop))"
    case .nobodyAttached: return "\(name) had no observer for \(count)\(rest)"
    case .gathered: return "\(name) kept \(count) for later values"
    case .control: return "\(name) used \(count) as triggers or conditions"
    }
  }

  private func handled(_ stop: Stop, _ name: String) -> String {
    let failures =
      stop.stopped == 1 ? "the failure" : Counted.text(stop.stopped, "failure", "failures")
    let what = stop.examples.first.flatMap { value($0) }.map { " \($0)" } ?? ""
    return "\(name) handled \(failures)\(what) of its input\(moment(stop))\(more(stop))"
  }

  private func restarted(_ stop: Stop, _ name: String) -> String {
    let times = Counted.text(stop.stopped, "time", "times")
    let failed = stop.examples.first.flatMap { value($0) }
    let why =
      stop.received == 0
      ? ""
      : "; it failed \(Counted.text(stop.received, "time", "times"))"
        + (failed.map { ", the last with \($0)" } ?? "")
    return "\(name) started it again \(times)\(why)"
  }

  // MARK: - Parts of sentences

  /// `3 of 4 values`.
  private func share(_ stop: Stop) -> String {
    guard stop.received > 0, stop.received >= stop.stopped else {
      return Counted.text(stop.stopped, "value", "values")
    }
    if stop.received == stop.stopped {
      return stop.stopped == 1
        ? "the only value" : "all \(Counted.text(stop.stopped, "value", "values"))"
    }
    return "\(Counted.grouped(stop.stopped)) of \(Counted.text(stop.received, "value", "values"))"
  }

  private func since(_ stop: Stop) -> String {
    guard stop.since > 0, stop.since < stop.stopped else { return "" }
    return ", \(Counted.grouped(stop.since)) since the last that arrived"
  }

  private func examples(_ stop: Stop) -> String {
    let values = stop.examples.prefix(2).compactMap { event($0) }
    return values.isEmpty ? "" : ": " + values.joined(separator: ", ")
  }

  private func event(_ name: EventName) -> String? { value(name).map { "#\(name) \($0)" } }

  private func value(_ name: EventName) -> String? {
    guard let event = lookup[name] else { return nil }
    let value = words.value(event)
    return value.isEmpty ? nil : value
  }

  private func difference(_ stop: Stop) -> String {
    guard let name = stop.examples.first, let kept = stop.kept.first, let one = lookup[name],
      let other = lookup[kept]
    else { return "" }
    let (new, old) = Difference.parts(words.longValue(one), words.longValue(other))
    return ", but #\(name) has \(new), and #\(kept) before it had \(old)"
  }

  private func failure(_ stop: Stop) -> String {
    let cause = stop.examples.first.flatMap { value($0) }.map { ": \($0)" } ?? ""
    return cause + moment(stop)
  }

  private func moment(_ stop: Stop, _ preposition: String = "") -> String {
    guard let moment = stop.moment else { return "" }
    let before = preposition.isEmpty ? "" : "\(preposition) "
    return ", \(before)#\(moment.name) at \(words.moment(moment.ticks))"
  }

  /// Why a stream ended that another one's end has ended.
  private func triggered(_ stop: Stop) -> String {
    stop.trigger.map { " because \(words.stream($0)) completed" } ?? ""
  }

  private func more(_ stop: Stop) -> String {
    guard stop.more > 0 else { return "" }
    let count = Counted.text(stop.more, "value", "values")
    return "; \(count)\(stop.hasMore ? " or more" : "") came after that"
  }

  /// The place of the stream itself, beside that of the code responsible.
  private func own(_ stop: Stop) -> String {
    words.place(.stream(stop.stream)).map { " (\($0))" } ?? ""
  }

  private func lasting(_ stop: Stop) -> String {
    span(stop.began, stop.moment).map { ", \($0) after it began" } ?? ""
  }

  private func span(_ first: EventMoment?, _ last: EventMoment?) -> String? {
    guard let first, let last, first.ticks <= last.ticks else { return nil }
    return words.span(from: first.ticks, to: last.ticks)
  }

  static func ordinal(_ number: Int) -> String {
    let suffix =
      (11...13).contains(number % 100)
      ? "th" : [1: "st", 2: "nd", 3: "rd"][number % 10] ?? "th"
    return "\(number)\(suffix)"
  }
}

/// The parts in which two values differ: the fields from the first difference on.
enum Difference {
  private static let longest = 40

  static func parts(_ one: String, _ other: String) -> (String, String) {
    let same = zip(one, other).prefix { $0 == $1 }.count
    return (part(of: one, from: same), part(of: other, from: same))
  }

  /// Returns the field in which a position lies.
  private static func part(of text: String, from position: Int) -> String {
    let all = Array(text)
    let before = all[..<min(position, all.count)]
    let start = before.lastIndex { $0 == "," || $0 == "(" || $0 == "[" }.map { $0 + 1 } ?? 0
    let rest = all[min(position, all.count)...]
    let end = rest.firstIndex { $0 == "," || $0 == ")" || $0 == "]" } ?? all.count
    let field = String(all[start..<max(end, start)]).drop { $0 == " " }
    return field.isEmpty
      ? "nothing there" : DisplayWidth.cut(String(field), to: longest, ellipsis: "…")
  }
}
