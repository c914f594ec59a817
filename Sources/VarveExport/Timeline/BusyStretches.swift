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
    var joined: [ClosedRange<UInt64>] = []
    for stretch in stretches {
      if let last = joined.last, stretch.lowerBound - last.upperBound < grain {
        joined[joined.count - 1] = last.lowerBound...stretch.upperBound
      } else {
        joined.append(stretch)
      }
    }
    stretches = joined
  }
}
