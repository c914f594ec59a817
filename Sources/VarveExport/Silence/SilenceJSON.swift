public import VarveAnalysis
internal import VarveFormat
internal import VarveProbe

/// Writes why a stream delivered nothing, one JSON object for each stream on the path.
///
/// The keys are a promise: `stream`, `name`, `operator`, `place`, `depth`, `input` (from 1, or
/// null), `reason`, `received` (values that it received), `values` (values that it delivered or
/// swallowed), `event` (evidence, or null), `scheduler`, `culprit`, `kind_known` (false in traces
/// of older versions, which do not contain the kind of a stream).
public struct SilenceJSON {
  private let words: TraceWords

  /// Prepares to write the silences of a trace.
  public init(_ words: TraceWords) { self.words = words }

  /// Returns the streams, one per line.
  public func text(_ silence: Silence) -> String {
    silence.steps.map { object($0) + "\n" }.joined()
  }

  private func object(_ step: Silence.Step) -> String {
    let stream = words.definitions.streams[step.stream]
    let place = words.places.exact(step.stream)
    let facts = facts(step.reason)
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

  private func facts(_ reason: Silence.Reason) -> Facts {
    switch reason {
    case .delivers(let values): Facts(reason: "delivers", values: values)
    case .notSubscribed: Facts(reason: "not_subscribed")
    case .sourceSilent: Facts(reason: "source_silent")
    case .inputsSilent: Facts(reason: "inputs_silent")
    case .waitsFor: Facts(reason: "waits_for_input")
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
