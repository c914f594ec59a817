internal import VarveMarbles

/// The branches before the names in a tree of streams, in as few columns as there is room for.
///
/// A level usually takes two columns. Where deep branches would leave no room for names, it takes
/// one; of branches that are deeper still, the outer levels are counted, `…12 │└ name`. They are
/// counted in steps, so that rows near each other leave out as many.
struct TreeBranches {
  /// The greatest number of levels.
  var deepest = 0
  /// Whether levels take one column.
  var isNarrow = false

  private let ellipsis: String
  /// The widest branches and names together, with two columns a level and with one.
  private var widest = 0
  private var widestNarrow = 0

  /// The columns of one level.
  private static let level = 2
  /// The columns that a name keeps beside deep branches.
  private var leastName: Int { isNarrow ? 14 : 20 }
  /// The columns that are left to others, such as places.
  private static let others = 25

  init(ascii: Bool) { ellipsis = ascii ? ".." : "…" }

  /// Takes a row into account.
  mutating func add(_ branch: String, name: Int) {
    let levels = branch.count / Self.level
    deepest = max(deepest, levels)
    widest = max(widest, branch.count + name)
    widestNarrow = max(widestNarrow, (levels == 0 ? 0 : levels + 1) + name)
  }

  /// The columns that branches and names ask for.
  var wanted: Int { isNarrow ? widestNarrow : widest }

  /// The width of the deepest branches.
  private var width: Int { width(of: deepest) }

  private func width(of levels: Int) -> Int {
    levels == 0 ? 0 : isNarrow ? levels + 1 : levels * Self.level
  }

  /// Returns whether a column has room for the deepest branches beside a name.
  func fit(in columns: Int) -> Bool {
    deepest == 0 || columns >= wanted || width + leastName <= columns
  }

  /// The columns down to which branches and names shorten before other columns go.
  func readable(atLeast least: Int, in room: Int) -> Int {
    isNarrow ? max(least, min(width + leastName, room - Self.others)) : least
  }

  /// Returns branches in a column.
  func shown(_ branch: String, in columns: Int) -> String {
    let levels = branch.count / Self.level
    let hidden = hidden(of: levels, in: columns)
    guard hidden > 0 else { return whole(branch) }
    return "\(ellipsis)\(hidden) " + whole(String(branch.dropFirst(hidden * Self.level)))
  }

  private func whole(_ branch: String) -> String {
    guard isNarrow, branch.count > Self.level else { return branch }
    let outer = branch.dropLast(Self.level).enumerated().filter { $0.offset % Self.level == 0 }
    return String(outer.map(\.element)) + branch.suffix(Self.level)
  }

  /// Returns how many levels are counted.
  private func hidden(of levels: Int, in columns: Int) -> Int {
    let room = columns - leastName
    guard width(of: levels) > room, columns < wanted else { return 0 }
    let head = DisplayWidth.of(ellipsis) + String(levels).count + 1
    let most = max((room - head - 1) / (isNarrow ? 1 : Self.level), 1)
    let step = max(most / 2, 1)
    // The last level says whether another stream follows below the same one.
    return min((levels - most + step - 1) / step * step, levels - 1)
  }

  /// What the numbers mean, if there are any.
  func legend(in columns: Int) -> String? {
    guard hidden(of: deepest, in: columns) > 0 else { return nil }
    return "\(ellipsis)12 before a name: 12 levels of the tree above it are not drawn."
  }
}
