/// Finds the first deliveries in which streams of two traces differ.
///
/// Digests of two streams are equal up to the point where the streams diverge and differ beyond it,
/// so that the point is found as in a sorted list. Each round reads both traces once and compares
/// all unfinished streams at many points. For one pair of streams, two rounds are enough for
/// billions of events.
struct DivergenceSearch {
  /// Two streams of one name that differ.
  struct Pair {
    /// The stream's index in the left trace. `right` is that in the right one.
    let left: Int
    let right: Int
    /// The number of leading deliveries known to be the same in both …
    fileprivate var same: Int
    /// … and the smallest number known not to be: they differ, or one stream has fewer.
    fileprivate var different: Int
    fileprivate var step = Int.max
    /// The first deliveries that differ. A mark without an event stands for a missing delivery.
    fileprivate(set) var events = (DeliveryMark(), DeliveryMark())

    /// The ordinal of the first delivery that differs, from 1, once the search is over.
    var ordinal: Int { different }

    fileprivate var isFound: Bool { step == 1 }
  }

  private let left: Deliveries
  private let right: Deliveries
  private let mostMarks: Int

  /// The default number of marks for each trace; a mark takes 48 bytes.
  static let mostMarks = 1 << 16

  /// Prepares a search in two traces that holds up to `mostMarks` marks of each, but at least two
  /// for each pair of streams.
  init(_ left: Deliveries, _ right: Deliveries, mostMarks: Int) {
    self.left = left
    self.right = right
    self.mostMarks = mostMarks
  }

  /// Returns the pair of streams at two indices, with what their milestones say about where they
  /// diverge; nil when the streams are the same.
  func pair(_ place: Int, _ otherPlace: Int) -> Pair? {
    let (mine, theirs) = (left.streams[place], right.streams[otherPlace])
    guard mine.count != theirs.count || mine.digest != theirs.digest else { return nil }
    let known = min(mine.milestones.count, theirs.milestones.count)
    let same = (0..<known).first { mine.milestones[$0] != theirs.milestones[$0] } ?? known
    let shared = min(mine.count, theirs.count)
    return Pair(
      left: place, right: otherPlace,
      same: same == 0 ? 0 : Deliveries.ordinal(ofMilestone: same - 1),
      different: same < known
        ? Deliveries.ordinal(ofMilestone: same) : mine.count == theirs.count ? shared : shared + 1)
  }

  /// Finds the points where the streams diverge.
  func run(_ pairs: inout [Pair]) throws(SelectionError) {
    var open = Array(pairs.indices)
    while !open.isEmpty {
      try narrow(&pairs, open)
      open.removeAll { pairs[$0].isFound }
    }
  }

  private func narrow(_ pairs: inout [Pair], _ open: [Int]) throws(SelectionError) {
    let most = max(mostMarks / open.count, 2)
    for index in open {
      let length = pairs[index].different - pairs[index].same
      pairs[index].step = (length + most - 1) / most
    }
    let leftMarks = try left.marks(in: open.map { pairs[$0].stretch(at: pairs[$0].left) })
    let rightMarks = try right.marks(in: open.map { pairs[$0].stretch(at: pairs[$0].right) })
    var first = 0
    for index in open {
      let steps = pairs[index].stretch(at: 0).steps
      let range = first..<first + steps
      pairs[index].narrow(leftMarks[range], rightMarks[range])
      first += steps
    }
  }
}

extension DivergenceSearch.Pair {
  fileprivate func stretch(at place: Int) -> Stretch {
    Stretch(place: place, start: same, end: different, step: step)
  }

  /// Narrows the range to the step in which the streams diverge.
  fileprivate mutating func narrow(
    _ left: ArraySlice<DeliveryMark>, _ right: ArraySlice<DeliveryMark>
  ) {
    let marks = zip(left, right)
    let isSame = marks.prefix { $0.event != nil && $1.event != nil && $0.digest == $1.digest }.count
    let stretch = stretch(at: 0)
    // The last mark is already known to differ.
    let part = min(isSame, stretch.steps - 1)
    if part > 0 { same = stretch.end(ofStep: part - 1) }
    different = stretch.end(ofStep: part)
    events = (left[left.startIndex + part], right[right.startIndex + part])
  }
}
