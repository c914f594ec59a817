internal import VarveAnalysis

/// What somebody may have meant.
enum Suggestion {
  /// `did you mean "replay"?`, or nil when nothing is like it.
  static func text(_ word: String, among candidates: [String]) -> String? {
    NearestName.of(word, among: candidates, most: 1).first.map { "did you mean \"\($0)\"?" }
  }
}
