import Foundation

/// A function or an initialiser whose doc comment tells of its parameters.
struct DocumentedFunction {
  /// The parameters' names inside the function.
  let parameters: [String]
  /// Those that the comment tells of.
  let documented: [String]
  let isPublic: Bool
  /// `Sources/VarveReactive/Operators/Take.swift:90`.
  let place: String

  /// Those of a file.
  static func all(in path: String) throws -> [DocumentedFunction] {
    let patterns = try Patterns()
    let lines = try Repository.lines(of: path).map { $0.drop { $0 == " " } }
    var found: [DocumentedFunction] = []
    var comment: [Substring] = []
    for (index, line) in lines.enumerated() {
      if line.hasPrefix("///") {
        comment.append(line.dropFirst(3))
        continue
      }
      // Attributes stand between a comment and its declaration.
      if line.hasPrefix("@"), !line.contains(patterns.keyword) { continue }
      let tells = comment.contains { $0.hasPrefix(" - Parameter") }
      let documented = tells ? patterns.documented(in: comment) : []
      if !documented.isEmpty, let match = line.firstMatch(of: patterns.keyword) {
        let declaration = declaration(lines[index...])
        found.append(
          DocumentedFunction(
            parameters: parameters(declaration.dropFirst(line[..<match.range.upperBound].count)),
            documented: documented, isPublic: line.contains(patterns.isPublic),
            place: "\(path):\(index + 1)"))
      }
      comment = []
    }
    return found
  }

  /// The lines from the first one to the end of the parameters.
  private static func declaration(_ lines: ArraySlice<Substring>) -> String {
    var text = ""
    for line in lines {
      text += (text.isEmpty ? "" : " ") + line
      let open = text.count { $0 == "(" }
      if open > 0, open == text.count(where: { $0 == ")" }) { break }
    }
    return text
  }

  /// The names in the first list that is in parentheses and not in the angle brackets of generics.
  private static func parameters(_ signature: Substring) -> [String] {
    var depth = 0
    var isInList = false
    var last: Character = " "
    var parts = [""]
    for character in signature {
      if ")]}".contains(character) || character == ">" && last != "-" { depth -= 1 }
      if isInList, depth == 0 { break }
      if isInList, character == ",", depth == 1 {
        parts.append("")
      } else if isInList {
        parts[parts.count - 1].append(character)
      } else if character == "(", depth == 0 {
        isInList = true
      }
      if "([{<".contains(character) { depth += 1 }
      last = character
    }
    return parts.compactMap { part in
      part.split(separator: ":").first?.split(separator: " ").last.map { $0.trimming("`") }
    }
  }

  private struct Patterns {
    let keyword: Regex<Substring>
    let isPublic: Regex<Substring>
    private let single: Regex<(Substring, Substring)>
    private let heading: Regex<Substring>
    private let entry: Regex<(Substring, Substring)>

    init() throws {
      keyword = try Regex(#"\b(?:func\s+[^\s(<]+|init[?!]?|subscript)(?=[(<\s])"#)
      isPublic = try Regex(#"\b(?:public|open)\b"#)
      single = try Regex(#"^ - Parameter `?(\w+)`?:"#, as: (Substring, Substring).self)
      heading = try Regex(#"^ - Parameters:"#)
      entry = try Regex(#"^   - `?(\w+)`?:"#, as: (Substring, Substring).self)
    }

    /// The parameters that a comment tells of.
    func documented(in comment: [Substring]) -> [String] {
      var names: [String] = []
      var isInList = false
      for line in comment {
        if let match = line.firstMatch(of: single) { names.append(String(match.output.1)) }
        if line.contains(heading) {
          isInList = true
        } else if line.hasPrefix(" - ") || line.isEmpty {
          isInList = false
        } else if isInList, let match = line.firstMatch(of: entry) {
          names.append(String(match.output.1))
        }
      }
      return names
    }
  }
}

extension Substring {
  fileprivate func trimming(_ character: Character) -> String {
    String(drop { $0 == character }.reversed().drop { $0 == character }.reversed())
  }
}
