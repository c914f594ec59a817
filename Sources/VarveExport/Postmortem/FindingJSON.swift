public import VarveAnalysis
internal import VarveFormat
internal import VarveProbe

/// Writes findings as JSON objects.
///
/// The keys are a promise: `kind`, `name` and `place` of the stream, `scheduler`, `thread`,
/// `count`, `duration_ns`, `evidence` (names of events, the most telling one first) and `text`, a
/// sentence for people, which may change. Keys that do not apply are null.
public struct FindingJSON {
  private let words: TraceWords
  private let sentences: FindingText

  /// Prepares to write findings of a trace.
  public init(_ words: TraceWords, lookup: EventLookup, command: TraceCommand) {
    self.words = words
    sentences = FindingText(words, lookup: lookup, command: command)
  }

  /// Returns a finding as an object.
  public func object(_ finding: Finding) -> String { members(finding).text }

  func members(_ finding: Finding, of object: JSONMembers = JSONMembers()) -> JSONMembers {
    let stream = finding.stream.map(words.places.named)
    let place = finding.place.flatMap(words.line) ?? stream.flatMap(words.places.exact)
    let evidence = finding.evidence.map(\.json).joined(separator: ",")
    return object.adding("kind", JSONText.quoted(finding.kind.rawValue))
      .adding("name", text(stream.flatMap { words.definitions.streams[$0]?.name }))
      .adding("place", text(place.map { "\($0.file):\($0.line)" }))
      .adding(
        "scheduler", text(finding.scheduler.flatMap { words.definitions.schedulers[$0]?.name })
      )
      .adding("thread", text(finding.ring.map(words.thread)))
      .adding("count", String(finding.count))
      .adding("duration_ns", String(finding.nanoseconds))
      .adding("evidence", "[\(evidence)]")
      .adding("text", JSONText.quoted(sentences.sentence(finding)))
  }

  private func text(_ text: String?) -> String { text.map(JSONText.quoted) ?? "null" }
}
