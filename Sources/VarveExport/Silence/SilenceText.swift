public import VarveAnalysis
internal import VarveFormat
internal import VarveMarbles
internal import VarveProbe

/// Explains why a stream delivered nothing: a sentence, then the streams that it waited for,
/// indented, with a mark where the values stopped.
public struct SilenceText {
  private let words: TraceWords
  private let lookup: EventLookup
  private let command: TraceCommand

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
  }

  /// Returns the whole answer, with a line break after each line.
  public func text(_ silence: Silence) -> String {
    guard let asked = silence.steps.first else { return "" }
    if case .delivers(let values) = asked.reason {
      let count = Counted.text(values, "value", "values")
      return "\(name(asked.stream)) is not silent: it delivered \(count).\n"
    }
    let sentences = silence.culprits.prefix(5).map { culprit in
      let actor = culprit.stream == asked.stream ? "it" : name(culprit.stream)
      let place = words.place(of: culprit.stream).map { " (\($0))" } ?? ""
      let because = culprit.reason == .unknownKind ? "and nobody can say why:" : "because"
      return "\(name(asked.stream)) delivered nothing, \(because) \(actor)\(place) "
        + "\(told(culprit, asActor: true))."
    }
    return
      (sentences.map { words.style.paint($0, .bold) } + [""] + lines(silence)
      + unknownKinds(silence) + evidence(silence))
      .map { $0 + "\n" }.joined()
  }

  /// Returns a line for each culprit whose kind of stream the trace does not contain.
  private func unknownKinds(_ silence: Silence) -> [String] {
    let unknown = silence.culprits.filter { !$0.isKindKnown }.prefix(5)
    guard !unknown.isEmpty else { return [] }
    return [""]
      + unknown.map { step in
        "this trace is of an older version, which does not say what kind of stream "
          + "\(name(step.stream)) is"
      }
  }

  /// Returns only the reason, for a sentence that has already named the stream: `waits for …`.
  func reason(_ silence: Silence) -> String {
    guard let culprit = silence.culprits.first, let asked = silence.steps.first else { return "" }
    if culprit.stream == asked.stream { return told(culprit, asActor: true) }
    let place = words.place(of: culprit.stream).map { " (\($0))" } ?? ""
    return "\(name(culprit.stream))\(place) \(told(culprit, asActor: true))"
  }

  private func name(_ stream: UInt32) -> String { words.stream(stream) }

  // MARK: - Lines

  private func lines(_ silence: Silence) -> [String] {
    let names = silence.steps.map { step in
      String(repeating: "  ", count: step.depth) + position(step)
        + (step.depth == 0 ? name(step.stream) : words.shortStream(step.stream))
    }
    let width = min(names.map { DisplayWidth.of($0) }.max() ?? 0, 60)
    let mark = words.style.ascii ? "> " : "▸ "
    return zip(silence.steps, names).map { step, name in
      let padding = DisplayWidth.gap(after: name, to: width)
      let colour: Colour = step.isCulprit ? .failed : words.isNamed(step.stream) ? .bold : .dim
      let place = words.place(of: step.stream).map { "  " + words.style.paint($0, .dim) } ?? ""
      return (step.isCulprit ? mark : "  ") + words.style.paint(name, colour) + padding + "  "
        + told(step, asActor: false) + place
    }
  }

  private func position(_ step: Silence.Step) -> String {
    step.input.map { "\($0 + 1). " } ?? ""
  }

  /// Returns the reason of a step: a verb phrase if `asActor`, else the text of a line.
  private func told(_ step: Silence.Step, asActor: Bool) -> String {
    switch step.reason {
    case .delivers(let values): return Counted.text(values, "value", "values")
    case .notSubscribed:
      return asActor
        ? "was never subscribed: nobody started or observed it" : "never subscribed"
    case .sourceSilent:
      return asActor ? "is a source that nobody ever sent a value to" : "nobody sent anything"
    case .inputsSilent: return asActor ? "got nothing from its inputs" : "got nothing"
    case .waitsFor(let inputs):
      let ordinals = inputs.map { Self.ordinal($0 + 1) }.joined(separator: " and ")
      return "waits for its \(ordinals) input"
    case .swallowed(let values, let reasons, let isTold): return swallowed(values, reasons, isTold)
    case .queued(let count, let scheduler, let since):
      let work = count == 1 ? "work" : "\(Counted.grouped(count)) pieces of work"
      return "\(asActor ? "has" : "its") \(work) still queued on \(words.scheduler(scheduler))"
        + ", since #\(since.name) at \(words.moment(since.ticks))"
    case .disposed(_, let moment):
      return (asActor ? "was" : "its observation was") + " disposed of, #\(moment.name) at "
        + "\(words.moment(moment.ticks))\(actor(of: moment))"
    case .ended(let kind, let moment):
      let verb = kind == .interrupted && asActor ? "was interrupted" : kind.name
      return "\(verb) before it sent a value, #\(moment.name) at \(words.moment(moment.ticks))"
    case .noInner: return "got values, but made no stream of them"
    case .unknown: return "got values; the trace does not say what became of them"
    case .unknownKind:
      let count = Counted.text(step.received, "value", "values")
      let got = step.received == 0 ? "" : "got \(count) and "
      return got + (asActor ? "is of a kind that is not known" : "is of an unknown kind")
    }
  }

  private func swallowed(
    _ values: UInt64, _ reasons: [AbsorptionReason: UInt64], _ isTold: Bool
  ) -> String {
    let all = reasons.sorted { ($1.value, $0.key.rawValue) < ($0.value, $1.key.rawValue) }
    let told = all.map { reason, count in
      all.count == 1 ? Self.phrase(reason) : "\(Counted.grouped(count)) \(Self.phrase(reason))"
    }
    let count = Counted.text(values, "value", "values")
    return "swallowed \(count)" + (isTold ? ": " : ", by its nature: ")
      + told.joined(separator: ", ")
  }

  private static func phrase(_ reason: AbsorptionReason) -> String {
    switch reason {
    case .filtered: "filtered out"
    case .repeated: "repeated"
    case .superseded: "replaced by newer ones before they were due"
    case .notSampled: "not sampled"
    case .pastLimit: "outside its limit"
    case .nobodyAttached: "nobody was attached"
    case .gathered: "kept for values that did not come"
    case .ended: "the stream ended before they were due"
    case .control: "used as a trigger or a condition"
    }
  }

  private static func ordinal(_ number: Int) -> String {
    let suffix =
      (11...13).contains(number % 100)
      ? "th" : [1: "st", 2: "nd", 3: "rd"][number % 10] ?? "th"
    return "\(number)\(suffix)"
  }

  /// Returns the nearest named cause of an end: the event during whose delivery it happened.
  private func actor(of moment: EventMoment) -> String {
    guard let graph = CausalGraph(of: moment.name, in: lookup, most: 500) else { return "" }
    let users = CausalPath(graph).steps.dropFirst().first {
      $0.depth == 0 && !$0.event.isHop && words.isNamed($0.event.stream)
    }
    guard let event = users?.event else {
      return graph.events.count > 1 ? "" : ", from outside all streams"
    }
    let place = words.place(of: event.stream).map { " (\($0))" } ?? ""
    return ", while #\(event.name) \(words.phrase(event)) was delivered\(place)"
  }

  private func evidence(_ silence: Silence) -> [String] {
    let names = silence.culprits.compactMap { step -> EventName? in
      switch step.reason {
      case .queued(_, _, let moment), .disposed(_, let moment), .ended(_, let moment):
        moment.name
      case .delivers, .notSubscribed, .sourceSilent, .inputsSilent, .waitsFor, .swallowed,
        .noInner, .unknown, .unknownKind:
        nil
      }
    }
    return names.isEmpty
      ? [] : ["", "next  " + command.line("why", "#\(names[0])")]
  }
}
