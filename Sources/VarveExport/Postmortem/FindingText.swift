public import VarveAnalysis
public import VarveFormat
internal import VarveMarbles
internal import VarveProbe

/// Writes one sentence per finding in a trace, with the events that prove it.
public struct FindingText {
  private let words: TraceWords
  private let lookup: EventLookup
  private let command: TraceCommand
  private let lastPlace: LastPlace?
  /// Whether the answer is the postmortem itself, which then is no command to go on with.
  private let isPostmortem: Bool

  /// Prepares to write about findings in the trace that `command` names. `lastPlace` is where its
  /// program died; `isPostmortem` says whether the postmortem tells of them.
  public init(
    _ words: TraceWords, lookup: EventLookup, command: TraceCommand, lastPlace: LastPlace? = nil,
    isPostmortem: Bool = false
  ) {
    self.isPostmortem = isPostmortem
    self.words = words
    self.lastPlace = lastPlace
    self.lookup = lookup
    self.command = command
  }

  /// Prepares to write the sentences and places alone, without commands.
  init(_ words: TraceWords, lookup: EventLookup) {
    self.init(words, lookup: lookup, command: TraceCommand([]))
  }

  /// Returns the sentences, each followed by a line with its place and the command that shows more.
  /// The place of the first one is marked: it is the line to look at. There is a line break after
  /// each line.
  public func text(_ findings: [Finding]) -> String {
    findings.enumerated().flatMap { lines($1, isMarked: $0 == 0) }.map { "  " + $0 + "\n" }.joined()
  }

  /// Returns a section with a title; empty without findings.
  public func section(_ title: String, _ findings: [Finding]) -> String {
    findings.isEmpty ? "" : "\n" + words.style.paint(title, .bold) + "\n" + text(findings)
  }

  /// Returns the section of a page about the findings to show, of so many that there are.
  ///
  /// - Parameters:
  ///   - findings: the findings to show, the most telling first.
  ///   - count: the number of all findings.
  ///   - isEmpty: whether the trace has no events, so that nothing could be found.
  ///   - ending: how the program ended. After a death, that is what to ask about first; where nothing
  ///     else was found, the line at which it crashed is the one to look at.
  ///   - lacksEvents: whether events are missing, so that some of what is said may be wrong.
  public func page(
    _ findings: [Finding], of count: Int, isEmpty: Bool = false, ending: TraceEnding = .clean,
    lacksEvents: Bool = false
  ) -> String {
    let caution =
      lacksEvents && !isEmpty
      ? words.style.wrapped(Self.caution, indent: 2).map { "  \($0)\n" }.joined() : ""
    let death =
      switch ending {
      case .crashed where !ending.isKill: "the program crashed: "
      case .crashed, .killed: "the program was killed: "
      case .clean, .running: ""
      }
    let first = death.isEmpty ? "" : "  \(death)\(command.line("postmortem"))\n"
    let title = words.style.paint("what to look at", .bold) + "\n"
    guard !findings.isEmpty else {
      if let lastPlace, ending.isCrash {
        let lines = LastPlaceText(words: words, lookup: lookup).lines(lastPlace)
        return title + lines.map { $0 + "\n" }.joined() + first
      }
      let nothing = first.isEmpty ? "nothing" : "nothing else"
      let sentence =
        isEmpty
        ? "\(nothing) can be told: the trace has no events"
        : "\(nothing) by itself: no leak, silence, storm, stale result or the like"
      return title + first + words.style.wrapped(sentence, indent: 2).map { "  \($0)\n" }.joined()
        + caution
    }
    let left = count - findings.count
    let more =
      left > 0
      ? "  and \(Counted.grouped(UInt64(left))) more: \(command.line("postmortem"))\n" : ""
    return title + first + text(findings) + more + caution
  }

  private static let caution =
    "events are missing: what is said not to have happened may have, and more may be wrong"

  /// The number of events that are searched in a second, on an ordinary machine, in a program of many
  /// operators and hops; of one that hardly has any, more than ten times as many.
  private static let eventsPerSecond: UInt64 = 8_000_000

  /// Returns the section of a page whose trace is too long to be searched without a request.
  public static func leftOut(events: UInt64, command: String, style: OutputStyle) -> String {
    let lines = leftOutLines(events: events, command: command, style: style)
    return ([style.paint("what to look at", .bold)] + lines).map { $0 + "\n" }.joined()
  }

  /// Returns lines that say what was not looked for, and the command that looks for it.
  /// `more` adds to what that is.
  static func leftOutLines(
    events: UInt64, command: String, style: OutputStyle, more: String = ""
  ) -> [String] {
    let seconds = DurationWords.text(
      (events / eventsPerSecond + 1) * 1_000_000_000, ascii: style.ascii)
    let told = style.wrapped(
      "leaks, silences, storms, stale results and the like were not looked for\(more): to read all "
        + "\(Counted.grouped(events)) events takes up to about \(seconds)", indent: 2)
    return (told + [command]).map { "  " + $0 }
  }

  /// The width of the column of kinds.
  private static let kindWidth = 11

  /// Returns the lines of one finding, of which `isMarked` marks the place.
  func lines(_ finding: Finding, isMarked: Bool = false) -> [String] {
    let kind = finding.kind.rawValue
    let title = kind + String(repeating: " ", count: max(Self.kindWidth - kind.count, 1))
    let told = words.style.wrapped(sentence(finding), indent: Self.kindWidth + 2)
    let lines = told.enumerated().map { index, line in
      index == 0
        ? words.style.paint(title, .failed) + line
        : String(repeating: " ", count: Self.kindWidth) + line
    }
    return lines + evidence(finding, isMarked: isMarked)
  }

  /// Returns the place of a finding and the command that shows more, on one line if there is room.
  private func evidence(_ finding: Finding, isMarked: Bool) -> [String] {
    let indent = String(repeating: " ", count: Self.kindWidth)
    let command = command(finding)
    guard let place = place(finding) else {
      return command.map(below) ?? []
    }
    let shown = isMarked ? words.style.paint(words.mark + place, .failed) : "  " + place
    let line = String(indent.dropLast(2)) + shown
    guard let command else { return [line] }
    let length = indent.count + DisplayWidth.of(place + "  " + command) + 2
    return length <= words.style.width ?? .max
      ? [line + "  " + words.style.paint(command, .dim)] : [line] + below(command)
  }

  /// Returns a command in a line of its own. It is best copied whole: for lack of room, it begins
  /// farther to the left.
  private func below(_ command: String) -> [String] {
    let indent =
      DisplayWidth.of(command) + Self.kindWidth + 2 <= words.style.width ?? .max
      ? Self.kindWidth : 2
    return words.style.wrapped(command, indent: indent + 2).map {
      String(repeating: " ", count: indent) + words.style.paint($0, .dim)
    }
  }

  func sentence(_ finding: Finding) -> String {
    if let sentence = finding.sentence { return text(sentence) }
    return switch finding.kind {
    case .silence: silence(finding)
    case .stale: stale(finding)
    case .failure: failure(finding)
    case .recursion: stop(finding)
    case .loss: loss(finding)
    case .leak, .storm, .feedback, .backlog, .retries, .join, .stuck, .restarted, .thread, .early,
      .partial, .glitch, .overtaken, .handled, .hang, .unstarted, .unreset, .race:
      placed(finding.stream)
    }
  }

  /// Returns a sentence as text, without the parentheses around places that are unknown.
  private func text(_ sentence: FindingSentence) -> String {
    var text = ""
    var isLeftOut = false
    for part in sentence.parts {
      if case .place(let place) = part, words.place(place) == nil, text.hasSuffix(" (") {
        text.removeLast(2)
        isLeftOut = true
        continue
      }
      let next = self.text(part)
      text += isLeftOut && next.hasPrefix(")") ? String(next.dropFirst()) : next
      isLeftOut = false
    }
    return text
  }

  private func text(_ part: FindingSentence.Part) -> String {
    switch part {
    case .text(let text): words.style.escaped(text)
    case .stream(let stream): words.shortStream(words.places.named(stream))
    case .scheduler(let scheduler): words.scheduler(scheduler)
    case .thread(let ring): words.numbered(thread: ring)
    case .event(let name):
      "#\(name)" + (lookup[name].map { " " + words.phrase($0, short: true) } ?? "")
    case .value(let name): lookup[name].map { words.value($0) } ?? "a value"
    case .count(let count, let one, let many): Counted.text(count, one, many)
    case .duration(let nanoseconds): DurationWords.text(nanoseconds, ascii: words.style.ascii)
    case .place(let place): words.place(place) ?? "code of unknown place"
    }
  }

  /// Returns the line of the program that a finding points at.
  func place(_ finding: Finding) -> String? {
    if let place = finding.place.flatMap(words.place) { return place }
    if isStop(finding), let lastPlace {
      return words.style.escaped(lastPlace.frame.place.description)
    }
    // A silence is to be looked at where the values stopped.
    let stopped = finding.silence?.culprits.first.flatMap { words.place(.stream($0.stream)) }
    return stopped ?? finding.stream.flatMap { words.place(.stream($0)) }
  }

  /// Returns whether the library stopped the program.
  private func isStop(_ finding: Finding) -> Bool {
    finding.kind == .recursion && finding.scheduler == nil
  }

  private func silence(_ finding: Finding) -> String {
    guard let silence = finding.silence else { return placed(finding.stream) }
    let reason = SilenceText(words, lookup: lookup, command: command).reason(silence)
    return "\(placed(finding.stream)) delivered nothing: \(reason)"
  }

  private func stale(_ finding: Finding) -> String {
    let times = finding.count == 1 ? "once" : "\(Counted.grouped(finding.count)) times"
    guard finding.evidence.count == 3 else { return placed(finding.stream) }
    let events = finding.evidence.map { lookup[$0].map { words.value($0) } ?? "" }
    return
      "\(placed(finding.stream)) delivered results of older requests after those of newer ones, "
      + "\(times): #\(finding.evidence[0]) \(events[0]) answers #\(finding.evidence[1]) \(events[1])"
      + ", though #\(finding.evidence[2]) \(events[2]) was answered already"
  }

  private func failure(_ finding: Finding) -> String {
    let error = finding.evidence.first.flatMap { lookup[$0] }.map { ": \(words.value($0))" } ?? ""
    let times = finding.count == 1 ? "" : " \(Counted.grouped(finding.count)) times"
    return "\(placed(finding.stream)) failed\(times), and nothing handled it\(error)"
  }

  private func loss(_ finding: Finding) -> String {
    let place = finding.evidence.first.flatMap { lookup[$0] }.map {
      ", the first of them after #\($0.name) at \(words.moment($0.ticks))"
    }
    return "\(Counted.text(finding.count, "event", "events")) of thread "
      + "\(words.numbered(thread: finding.ring ?? 0)) are missing\(place ?? "")"
  }

  /// Returns what the library said when it stopped the program, without its advice.
  private func stop(_ finding: Finding) -> String {
    let text = finding.evidence.first.flatMap { lookup[$0] }?.payload.text ?? ""
    guard let (summary, details) = RecursionMessage.parts(of: text) else {
      return placed(finding.stream)
    }
    let told = details.filter { $0.contains(":") }.map { detail in
      // Files by name only, as elsewhere in the report.
      detail.split(separator: " ").map { word in
        word.hasPrefix("/") ? word.split(separator: "/").last ?? word : word
      }.joined(separator: " ")
    }
    return words.style.escaped(([summary] + told).joined(separator: "; "))
  }

  private func placed(_ stream: UInt32?) -> String {
    guard let stream = stream.map(words.places.named) else { return "" }
    let place = words.place(of: stream).map { " (\($0))" } ?? ""
    return words.stream(stream) + place
  }

  private func span(_ finding: Finding) -> String {
    DurationWords.text(finding.nanoseconds, ascii: words.style.ascii)
  }

  /// Returns the command that shows more.
  func command(_ finding: Finding) -> String? {
    if let question = finding.question { return line(question) }
    if finding.kind == .silence, let stream = finding.stream {
      return words.definitions.streams[stream].map { command.line("why-silent", $0.name) }
    }
    if finding.kind == .loss {
      return finding.evidence.first.map { command.line("replay", "--around", "#\($0)") }
    }
    if isStop(finding) { return line(.postmortem) }
    return finding.evidence.first.map { command.line("why", "#\($0)") }
  }

  private func line(_ question: Finding.Question) -> String? {
    switch question {
    case .why(let event): command.line("why", "#\(event)")
    case .whySilent(let stream):
      words.definitions.streams[stream].map { command.line("why-silent", $0.name) }
    case .backtrace(let event): command.line("backtrace", "--event", "#\(event)")
    case .around(let event): command.line("replay", "--around", "#\(event)")
    case .latency: command.line("latency")
    case .open: command.line("streams", "--open")
    case .postmortem: isPostmortem ? nil : command.line("postmortem")
    case .tasks: command.line("tasks")
    }
  }
}
