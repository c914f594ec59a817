/// The times of events, as a bounded number of stretches.
///
/// Times closer than a grain share a stretch; when there are too many stretches, the grain doubles.
/// So the long gaps between them are exact, however many events there are.
struct BusyStretches {
  private static let most = 4096

  private(set) var stretches: [ClosedRange<UInt64>] = []
  /// Times that are closer share a stretch.
  private(set) var grain: UInt64 = 1_000

  /// Adds a time. Times come in order.
  mutating func add(_ time: UInt64) {
    if let last = stretches.last, time <= last.upperBound || time - last.upperBound < grain {
      let end = max(time, last.upperBound)
      stretches[stretches.count - 1] = last.lowerBound...end
      return
    }
    stretches.append(time...time)
    while stretches.count > Self.most { coarsen() }
  }

  /// Extends the last stretch to a time: there are times in between without a gap.
  mutating func extend(to time: UInt64) {
    guard let last = stretches.last, time > last.upperBound else { return }
    stretches[stretches.count - 1] = last.lowerBound...time
  }

  /// Adds stretches without gaps, in any order: the result is that of adding their times in order.
  mutating func add(_ more: [ClosedRange<UInt64>]) {
    let sorted = (stretches + more).sorted { $0.lowerBound < $1.lowerBound }
    stretches = []
    join(sorted)
    while stretches.count > Self.most { coarsen() }
  }

  /// Adds what was found elsewhere in the same trace.
  mutating func add(_ other: BusyStretches) {
    grain = max(grain, other.grain)
    add(other.stretches)
  }

  /// Adds a stretch, anywhere.
  mutating func include(_ stretch: ClosedRange<UInt64>) {
    let touching = stretches.filter { $0.overlaps(stretch) }
    let first = touching.map(\.lowerBound).min() ?? stretch.lowerBound
    let last = touching.map(\.upperBound).max() ?? stretch.upperBound
    let whole = min(first, stretch.lowerBound)...max(last, stretch.upperBound)
    stretches.removeAll { $0.overlaps(stretch) }
    stretches.insert(
      whole, at: stretches.firstIndex { $0.lowerBound > whole.upperBound } ?? stretches.count)
  }

  private mutating func coarsen() {
    grain *= 2
    let finer = stretches
    stretches = []
    join(finer)
  }

  /// Joins stretches that are in order, and may overlap.
  private mutating func join(_ sorted: [ClosedRange<UInt64>]) {
    for stretch in sorted {
      if let last = stretches.last,
        stretch.lowerBound <= last.upperBound || stretch.lowerBound - last.upperBound < grain
      {
        let end = max(stretch.upperBound, last.upperBound)
        stretches[stretches.count - 1] = last.lowerBound...end
      } else {
        stretches.append(stretch)
      }
    }
  }
}
