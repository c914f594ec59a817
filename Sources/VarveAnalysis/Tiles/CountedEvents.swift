/// An event that was counted for a picture: when it was, in which of the picture's lanes, and its kind.
struct CountedEvent {
  let tick: UInt64
  let row: UInt32
  let kind: UInt8

  /// The number of events of a picture that are kept.
  static let most = 1 << 17
}

/// The events of the last pictures that had to be decoded. One who looks closer looks at a part of
/// what was decoded, of the same lanes: nothing has to be read again, however many lanes the trace
/// has.
struct CountedEvents {
  private struct Picture {
    let lanes: [Int]
    let ticks: ClosedRange<UInt64>
    let events: [CountedEvent]
  }

  private var pictures: [Picture] = []

  private static let most = 4

  /// Returns the events of some lanes in a period, and maybe others around it; nil if they are not
  /// known.
  func events(of lanes: [Int], in ticks: ClosedRange<UInt64>) -> [CountedEvent]? {
    pictures.last {
      $0.ticks.lowerBound <= ticks.lowerBound && $0.ticks.upperBound >= ticks.upperBound
        && $0.lanes == lanes
    }?.events
  }

  mutating func keep(_ events: [CountedEvent], of lanes: [Int], in ticks: ClosedRange<UInt64>) {
    if pictures.count == Self.most { pictures.removeFirst() }
    pictures.append(Picture(lanes: lanes, ticks: ticks, events: events))
  }
}
