internal import VarveAnalysis

extension SourceLines {
  /// The number of lines before and after the one in question.
  private static let around = 5

  /// Returns the lines around a place, `Shop/Shop.swift:12`, as a JSON object; nil if there are none.
  mutating func json(_ place: String) -> String? {
    guard let colon = place.lastIndex(of: ":"), let line = Int(place[place.index(after: colon)...]),
      line > 0
    else { return nil }
    let name = String(place[..<colon])
    guard let lines = lines(of: name), line <= lines.count else { return nil }
    let first = max(line - Self.around, 1)
    let shown = lines[(first - 1)..<min(line + Self.around, lines.count)]
    let texts = shown.map { JSONText.quoted(String($0)) }.joined(separator: ",")
    return """
      {"file":\(JSONText.quoted(name)),"line":\(line),"first":\(first),"lines":[\(texts)]}
      """
  }
}
