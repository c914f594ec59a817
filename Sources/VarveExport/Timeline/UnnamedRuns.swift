/// Runs that have begun but not delivered, in order. One in the middle is removed without moving the
/// others.
struct UnnamedRuns {
  private struct Run {
    var edge: UInt64
    var track: Int
    var isThere = true
  }

  /// The number of runs.
  private(set) var count = 0
  private var runs: [Run] = []
  /// The index of the first run in `runs`, and the number of those that were before this array.
  private var head = 0
  private var gone = 0

  /// So many removed runs are kept at the beginning.
  private static let mostRemoved = 1_024

  /// Adds a run. Returns its place, which it keeps.
  mutating func append(_ edge: UInt64, _ track: Int) -> Int {
    runs.append(Run(edge: edge, track: track))
    count += 1
    return gone + runs.count - 1
  }

  /// Removes the first run and returns it.
  mutating func removeFirst() -> (edge: UInt64, track: Int)? {
    guard count > 0 else { return nil }
    let run = runs[head]
    remove(at: head)
    return (run.edge, run.track)
  }

  /// Removes the run at a place and returns its track.
  mutating func remove(_ place: Int) -> Int? {
    let index = place - gone
    guard index >= head, index < runs.count, runs[index].isThere else { return nil }
    let track = runs[index].track
    remove(at: index)
    return track
  }

  /// Removes the run that a subscription feeds and returns its track.
  mutating func remove(edge: UInt64) -> Int? {
    let index = runs[head...].firstIndex { $0.isThere && $0.edge == edge }
    return index.flatMap { remove(gone + $0) }
  }

  /// Removes a run; the first one that is left, if any, is the head.
  private mutating func remove(at index: Int) {
    runs[index].isThere = false
    count -= 1
    if count == 0 {
      gone += runs.count
      runs.removeAll(keepingCapacity: true)
      head = 0
      return
    }
    while !runs[head].isThere { head += 1 }
    if head >= Self.mostRemoved {
      runs.removeFirst(head)
      gone += head
      head = 0
    }
  }
}
