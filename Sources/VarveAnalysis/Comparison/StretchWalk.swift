internal import VarveFormat

/// A part of what the streams of one name delivered, looked at in steps.
struct Stretch {
  /// Which name, by its place among those of its trace.
  var place: Int
  /// So many deliveries come before.
  var start: Int
  /// So many there are to the end.
  var end: Int
  /// So many deliveries are a step; the last one may be shorter.
  var step: Int

  /// How many steps there are.
  var steps: Int { (end - start + step - 1) / step }

  /// How many deliveries there are to the end of a step.
  func end(ofStep index: Int) -> Int { min(start + (index + 1) * step, end) }
}

/// The delivery at the end of a step.
struct DeliveryMark {
  /// Of what the stretch holds up to there.
  var digest = DeliveryDigest()
  /// The event; nil when there were not as many deliveries.
  var event: EventName?
  /// When it happened.
  var ticks: UInt64 = 0
}

/// Puts marks on stretches while deliveries go by.
struct StretchWalk {
  fileprivate struct Position {
    let stretch: Stretch
    /// The last delivery of the stretch that there is.
    let last: Int
    /// Where the mark of the step is kept.
    var mark: Int
    /// So many deliveries there are to the end of the step.
    var stepEnd: Int
    var seen = 0
    var digest = DeliveryDigest()
  }

  /// The marks of all stretches, one after the other.
  private(set) var marks: [DeliveryMark]
  private var positions: [Position] = []
  /// By a name's place, that of its stretch; or none.
  private var stretchOfPlace: [UInt32]
  private var openCount = 0

  private static let none = UInt32.max

  /// Prepares a walk.
  ///
  /// - Parameter counts: how much there is of each name.
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

  /// Whether there is a stretch that is not over.
  var isOpen: Bool { openCount > 0 }

  /// Looks at the next delivery of a name.
  mutating func note(_ place: Int, _ columns: ColumnPointers, _ index: Int) {
    let stretch = stretchOfPlace[place]
    guard stretch != Self.none else { return }
    let isOver = positions[Int(stretch)].advance(over: columns, index, &marks)
    if isOver { openCount -= 1 }
  }
}

extension StretchWalk.Position {
  /// Looks at the next delivery; returns whether it is the last one of the stretch.
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
