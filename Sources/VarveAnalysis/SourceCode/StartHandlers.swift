internal import VarveProbe

/// Reads the start handlers of producers in the source.
struct StartHandlers {
  private var sources = SourceLines()

  /// Returns the line of a start handler that begins something which sends later; nil if the handler asks
  /// when it is to stop, if nothing was sent from a closure in it after it had returned, or if the source
  /// is not there.
  ///
  /// - Parameters:
  ///   - place: The place of the producer.
  ///   - frames: The program's own frames of a sender, the innermost first.
  mutating func unstopped(at place: Place, sendingFrom frames: [NamedFrame]) -> Place? {
    let name = place.file.split(separator: "/").last.map(String.init) ?? place.file
    guard let path = frames.compactMap(\.file).first(where: { $0.hasSuffix("/" + name) }),
      let lines = sources.lines(of: path), place.line > 0, place.line <= lines.count
    else { return nil }
    let source = PlainSource(lines, around: Int(place.line))
    guard let handler = source.startHandler, source.ignoresLifetime(handler) else { return nil }
    let within = source.line(at: handler.lowerBound)...source.line(at: handler.upperBound)
    // While the handler itself runs, it is on the stack, too.
    let inside = frames.filter { $0.file == path && within.contains(Int($0.line)) }
    guard inside.count == 1, let going = inside.first else { return nil }
    return Place(file: place.file, line: going.line)
  }
}

extension PlainSource {
  /// The closure that a producer is made with in the line asked for, from its brace on.
  fileprivate var startHandler: Range<Int>? {
    guard let opening = code[asked.lowerBound...].firstIndex(of: UInt8(ascii: "{")),
      Self.words(code[asked.lowerBound..<opening]).contains("SignalProducer")
    else { return nil }
    return closing(of: opening).map { opening..<$0 }
  }

  /// Whether a start handler has no use for its second parameter, the lifetime of what it was started for.
  fileprivate func ignoresLifetime(_ handler: Range<Int>) -> Bool {
    let statements = statements(in: (handler.lowerBound + 1)..<handler.upperBound)
    guard let head = statements.first?.texts, let end = head.firstIndex(of: "in") else {
      return false
    }
    // What is captured stands before, in brackets.
    let start = head.first == "[" ? head.firstIndex(of: "]").map { $0 + 1 } ?? 0 : 0
    guard start < end else { return false }
    let parameters = head[start..<end].filter { SourceStatement.isName($0) }
    guard parameters.count == 2, let lifetime = parameters.last else { return false }
    if lifetime == "_" { return true }
    return !statements.dropFirst().contains { $0.texts.contains(lifetime) }
      && !head[end...].contains(lifetime)
  }
}
