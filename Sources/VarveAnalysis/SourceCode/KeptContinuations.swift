internal import VarveProbe

/// Finds, in the source of code that makes an asynchronous stream, where its continuation is kept among
/// others, if nothing in the file asks to be told when the stream's consumer goes.
struct KeptContinuations {
  private var sources = SourceLines()

  /// Returns that line, by the frame that makes the stream; nil if there is none, or if the source is not
  /// there.
  mutating func store(below maker: NamedFrame) -> (name: String, place: Place)? {
    guard let file = maker.file, let lines = sources.lines(of: file), maker.line > 0,
      maker.line <= lines.count
    else { return nil }
    let source = PlainSource(lines, around: Int(maker.line))
    let statements = source.statements(in: 0..<source.code.count)
    guard !statements.contains(where: { $0.texts.contains("onTermination") }),
      let body = source.body,
      let store = source.statements(in: body).lazy.compactMap({ $0.keptContinuation }).first
    else { return nil }
    return (store.name, Place(path: file, line: UInt32(source.line(at: store.position))))
  }
}

extension SourceStatement {
  /// The collection into which a statement puts a continuation: `readers.append(continuation)`,
  /// `readers[id] = continuation`.
  fileprivate var keptContinuation: (name: String, position: Int)? {
    func isContinuation(_ text: String) -> Bool { text.hasSuffix("ontinuation") }
    if let (name, hasKey, value) = assignment, hasKey, let last = value.last, isContinuation(last) {
      return (name, position)
    }
    let texts = texts
    guard let call = texts.firstIndex(where: { $0 == "append" || $0 == "insert" }), call > 1,
      call + 2 < texts.count, texts[(call + 1)...].contains(where: isContinuation)
    else { return nil }
    return (texts[call - 2], position)
  }
}
