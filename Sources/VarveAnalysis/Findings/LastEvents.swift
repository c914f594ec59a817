internal import VarveFormat

/// A list that keeps only the last events added to it.
struct LastEvents {
  private let most: Int
  private var kept: [EventName] = []
  /// The index of the oldest event once the list is full.
  private var oldest = 0

  init(_ most: Int) { self.most = most }

  mutating func append(_ event: EventName) {
    guard kept.count == most else { return kept.append(event) }
    kept[oldest] = event
    oldest = (oldest + 1) % most
  }

  /// The events, oldest first.
  var names: [EventName] { Array(kept[oldest...] + kept[..<oldest]) }
}
