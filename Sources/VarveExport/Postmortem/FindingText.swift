public import VarveAnalysis
internal import VarveProbe

/// Writes one sentence per finding in a trace, with the events that prove it.
public struct FindingText {
  private let words: TraceWords
  private let lookup: EventLookup
  private let command: TraceCommand

  /// Prepares to write about findings in the trace that `command` names.
  public init(_ words: TraceWords, lookup: EventLookup, command: TraceCommand) {
    self.words = words
    self.lookup = lookup
    self.command = command
  }

  /// Returns the sentences, each followed by a line with the command that shows more, with a line
  /// break after each line.
  public func text(_ findings: [Finding]) -> String {
    findings.flatMap(lines).map { "  " + $0 + "\n" }.joined()
  }

  func lines(_ finding: Finding) -> [String] {
    let kind = finding.kind.rawValue
    let title = kind + String(repeating: " ", count: 10 - kind.count)
    let evidence = evidence(finding).map { ["          " + words.style.paint($0, .dim)] } ?? []
    return [words.style.paint(title, .failed) + sentence(finding)] + evidence
  }

  func sentence(_ finding: Finding) -> String {
    if let sentence = finding.sentence { return text(sentence) }
    return switch finding.kind {
    case .leak: leak(finding)
    case .silence: silence(finding)
    case .storm: storm(finding)
    case .feedback: feedback(finding)
    case .stale: stale(finding)
    case .backlog: backlog(finding)
    case .failure: failure(finding)
    case .recursion: recursion(finding)
    case .loss: loss(finding)
    case .retries, .join, .stuck, .restarted, .thread, .early, .partial, .glitch, .overtaken,
      .handled, .hang, .unstarted:
      placed(finding.stream)
    }
  }

  private func text(_ sentence: FindingSentence) -> String { sentence.parts.map(text).joined() }

  private func text(_ part: FindingSentence.Part) -> String {
    switch part {
    case .text(let text): TerminalText.escaped(text)
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
    if let place = finding.place { return words.place(place) }
    return finding.stream.flatMap { words.place(.stream($0)) }
  }

  private func leak(_ finding: Finding) -> String {
    let observer = finding.other.map { words.stream($0) } ?? "observers"
    let from = finding.evidence.first.flatMap { NamedCause.of($0, in: lookup, words) }
    let cause = from.map { ", the last one because of #\($0.name) \(words.phrase($0))" } ?? ""
    let code = finding.evidence.first.flatMap { lookup[$0] }.flatMap(words.observer)
    let by = code.map { ", by \($0)" } ?? ""
    return "\(placed(finding.stream)) has \(Counted.grouped(finding.count)) observations by "
      + "\(observer) that did not end while the program ran, begun over \(span(finding))\(cause)\(by)"
  }

  private func silence(_ finding: Finding) -> String {
    guard let silence = finding.silence else { return placed(finding.stream) }
    let reason = SilenceText(words, lookup: lookup, command: command).reason(silence)
    return "\(placed(finding.stream)) delivered nothing: \(reason)"
  }

  private func storm(_ finding: Finding) -> String {
    "\(placed(finding.stream)) delivered \(Counted.text(finding.count, "value", "values")) in "
      + "\(span(finding)), all set off by \(placed(finding.other))"
  }

  private func feedback(_ finding: Finding) -> String {
    "\(placed(finding.stream)) feeds itself: \(Counted.grouped(finding.count)) of its values, each "
      + "caused by the one before, in \(span(finding))"
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

  private func backlog(_ finding: Finding) -> String {
    let step = finding.evidence.last.flatMap {
      LongestStep(ofWorkBegunBy: $0, in: lookup, words.places)
    }
    let culprit = step.map { "; " + StepWords(words).text($0) }
    return
      "work for \(words.scheduler(finding.scheduler ?? 0)) waited up to \(span(finding)) behind "
      + "other work, up to \(Counted.grouped(finding.count)) pieces at a time\(culprit ?? "")"
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

  private func recursion(_ finding: Finding) -> String {
    guard let scheduler = finding.scheduler else { return stop(finding) }
    return
      "work on \(words.scheduler(scheduler)) schedules itself over and over: "
      + "\(Counted.grouped(finding.count)) pieces, each scheduled by the one before, in "
      + "\(span(finding)); backtraces show the last ones"
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
    return TerminalText.escaped(([summary] + told).joined(separator: "; "))
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
  private func evidence(_ finding: Finding) -> String? {
    if let question = finding.question { return line(question) }
    if finding.kind == .silence, let stream = finding.stream {
      return words.definitions.streams[stream].map { command.line("why-silent", $0.name) }
    }
    if finding.kind == .backlog { return command.line("latency") }
    if finding.kind == .loss {
      return finding.evidence.first.map { command.line("replay", "--around", "#\($0)") }
    }
    if finding.kind == .recursion, finding.scheduler != nil, let last = finding.evidence.first {
      return command.line("backtrace", "--event", "#\(last)")
    }
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
    case .postmortem: command.line("postmortem")
    }
  }
}
