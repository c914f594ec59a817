/// Finds the first deliveries in which streams of two traces differ.
///
/// What two streams delivered is the same up to where they part, and digests of more than that are
/// not: the place is searched for as in a sorted list. A round looks at both traces once, at many
/// points of all streams that are searched; for one pair of streams two rounds are enough for
/// thousands of millions of events.
struct DivergenceSearch {
  /// Streams of one name that differ.
  struct Pair {
    /// Their places among the streams of their traces.
    let left: Int
    let right: Int
    /// So many deliveries are the same in both …
    fileprivate var same: Int
    /// … and so many are not: they differ, or one has not as many.
    fileprivate var different: Int
    fileprivate var step = Int.max
    /// The first deliveries that differ; without an event where there is none.
    fileprivate(set) var events = (DeliveryMark(), DeliveryMark())

    /// Which delivery is the first that differs, from 1, when the search is over.
    var ordinal: Int { different }

    fileprivate var isFound: Bool { step == 1 }
  }

  private let left: Deliveries
  private let right: Deliveries
  private let mostMarks: Int

  /// So many marks, of 48 bytes each, take little memory.
  static let mostMarks = 1 << 16

  /// Prepares to search in two traces, with so many marks held of each; where there are more
  /// streams, with two for each stream.
  init(_ left: Deliveries, _ right: Deliveries, mostMarks: Int) {
    self.left = left
    self.right = right
    self.mostMarks = mostMarks
  }

  /// The streams at two places, and what their milestones tell of where they part; nil when they
  /// are the same.
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

  /// Finds where they part.
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

  /// Leaves the step in which the streams part.
  fileprivate mutating func narrow(
    _ left: ArraySlice<DeliveryMark>, _ right: ArraySlice<DeliveryMark>
  ) {
    let marks = zip(left, right)
    let isSame = marks.prefix { $0.event != nil && $1.event != nil && $0.digest == $1.digest }.count
    let stretch = stretch(at: 0)
    // The last mark differs: that is known already.
    let part = min(isSame, stretch.steps - 1)
    if part > 0 { same = stretch.end(ofStep: part - 1) }
    different = stretch.end(ofStep: part)
    events = (left[left.startIndex + part], right[right.startIndex + part])
  }
}
