public import VarveAnalysis
internal import VarveFormat
internal import VarveMarbles
internal import VarveProbe

/// Explains why a stream delivered nothing, or nothing more: a sentence, the places at which values
/// stopped, the most telling one marked, and, if it delivered nothing at all, the streams that it
/// waited for, indented.
public struct SilenceText {
  private let words: TraceWords
  private let lookup: EventLookup
  private let command: TraceCommand
  private let reasons: SilenceWords

  /// The maximum number of places shown.
  private static let mostPlaces = 8

  /// Prepares to explain the silences of a trace.
  ///
  /// - Parameters:
  ///   - words: the words for the parts of the trace.
  ///   - lookup: finds the events that are mentioned.
  ///   - command: the trace as the command line names it.
  public init(_ words: TraceWords, lookup: EventLookup, command: TraceCommand) {
    self.words = words
    self.lookup = lookup
    self.command = command
    reasons = SilenceWords(words)
  }

  /// Returns the whole answer, with a line break after each line.
  ///
  /// - Parameters:
  ///   - silence: why it delivered nothing.
  ///   - stops: where values stopped.
  ///   - found: what was found in the whole trace about this stream; it is marked.
  public func text(
    _ silence: Silence, _ stops: StreamStops, _ found: Finding? = nil
  ) -> String {
    let places = places(stops.stops, found)
    let lines =
      stops.values == 0
      ? headline(silence) + places + [""] + tree(silence) + unknownKinds(silence)
      : bold(headline(stops)) + places
    return (lines + next(stops)).map { $0 + "\n" }.joined()
  }

  /// Returns a note on further streams that match, with a line break after each line.
  public func others(_ streams: [UInt32]) -> String {
    guard !streams.isEmpty else { return "" }
    let places = streams.prefix(3).compactMap { words.place(.stream($0)) }
    let which = places.isEmpty ? "" : ": " + Array(Set(places)).sorted().joined(separator: ", ")
    let count = Counted.text(UInt64(streams.count), "more stream matches", "more streams match")
    return "\n\(count)\(which)\n"
  }

  /// Returns only the reason, for a sentence that has already named the stream: `waits for …`.
  func reason(_ silence: Silence) -> String {
    guard let culprit = silence.culprits.first, let asked = silence.steps.first else { return "" }
    let told = reasons.told(culprit.reason, received: culprit.received)
    if culprit.stream == asked.stream { return told }
    let place = words.place(of: culprit.stream).map { " (\($0))" } ?? ""
    return "\(words.stream(culprit.stream))\(place) \(told)"
  }

  // MARK: - Headlines

  private func bold(_ text: String) -> [String] {
    words.style.hanging(text).map { words.style.paint($0, .bold) }
  }

  /// When the last value came, and what came since.
  private func headline(_ stops: StreamStops) -> String {
    let name = words.stream(stops.stream)
    let count = Counted.text(stops.values, "value", "values")
    var text = "\(name) delivered \(count)"
    if stops.isBeforePeriod { text += ", none of them in this period" }
    if let last = stops.lastValue {
      let value = lookup[last.name].map { words.value($0) } ?? ""
      let shown = value.isEmpty ? "" : "\(value), "
      text += ", the last, \(shown)#\(last.name) at \(words.moment(last.ticks))"
    }
    if let end = stops.end { text += ", and \(ending(end.kind))" }
    if stops.upstream > 0, let source = stops.source {
      let more = Counted.text(stops.upstream, "value", "values")
      return text + "; \(more) came from \(words.stream(source)) since."
    }
    return text + "; nothing came upstream since."
  }

  private func ending(_ kind: RecordKind) -> String {
    kind == .interrupted ? "was interrupted" : kind.name
  }

  private func headline(_ silence: Silence) -> [String] {
    guard let asked = silence.steps.first else { return [] }
    return silence.culprits.prefix(5).flatMap { culprit in
      let actor = culprit.stream == asked.stream ? "it" : words.stream(culprit.stream)
      let place = words.place(of: culprit.stream).map { " (\($0))" } ?? ""
      let because =
        culprit.reason == .unknownKind ? "and the trace does not say why:" : "because"
      let told = reasons.told(culprit.reason, received: culprit.received)
      return bold(
        "\(words.stream(asked.stream)) delivered nothing, \(because) \(actor)\(place) \(told)"
          + "\(self.actor(of: culprit)).")
    }
  }

  // MARK: - Places

  private func places(_ stops: [Stop], _ found: Finding?) -> [String] {
    let text = StopText(words, lookup: lookup)
    let finding = FindingText(words, lookup: lookup)
    var all = stops.map { stop in
      (place: text.place(of: stop) ?? words.operatorName(stop.stream), text: text.sentence(stop))
    }
    // What is at the same place is told more closely by the stop.
    if let found, let place = finding.place(found), all.first?.place != place {
      all.insert((place, finding.sentence(found)), at: 0)
    }
    guard !all.isEmpty else {
      return [""]
        + words.style.hanging(
          "Nothing was held back on the way: look at what sends into its sources.")
    }
    let shown = all.prefix(Self.mostPlaces)
    let width = shown.map { DisplayWidth.of($0.place) }.max() ?? 0
    let mark = words.style.ascii ? "> " : "▸ "
    let lines = shown.enumerated().flatMap { index, stop in
      let head = "  " + stop.place + DisplayWidth.gap(after: stop.place, to: width)
      var lines = words.style.below(head, stop.text, indent: 4)
      if index == 0 {
        let rest = String(lines[0].dropFirst(2 + stop.place.count))
        lines[0] = mark + words.style.paint(stop.place, .failed) + rest
      }
      return lines
    }
    let rest = all.count - shown.count
    return [""] + lines + (rest > 0 ? ["  \(words.ellipsis) and \(rest) more"] : [])
  }

  private func next(_ stops: StreamStops) -> [String] {
    let event = stops.stops.first.flatMap { $0.moment?.name ?? $0.examples.first }
    guard let name = event ?? stops.lastValue?.name else { return [] }
    return ["", "next  " + command.line("why", "#\(name)")]
  }

  // MARK: - The tree

  /// Returns a line for each culprit whose kind of stream the trace does not contain.
  private func unknownKinds(_ silence: Silence) -> [String] {
    let unknown = silence.culprits.filter { !$0.isKindKnown }.prefix(5)
    guard !unknown.isEmpty else { return [] }
    return [""]
      + unknown.flatMap { step in
        words.style.hanging(
          "this trace is of an older version, which does not say what kind of stream "
            + "\(words.stream(step.stream)) is")
      }
  }

  private func tree(_ silence: Silence) -> [String] {
    let names = silence.steps.map { step in
      String(repeating: "  ", count: step.depth) + position(step)
        + (step.depth == 0 ? words.stream(step.stream) : words.shortStream(step.stream))
    }
    let width = min(names.map { DisplayWidth.of($0) }.max() ?? 0, 60)
    return zip(silence.steps, names).flatMap { step, name in
      let padding = DisplayWidth.gap(after: name, to: width)
      let colour: Colour = step.isCulprit ? .failed : words.isNamed(step.stream) ? .bold : .dim
      let place = words.place(of: step.stream).map { "  " + $0 } ?? ""
      let told = reasons.line(step.reason, received: step.received)
      let head = "  " + words.style.paint(name, colour)
      guard words.style.fits(["  \(name)\(padding)  \(told)\(place)"]) else {
        // The step and its place stay together; why it is silent stands below them.
        let below = String(repeating: " ", count: 2 * step.depth + 4)
        return [head + words.style.paint(place, .dim)]
          + words.style.wrapped(told, indent: below.count).map { below + $0 }
      }
      return [head + padding + "  " + told + words.style.paint(place, .dim)]
    }
  }

  private func position(_ step: Silence.Step) -> String {
    step.input.map { "\($0 + 1). " } ?? ""
  }

  /// Returns the nearest named cause of a disposal: the event during whose delivery it happened.
  private func actor(of culprit: Silence.Step) -> String {
    guard case .disposed(_, let moment) = culprit.reason,
      let graph = CausalGraph(of: moment.name, in: lookup, most: 500)
    else { return "" }
    let users = CausalPath(graph).steps.dropFirst().first {
      $0.depth == 0 && !$0.event.isHop && words.isNamed($0.event.stream)
    }
    guard let event = users?.event else {
      return graph.events.count > 1 ? "" : ", from outside all streams"
    }
    let place = words.place(of: event.stream).map { " (\($0))" } ?? ""
    return ", while #\(event.name) \(words.phrase(event)) was delivered\(place)"
  }
}
