/// Suggests existing names for a name that does not exist.
public enum NearestName {
  /// Returns the candidates most similar to `name`, best first; dissimilar ones are left out.
  public static func of(_ name: String, among candidates: some Sequence<String>, most: Int = 3)
    -> [String]
  {
    let wanted = Array(name.lowercased().filter { $0 != "*" && $0 != "?" })
    guard !wanted.isEmpty else { return [] }
    let limit = max(2, wanted.count / 2)
    return Set(candidates)
      .map { (name: $0, distance: distance(wanted, Array($0.lowercased()))) }
      .filter { $0.distance <= limit }
      .sorted { ($0.distance, $0.name) < ($1.distance, $1.name) }
      .prefix(most).map(\.name)
  }

  /// Returns the number of insertions, removals, replacements and swaps of neighbors between two
  /// words. A prefix counts as near, whatever follows it.
  static func distance(_ wanted: [Character], _ candidate: [Character]) -> Int {
    if candidate.starts(with: wanted) { return candidate.count == wanted.count ? 0 : 1 }
    var older = [Int]()
    var previous = Array(0...candidate.count)
    for (row, character) in wanted.enumerated() {
      var current = [row + 1]
      for (column, other) in candidate.enumerated() {
        let replaced = previous[column] + (character == other ? 0 : 1)
        var best = min(replaced, previous[column + 1] + 1, current[column] + 1)
        if row > 0, column > 0, character == candidate[column - 1], wanted[row - 1] == other {
          best = min(best, older[column - 1] + 1)
        }
        current.append(best)
      }
      older = previous
      previous = current
    }
    return previous[candidate.count]
  }
}
