/// The hops that each thread is running, outermost first.
package struct RunningHops: Sendable {
  /// A piece of work.
  package struct Hop: Sendable, Equatable {
    package var number: UInt64
    package var scheduler: UInt32

    /// Creates a piece of work.
    package init(number: UInt64, scheduler: UInt32) {
      self.number = number
      self.scheduler = scheduler
    }
  }

  private struct Place: WalkKey {
    var ring: UInt32
    var hop: UInt64

    var word: UInt64 { hop }
    var otherWord: UInt64 { UInt64(ring) }
  }

  /// The hops that each ring's thread is running.
  package private(set) var stacks: [UInt32: [Hop]] = [:]
  /// All hops in `stacks`, so that an end without a recorded beginning costs no search.
  private var places: WalkTable<Place, Void>

  /// The memory for a running hop, in bytes.
  private static let bytes = 64

  /// Creates an empty set of running hops.
  package init(_ walk: TraceWalk) {
    places = WalkTable(walk, bytes: Self.bytes, of: .work)
  }

  /// Records that a thread began a hop; returns false when there is no memory for it.
  @discardableResult
  package mutating func begin(_ hop: Hop, ring: UInt32) -> Bool {
    guard places.set((), for: Place(ring: ring, hop: hop.number)) else { return false }
    stacks[ring, default: []].append(hop)
    return true
  }

  /// Records that a thread ended a hop, along with every unfinished hop that began inside it.
  /// Returns false when the thread was not running the hop: the recording may have started after
  /// its beginning, or the beginning may have been lost.
  @discardableResult
  package mutating func end(_ hop: UInt64, ring: UInt32) -> Bool {
    guard places[Place(ring: ring, hop: hop)] != nil else { return false }
    // Every hop that the search visits is removed.
    while let last = stacks[ring]?.popLast() {
      places.removeValue(forKey: Place(ring: ring, hop: last.number))
      if last.number == hop { break }
    }
    return true
  }
}
