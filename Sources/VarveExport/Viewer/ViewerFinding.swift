internal import VarveAnalysis
internal import VarveFormat

/// A finding as the page lists it: a sentence, a place, and the lane and event to go to.
struct ViewerFinding {
  private let words: TraceWords
  private let texts: FindingText
  private let first: UInt64

  /// The weight from which on something certainly broke …
  private static let certain = 80
  /// … and from which on it is likely.
  private static let likely = 40

  init(_ words: TraceWords, _ texts: FindingText, first: UInt64) {
    self.words = words
    self.texts = texts
    self.first = first
  }

  func object(_ finding: Finding, lane: Int?) -> String {
    let severity =
      finding.weight >= Self.certain
      ? "error" : finding.weight >= Self.likely ? "warning" : "note"
    return JSONMembers().adding("title", JSONText.quoted(finding.kind.rawValue))
      .adding("text", JSONText.quoted(texts.sentence(finding)))
      .adding("severity", JSONText.quoted(severity))
      .adding("lane", lane.map { String($0) } ?? "null")
      .adding("event", finding.evidence.first.map { JSONText.quoted($0.description) } ?? "null")
      .adding("place", texts.place(finding).map { JSONText.quoted($0) } ?? "null")
      .adding("command", texts.command(finding).map { JSONText.quoted($0) } ?? "null")
      .text
  }
}
