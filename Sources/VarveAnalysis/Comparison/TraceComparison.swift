public import VarveFormat

/// A comparison of two runs by what streams of the same name delivered, delivery by delivery.
///
/// Values, failures and ends are compared. Times, threads and names of events differ from run to
/// run and are not.
public struct TraceComparison {
  /// The point where two streams of one name diverge.
  public struct Divergence: Sendable, Hashable {
    /// The stream's name.
    public var name: String
    /// The ordinal of the delivery, from 1.
    public var ordinal: Int
    /// The event in the first trace; nil when the stream had no more deliveries there.
    public var left: EventName?
    /// The event in the second trace; nil when the stream had no more deliveries there.
    public var right: EventName?
    /// The number of deliveries in the first trace.
    public var leftCount: Int
    /// The number of deliveries in the second trace.
    public var rightCount: Int
    /// The time of the event, in nanoseconds from the start.
    fileprivate var time: Int64 = .max
  }

  /// The number of stream names whose deliveries were the same in both traces.
  public private(set) var same = 0
  /// The points where the others diverge, earliest first.
  public private(set) var divergences: [Divergence] = []
  /// The names of streams that delivered something in the first trace and nothing in the second.
  public private(set) var onlyLeft: [String] = []
  /// The names of streams that delivered something in the second trace and nothing in the first.
  public private(set) var onlyRight: [String] = []
  /// The damaged blocks that were passed over, in the first trace and in the second.
  public private(set) var damage: ([TraceFileError], [TraceFileError]) = ([], [])
  /// What was not compared, in the first trace and in the second: events of streams that the trace
  /// does not define, if there are too many such streams to keep apart.
  public private(set) var passedOver = (PassedOver(), PassedOver())

  /// Compares two traces of any length. Each is read once, and a few more times when they differ.
  /// Memory grows only with the number of stream names.
  ///
  /// - Throws: a `SelectionError` whenever a selection names an event that is not there.
  public init(
    _ left: TraceReader, _ leftSelection: Selection, _ right: TraceReader,
    _ rightSelection: Selection
  ) throws(SelectionError) {
    try self.init(
      left, leftSelection, right, rightSelection, mostMarks: DivergenceSearch.mostMarks)
  }

  /// Compares two traces, holding up to `mostMarks` marks of each during the search.
  package init(
    _ left: TraceReader, _ leftSelection: Selection, _ right: TraceReader,
    _ rightSelection: Selection, mostMarks: Int
  ) throws(SelectionError) {
    let (one, other) = (
      try Deliveries(left, leftSelection), try Deliveries(right, rightSelection)
    )
    damage = (one.damage, other.damage)
    passedOver = (one.passedOver, other.passedOver)
    let search = DivergenceSearch(one, other, mostMarks: mostMarks)
    var pairs: [DivergenceSearch.Pair] = []
    for (place, mine) in one.streams.enumerated() {
      if let otherPlace = other.place(of: mine.name) {
        if let pair = search.pair(place, otherPlace) { pairs.append(pair) } else { same += 1 }
      } else if !other.mayLack(mine) {
        onlyLeft.append(mine.name)
      }
    }
    onlyRight = other.streams.filter { one.place(of: $0.name) == nil && !one.mayLack($0) }
      .map(\.name).sorted()
    onlyLeft.sort()
    try search.run(&pairs)
    let times = (left.time, right.time)
    divergences = pairs.map { pair in
      let (mine, theirs) = (one.streams[pair.left], other.streams[pair.right])
      return Divergence(
        name: mine.name, ordinal: pair.ordinal, pair.events,
        counts: (mine.count, theirs.count), times: times)
    }
    divergences.sort { ($0.time, $0.name) < ($1.time, $1.name) }
  }

  /// Whether everything was compared.
  public var isWhole: Bool { passedOver.0 == PassedOver() && passedOver.1 == PassedOver() }

  /// Whether both traces delivered the same, as far as they were compared.
  public var isSame: Bool { divergences.isEmpty && onlyLeft.isEmpty && onlyRight.isEmpty }
}

extension TraceComparison.Divergence {
  fileprivate init(
    name: String, ordinal: Int, _ events: (DeliveryMark, DeliveryMark), counts: (Int, Int),
    times: (TraceTime, TraceTime)
  ) {
    self.name = name
    self.ordinal = ordinal
    (leftCount, rightCount) = counts
    left = events.0.event
    right = events.1.event
    time =
      left != nil
      ? times.0.nanoseconds(sinceStart: events.0.ticks)
      : times.1.nanoseconds(sinceStart: events.1.ticks)
  }
}
