/// A piece of Swift that stands in a document and, word for word, in a source that is compiled.
struct Example: Equatable {
  let lines: [String]

  /// The blocks of Swift in a document, in order.
  static func inDocument(_ lines: [Substring]) -> [Example] {
    between(lines, from: { $0 == "```swift" }, to: { $0 == "```" })
  }

  /// The pieces of a source between `// example` and `// end`, in order, without the indentation
  /// that the source gives them.
  static func inSource(_ lines: [Substring]) -> [Example] {
    between(
      lines, from: { $0.drop { $0 == " " } == "// example" },
      to: { $0.drop { $0 == " " } == "// end" }
    ).map(\.outdented)
  }

  private static func between(
    _ lines: [Substring], from begins: (Substring) -> Bool, to ends: (Substring) -> Bool
  ) -> [Example] {
    var found: [Example] = []
    var current: [String]?
    for line in lines {
      if let gathered = current {
        if ends(line) {
          found.append(Example(lines: gathered))
          current = nil
        } else {
          current = gathered + [String(line)]
        }
      } else if begins(line) {
        current = []
      }
    }
    return found
  }

  private var outdented: Example {
    let indentation = lines.filter { !$0.isEmpty }.map { $0.prefix { $0 == " " }.count }.min() ?? 0
    return Example(lines: lines.map { String($0.dropFirst(indentation)) })
  }
}
