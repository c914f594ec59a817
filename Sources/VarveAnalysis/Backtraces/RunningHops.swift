/// The hops whose work threads run, the outermost of each thread first.
package struct RunningHops: Sendable {
  /// A piece of work.
  package struct Hop: Sendable {
    package var number: UInt64
    package var scheduler: UInt32

    /// Creates a piece of work.
    package init(number: UInt64, scheduler: UInt32) {
      self.number = number
      self.scheduler = scheduler
    }
  }

  private struct Place: Hashable {
    var ring: UInt32
    var hop: UInt64
  }

  /// What each ring's thread runs.
  package private(set) var stacks: [UInt32: [Hop]] = [:]
  private var count = 0
  private let walk: TraceWalk
  private var room: WalkRoom
  /// The latest of each number on each thread: an end whose beginning nobody has seen costs no
  /// search.
  private var places: Set<Place> = []

  /// What it takes to remember a hop that runs.
  private static let bytes = 64

  /// Nothing runs.
  package init(_ walk: TraceWalk) {
    self.walk = walk
    room = WalkRoom(walk, bytes: Self.bytes)
  }

  /// A thread begins work; returns false when that cannot be remembered.
  @discardableResult
  package mutating func begin(_ hop: Hop, ring: UInt32) -> Bool {
    guard room.hold(count + 1) else {
      walk.passOver(.work)
      return false
    }
    stacks[ring, default: []].append(hop)
    places.insert(Place(ring: ring, hop: hop.number))
    count += 1
    return true
  }

  /// A thread ends work, and with it what it began inside and did not end; returns false when it did
  /// not run that: a recording that began meanwhile knows of no beginning, and losses may have taken
  /// any.
  @discardableResult
  package mutating func end(_ hop: UInt64, ring: UInt32) -> Bool {
    guard places.contains(Place(ring: ring, hop: hop)) else { return false }
    // All that is searched is removed.
    while let last = stacks[ring]?.popLast() {
      places.remove(Place(ring: ring, hop: last.number))
      count -= 1
      if last.number == hop { break }
    }
    return true
  }
}
