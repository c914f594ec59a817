/// A list of the runs that an owner tends.
///
/// The list needs no allocation, because its links lie in the runs. A run is in at most one list.
struct RunList {
  private var first: Run?

  /// All runs, newest first.
  var all: [Run] {
    var runs: [Run] = []
    var current = first
    while let run = current {
      runs.append(run)
      current = run.nextInList
    }
    return runs
  }

  /// Adds a run.
  mutating func insert(_ run: Run) {
    run.nextInList = first
    first?.previousInList = run
    first = run
    run.isInList = true
  }

  /// Removes a run; returns false if it was not in the list.
  mutating func remove(_ run: Run) -> Bool {
    guard run.isInList else { return false }
    run.isInList = false
    let (previous, next) = (run.previousInList, run.nextInList)
    if let previous { previous.nextInList = next } else { first = next }
    next?.previousInList = previous
    run.previousInList = nil
    run.nextInList = nil
    return true
  }

  /// Removes and returns all runs.
  mutating func removeAll() -> [Run] {
    let runs = all
    for run in runs { _ = remove(run) }
    return runs
  }
}
