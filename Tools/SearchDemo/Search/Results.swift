public import Varve

/// What a search found.
public struct Results: Hashable, Sendable {
  /// What was looked for.
  public let query: String
  /// The lines that match.
  public let hits: [Hit]
  /// The text of the first of them, if it could be had.
  public let preview: String?

  /// How many documents they lie in.
  public var documents: Int { Set(hits.map(\.document)).count }

  /// How much was found: `3 lines in 2 files`.
  public var summary: String {
    let files = documents
    return "\(hits.count) \(hits.count == 1 ? "line" : "lines")"
      + " in \(files) \(files == 1 ? "file" : "files")"
  }

  static let none = Results(query: "", hits: [], preview: nil)
}

extension Results: TraceValue {
  /// What was looked for and how much was found; not the text itself.
  public var tracePayload: TracePayload {
    .string("\(query): \(summary)")
  }
}
