internal import VarveAnalysis

/// Suggestions for a mistyped word.
enum Suggestion {
  /// Returns `did you mean "replay"?`, or nil if no candidate is similar.
  static func text(_ word: String, among candidates: [String]) -> String? {
    NearestName.of(word, among: candidates, most: 1).first.map { "did you mean \"\($0)\"?" }
  }
}
