public import VarveAnalysis
internal import VarveFormat
internal import VarveProbe

/// Writes why a stream delivered nothing, or nothing more, one JSON object for each stream on the path.
///
/// The keys are a promise: `stream`, `name`, `operator`, `place`, `depth`, `input` (from 1, or
/// null), `reason`, `received` (values that it received), `values` (values that it delivered or
/// swallowed), `event` (evidence, or null), `scheduler`, `culprit`, `kind_known` (false in traces
/// of older versions, which do not contain the kind of a stream).
///
/// For each place at which values stopped, the most telling first, an object with the keys `stop`
/// (how they stopped), `marked` (whether it is the place to look at), `stream`, `name`, `operator`,
/// `place` (of the code responsible), `stream_place`, `distance` (streams between it and the one in
/// question), `stopped` and `received` (how many of how many), `since` (of these, after the last
/// value that arrived), `more` (values that came upstream afterwards), `event` (evidence, or null),
/// `events` (the last values that it stopped), `weight` (from 0 to 100). What was found in the whole
/// trace about the stream is such an object with the `stop` `finding`, its `finding` (the kind) and `text`.
public struct SilenceJSON {
  private let words: TraceWords

  /// Prepares to write the silences of a trace.
  public init(_ words: TraceWords) { self.words = words }

  /// Returns the streams on the path of a silent stream, and the places at which values stopped, one
  /// per line.
  public func text(
    _ silence: Silence, _ stops: StreamStops, _ found: Finding? = nil, lookup: EventLookup
  ) -> String {
    let text = StopText(words, lookup: lookup)
    let findings = FindingText(words, lookup: lookup)
    let first = stops.stops.first.flatMap { text.place(of: $0) }
    let told = found.flatMap { found in
      findings.place(found).flatMap { $0 == first ? nil : object(found, findings, place: $0) }
    }
    let places = stops.stops.enumerated().map { index, stop in
      object(stop, isMarked: index == 0 && told == nil, place: text.place(of: stop))
    }
    return (silence.steps.map(object) + [told].compactMap { $0 } + places).map { $0 + "\n" }
      .joined()
  }

  private func object(_ found: Finding, _ text: FindingText, place: String) -> String {
    let stream = found.stream.flatMap { words.definitions.streams[$0] }
    return JSONMembers()
      .adding("stop", "\"finding\"")
      .adding("marked", "true")
      .adding("finding", "\"\(found.kind.rawValue)\"")
      .adding("text", JSONText.quoted(text.sentence(found)))
      .adding("stream", found.stream.map { String($0) } ?? "null")
      .adding("name", stream.map { JSONText.quoted($0.name) } ?? "null")
      .adding("operator", stream.map { JSONText.quoted($0.operation) } ?? "null")
      .adding("place", JSONText.quoted(place))
      .adding("event", found.evidence.first.map(\.json) ?? "null")
      .adding("events", "[\(found.evidence.map(\.json).joined(separator: ","))]")
      .adding("weight", String(found.weight))
      .text
  }

  private func object(_ stop: Stop, isMarked: Bool, place: String?) -> String {
    let stream = words.definitions.streams[stop.stream]
    let own = words.places.exact(stop.stream)
    return JSONMembers()
      .adding("stop", "\"\(Self.name(stop.reason))\"")
      .adding("marked", isMarked ? "true" : "false")
      .adding("stream", String(stop.stream))
      .adding("name", stream.map { JSONText.quoted($0.name) } ?? "null")
      .adding("operator", stream.map { JSONText.quoted($0.operation) } ?? "null")
      .adding("place", place.map { JSONText.quoted($0) } ?? "null")
      .adding("stream_place", own.map { JSONText.quoted("\($0.file):\($0.line)") } ?? "null")
      .adding("distance", String(stop.distance))
      .adding("stopped", String(stop.stopped))
      .adding("received", String(stop.received))
      .adding("since", String(stop.since))
      .adding("more", String(stop.more))
      .adding("event", stop.moment.map(\.name.json) ?? "null")
      .adding("events", "[\(stop.examples.map(\.json).joined(separator: ","))]")
      .adding("weight", String(stop.weight))
      .text
  }

  private static func name(_ reason: Stop.Reason) -> String {
    switch reason {
    case .swallowed(let reason): reason.name
    case .confused: "repeated_but_different"
    case .ended: "ended"
    case .sourceEnded: "source_ended"
    case .disposed: "disposed"
    case .abandoned: "abandoned"
    case .failed: "failed"
    case .endedByInner: "ended_by_inner"
    case .handledFailure: "handled_failure"
    case .restarted: "restarted"
    case .gaveUp: "gave_up"
    case .cutOff: "cut_off"
    case .timedOut: "timed_out"
    case .unobserved: "unobserved"
    case .replayedFewer: "replayed_fewer"
    case .waited: "waited"
    case .queued: "queued"
    case .neverStarted: "never_started"
    case .sourceSilent: "source_silent"
    case .unchanged: "unchanged"
    case .stuck: "stuck"
    case .silent(let reason): facts(reason).reason
    }
  }

  private func object(_ step: Silence.Step) -> String {
    let stream = words.definitions.streams[step.stream]
    let place = words.places.exact(step.stream)
    let facts = Self.facts(step.reason)
    return JSONMembers()
      .adding("stream", String(step.stream))
      .adding("name", stream.map { JSONText.quoted($0.name) } ?? "null")
      .adding("operator", stream.map { JSONText.quoted($0.operation) } ?? "null")
      .adding("place", place.map { JSONText.quoted("\($0.file):\($0.line)") } ?? "null")
      .adding("depth", String(step.depth))
      .adding("input", step.input.map { String($0 + 1) } ?? "null")
      .adding("reason", "\"\(facts.reason)\"")
      .adding("received", String(step.received))
      .adding("values", String(facts.values))
      .adding("event", facts.event.map(\.json) ?? "null")
      .adding("scheduler", facts.scheduler.map { JSONText.quoted(words.scheduler($0)) } ?? "null")
      .adding("culprit", step.isCulprit ? "true" : "false")
      .adding("kind_known", step.isKindKnown ? "true" : "false")
      .text
  }

  private struct Facts {
    var reason: String
    var values: UInt64 = 0
    var event: EventName?
    var scheduler: UInt32?
  }

  private static func facts(_ reason: Silence.Reason) -> Facts {
    switch reason {
    case .delivers(let values): Facts(reason: "delivers", values: values)
    case .notSubscribed: Facts(reason: "not_subscribed")
    case .notConnected: Facts(reason: "not_connected")
    case .sourceSilent: Facts(reason: "source_silent")
    case .inputsSilent: Facts(reason: "inputs_silent")
    case .waitsFor: Facts(reason: "waits_for_input")
    case .waitsForChange: Facts(reason: "waits_for_change")
    case .swallowed(let values, let reasons, _):
      Facts(
        reason: reasons.max { ($0.value, $1.key.rawValue) < ($1.value, $0.key.rawValue) }?.key.name
          ?? "swallowed", values: values)
    case .queued(let count, let scheduler, let since):
      Facts(reason: "queued", values: count, event: since.name, scheduler: scheduler)
    case .disposed(_, let moment): Facts(reason: "disposed", event: moment.name)
    case .ended(let kind, let moment): Facts(reason: kind.name, event: moment.name)
    case .noInner: Facts(reason: "no_inner_stream")
    case .unknown: Facts(reason: "unknown")
    case .unknownKind: Facts(reason: "unknown_kind")
    }
  }
}
