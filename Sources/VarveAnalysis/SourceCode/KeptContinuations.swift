internal import VarveProbe

/// Finds, in the source of code that makes an asynchronous stream, where its continuation is kept among
/// others, if nothing in the file asks to be told when the stream's consumer goes.
struct KeptContinuations {
  private var sources = SourceLines()

  /// Returns that line, by the frame that makes the stream; nil if there is none, or if the source is not
  /// there.
  mutating func store(below maker: NamedFrame) -> (name: String, place: Place)? {
    guard let file = maker.file, let source = sources.source(at: maker) else { return nil }
    let statements = source.statements(in: 0..<source.code.count)
    guard !statements.contains(where: { $0.texts.contains("onTermination") }),
      let body = source.body,
      let store = source.statements(in: body).lazy.compactMap({ statement in
        statement.collection { $0.hasSuffix("ontinuation") }.map {
          (name: $0, position: statement.position)
        }
      }).first
    else { return nil }
    return (store.name, Place(path: file, line: UInt32(source.line(at: store.position))))
  }
}
