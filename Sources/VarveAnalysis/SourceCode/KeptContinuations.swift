internal import VarveProbe

/// Finds, in the source of code that makes an asynchronous stream, where its continuation is kept among
/// others, if nothing in the file asks to be told when the stream's consumer goes.
struct KeptContinuations {
  private var sources = SourceLines()

  /// Returns that line, by the frame that makes the stream; nil if there is none, or if the source is not
  /// there.
  mutating func store(below maker: NamedFrame) -> (name: String, place: Place)? {
    guard let file = maker.file, let source = sources.source(at: maker) else { return nil }
    let all = source.statements(in: 0..<source.code.count)
    guard !all.contains(where: { $0.texts.contains("onTermination") }), let body = source.body
    else { return nil }
    let statements = source.statements(in: body)
    let names = Self.continuations(in: statements)
    let store = statements.lazy.compactMap { statement in
      statement.collection { names.contains($0) || $0.hasSuffix("ontinuation") }.map {
        (name: $0, position: statement.position)
      }
    }.first
    return store.map { ($0.name, Place(path: file, line: UInt32(source.line(at: $0.position)))) }
  }

  /// The names that streams' continuations are given: in `let (lines, tap) = AsyncStream.makeStream()`, and
  /// in `AsyncStream { tap in`.
  private static func continuations(in statements: [SourceStatement]) -> Set<String> {
    var names: Set<String> = []
    for (index, statement) in statements.enumerated() {
      let texts = statement.texts
      if texts.contains("makeStream"), texts.starts(with: ["let", "("]), texts.count > 5,
        texts[3] == ","
      {
        names.insert(texts[4])
      }
      let next = index + 1 < statements.count ? statements[index + 1].texts : []
      if texts.contains(where: { $0.hasPrefix("Async") && $0.hasSuffix("Stream") }),
        next.count > 1, next[1] == "in"
      {
        names.insert(next[0])
      }
    }
    return names
  }
}
