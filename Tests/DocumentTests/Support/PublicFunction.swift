import Foundation

/// A public function of a type, as the sources declare it, and its doc comment.
struct PublicFunction {
  /// The type that is declared or extended.
  let type: String
  /// `take(first:)`: without the labels that only tell the place in the code.
  let name: String
  /// The doc comment, without its slashes.
  let comment: [String]
  /// The declaration up to its body.
  let declaration: String
  /// `Sources/VarveReactive/Operators/Take.swift:90`.
  let place: String

  /// The public functions in the extensions and bodies of the types of a file, and the properties
  /// that can be called as functions. What is nested deeper is left out.
  static func all(in path: String) throws -> [PublicFunction] {
    let lines = try Repository.lines(of: path).map(String.init)
    var found: [PublicFunction] = []
    var type = ""
    var comment: [String] = []
    let typePattern = try typePattern()
    let namePatterns = try NamePatterns()
    for (index, line) in lines.enumerated() {
      if let first = line.first, first != " ", let match = line.firstMatch(of: typePattern) {
        type = String(match.output.1)
      }
      let text = line.trimmingPrefix { $0 == " " }
      if text.hasPrefix("///") {
        comment.append(String(text.dropFirst(3)))
        continue
      }
      // Attributes stand between a comment and its declaration.
      if text.hasPrefix("@"), !text.contains("func "), !text.contains("var ") { continue }
      if line.hasPrefix("  "), !line.hasPrefix("   "), line.contains("public ") {
        let declaration = declaration(lines[index...])
        if let name = namePatterns.name(of: declaration) {
          found.append(
            PublicFunction(
              type: type, name: name, comment: comment, declaration: declaration,
              place: "\(path):\(index + 1)"))
        }
      }
      comment = []
    }
    return found
  }

  private static func typePattern() throws -> Regex<(Substring, Substring)> {
    try Regex(
      #"^(?:public |open |final |@\w+ )*(?:extension|class|struct|enum|protocol|actor) ([\w.]+)"#)
  }

  /// The lines from the first one to the end of the parameters.
  private static func declaration(_ lines: ArraySlice<String>) -> String {
    var text = ""
    for line in lines {
      text += (text.isEmpty ? "" : " ") + line.trimmingPrefix { $0 == " " }
      let open = text.count { $0 == "(" }
      if open == text.count(where: { $0 == ")" }) { break }
    }
    return text
  }

  static let places: Set = ["file", "line", "function"]

  /// The parameters' labels: `first:second:`. Of more than two without a label, two are told.
  fileprivate static func labels(_ signature: Substring) -> String {
    var labels: [String] = []
    for parameter in parameters(signature) {
      let words = parameter.split(separator: ":")[0].split(separator: " ")
      guard let label = words.first(where: { !$0.hasPrefix("@") }).map(String.init) else {
        continue
      }
      if places.contains(label) || label == "_" && labels.suffix(2) == ["_", "_"] { continue }
      labels.append(label)
    }
    return labels.map { "\($0):" }.joined()
  }

  /// What stands between the commas of the parameter list.
  private static func parameters(_ signature: Substring) -> [String] {
    guard let open = signature.firstIndex(of: "(") else { return [] }
    var depth = 0
    var parameters = [""]
    var last: Character = " "
    for character in signature[signature.index(after: open)...] {
      if ")]}".contains(character) || character == ">" && last != "-" { depth -= 1 }
      if depth < 0 { break }
      if "([{<".contains(character) { depth += 1 }
      if character == ",", depth == 0 {
        parameters.append("")
      } else {
        parameters[parameters.count - 1].append(character)
      }
      last = character
    }
    return parameters.filter { $0.contains(":") }
  }
}

/// How declarations look that have a name: made once for a file, for that is slow.
private struct NamePatterns {
  private let function: Regex<(Substring, Substring)>
  private let callable: Regex<(Substring, Substring)>

  init() throws {
    function = try Regex(#"^(?:@\w+ )*public (?:final |static )*func `?(\w+)`?"#)
    callable = try Regex(
      #"^(?:@\w+ )*public var (\w+): \w*(?:Combining|Merging|Zipping|Zip)\b"#)
  }

  func name(of declaration: String) -> String? {
    if let match = declaration.firstMatch(of: function) {
      let labels = PublicFunction.labels(declaration[match.range.upperBound...])
      return "\(match.output.1)(\(labels))"
    }
    return declaration.firstMatch(of: callable).map { "\($0.output.1)(with:)" }
  }
}
