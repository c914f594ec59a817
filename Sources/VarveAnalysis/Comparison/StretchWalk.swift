internal import VarveFormat

/// A range of the deliveries of one stream name, divided into steps.
struct Stretch {
  /// The index of the name in its trace.
  var place: Int
  /// The number of deliveries before the stretch.
  var start: Int
  /// The number of deliveries up to its end.
  var end: Int
  /// The number of deliveries in a step; the last step may be shorter.
  var step: Int

  /// The number of steps.
  var steps: Int { (end - start + step - 1) / step }

  /// Returns the number of deliveries up to the end of a step.
  func end(ofStep index: Int) -> Int { min(start + (index + 1) * step, end) }
}

/// The delivery at the end of a step.
struct DeliveryMark {
  /// The digest of the stretch up to here.
  var digest = DeliveryDigest()
  /// The event; nil when there are fewer deliveries.
  var event: EventName?
  /// When it happened, in ticks.
  var ticks: UInt64 = 0
}

/// Sets marks on stretches while deliveries are read.
struct StretchWalk {
  fileprivate struct Position {
    let stretch: Stretch
    /// The ordinal of the last existing delivery in the stretch.
    let last: Int
    /// The index of the mark for the current step.
    var mark: Int
    /// The number of deliveries up to the end of the current step.
    var stepEnd: Int
    var seen = 0
    var digest = DeliveryDigest()
  }

  /// The marks of all stretches, one stretch after another.
  private(set) var marks: [DeliveryMark]
  private var positions: [Position] = []
  /// The index of each name's stretch, or `none`.
  private var stretchOfPlace: [UInt32]
  private var openCount = 0

  private static let none = UInt32.max

  /// Creates a walk.
  ///
  /// - Parameter counts: the number of deliveries of each name.
  init(_ stretches: [Stretch], counts: some Collection<Int>) {
    stretchOfPlace = [UInt32](repeating: Self.none, count: counts.count)
    let counts = Array(counts)
    positions.reserveCapacity(stretches.count)
    var mark = 0
    for stretch in stretches {
      stretchOfPlace[stretch.place] = UInt32(positions.count)
      let last = min(stretch.end, counts[stretch.place])
      positions.append(
        Position(stretch: stretch, last: last, mark: mark, stepEnd: stretch.end(ofStep: 0)))
      if last > stretch.start { openCount += 1 }
      mark += stretch.steps
    }
    marks = [DeliveryMark](repeating: DeliveryMark(), count: mark)
  }

  /// Whether any stretch is unfinished.
  var isOpen: Bool { openCount > 0 }

  /// Takes in the next delivery of a name.
  mutating func note(_ place: Int, _ columns: ColumnPointers, _ index: Int) {
    let stretch = stretchOfPlace[place]
    guard stretch != Self.none else { return }
    let isOver = positions[Int(stretch)].advance(over: columns, index, &marks)
    if isOver { openCount -= 1 }
  }
}

extension StretchWalk.Position {
  /// Takes in the next delivery; returns whether it is the last one of the stretch.
  fileprivate mutating func advance(
    over columns: ColumnPointers, _ index: Int, _ marks: inout [DeliveryMark]
  ) -> Bool {
    seen += 1
    guard seen > stretch.start, seen <= last else { return false }
    digest.add(columns, index)
    if seen == stepEnd {
      marks[mark] = DeliveryMark(
        digest: digest, event: columns.name(index), ticks: columns.ticks[index])
      mark += 1
      stepEnd = min(seen + stretch.step, stretch.end)
    }
    return seen == last
  }
}
