internal import ArgumentParser
internal import VarveAnalysis
internal import VarveExport

/// Completion of lists of words with commas between them, word by word.
enum WordLists {
  /// The kinds of events.
  static let kinds = completion(KindSelection.names)

  /// The columns of events, which may have a sign before them.
  static let fields = completion(EventFields.allNames, signs: ["+", "-"])

  /// What a recorder is told.
  static let recorder = completion(RecorderWords.all.map(\.word))

  private static func completion(_ words: [String], signs: Set<Character> = []) -> CompletionKind {
    .custom { _, _, prefix in candidates(prefix, words, signs) }
  }

  /// Returns what a list can become when its last word is completed.
  static func candidates(
    _ prefix: String, _ words: [String], _ signs: Set<Character> = []
  ) -> [String] {
    let start = prefix.lastIndex(of: ",").map { prefix.index(after: $0) } ?? prefix.startIndex
    let known = Set(prefix[..<start].split(separator: ",").map { bare($0, signs) })
    let sign = prefix[start...].prefix(1).filter { signs.contains($0) }
    let begun = prefix[start...].dropFirst(sign.count)
    return words.filter { $0.hasPrefix(begun) && !known.contains($0) }
      .map { prefix[..<start] + sign + $0 }
  }

  private static func bare(_ word: Substring, _ signs: Set<Character>) -> String {
    String(word.first.map { signs.contains($0) } ?? false ? word.dropFirst() : word)
  }
}
