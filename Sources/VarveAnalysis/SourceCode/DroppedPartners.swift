/// Finds, in the source of a call, where something that is handed to it was made together with something
/// else which nothing keeps: `let (lifetime, _) = …`. What lives no longer may have ended the other at once.
package struct DroppedPartners {
  private var sources = SourceLines()

  /// Makes a reader that has read nothing yet.
  package init() {}

  /// Returns what is handed over in a line, and the line in which it was made with such a partner; nil if it
  /// was not, or if the source is not there.
  package mutating func partner(
    ofArgumentIn frame: NamedFrame
  ) -> (name: String, line: UInt32)? {
    guard let source = sources.source(at: frame),
      let body = source.functionBody(around: source.asked.lowerBound)
    else { return nil }
    let texts = source.statements(in: source.asked).flatMap(\.texts)
    let arguments = texts.indices.dropLast().filter {
      SourceStatement.isName(texts[$0]) && [")", ","].contains(texts[$0 + 1])
    }.map { texts[$0] }
    let before = source.statements(in: body.lowerBound..<source.asked.lowerBound)
    for statement in before.reversed() {
      guard let name = statement.keptOfPair, arguments.contains(name) else { continue }
      return (name, UInt32(source.line(at: statement.position)))
    }
    return nil
  }
}

extension SourceStatement {
  /// The part of a pair that a statement names, if it drops the other one: `let (name, _) = …`.
  fileprivate var keptOfPair: String? {
    let texts = texts
    guard texts.count > 6, ["let", "var"].contains(texts[0]), texts[1] == "(", texts[3] == ",",
      texts[5] == ")", texts[6] == "="
    else { return nil }
    switch (texts[2], texts[4]) {
    case ("_", "_"): return nil
    case ("_", let name), (let name, "_"): return name
    default: return nil
    }
  }
}
