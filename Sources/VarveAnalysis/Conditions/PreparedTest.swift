internal import VarveFormat
internal import VarveProbe

/// A condition whose names have been looked up in a trace.
indirect enum PreparedTest {
  case both(PreparedTest, PreparedTest)
  case either(PreparedTest, PreparedTest)
  case not(PreparedTest)
  case kinds(KindTest)
  case rings(Set<UInt32>)
  case streams(StreamTest)
  case time(Condition.Comparison, Int64)
  case step(Condition.Comparison, Int64)
  case subscription(Condition.Comparison, Int64)
  case work(SchedulerStretches)
  case reason(ReasonTest)
  case value(ValueTest)
  case truncated
  case event(EventName)

  /// The columns that it reads.
  var columns: ColumnSet {
    switch self {
    case .both(let one, let other), .either(let one, let other): one.columns.union(other.columns)
    case .not(let other): other.columns
    case .kinds(let kinds): kinds.selection == nil ? .kinds : [.kinds, .payloads]
    case .rings, .event: []
    case .streams: [.kinds, .streams]
    case .work: [.kinds, .streams, .subscriptions]
    case .time, .step: .ticks
    case .subscription: .subscriptions
    case .reason: [.kinds, .payloads]
    case .value, .truncated: .payloads
    }
  }

  /// Whether the event before each is needed.
  var needsSteps: Bool {
    switch self {
    case .both(let one, let other), .either(let one, let other):
      one.needsSteps || other.needsSteps
    case .not(let other): other.needsSteps
    case .step: true
    case .kinds, .rings, .streams, .time, .subscription, .work, .reason, .value, .truncated, .event:
      false
    }
  }

  /// What the summary of a block tells about its events.
  struct Verdict {
    /// Whether the condition may hold for some event.
    var mayHold = true
    /// Whether it may not hold for some event.
    var mayFail = true
  }

  func verdict(on block: BlockSummary, _ clock: TraceTime) -> Verdict {
    switch self {
    case .both(let one, let other):
      let (one, other) = (one.verdict(on: block, clock), other.verdict(on: block, clock))
      return Verdict(
        mayHold: one.mayHold && other.mayHold, mayFail: one.mayFail || other.mayFail)
    case .either(let one, let other):
      let (one, other) = (one.verdict(on: block, clock), other.verdict(on: block, clock))
      return Verdict(
        mayHold: one.mayHold || other.mayHold, mayFail: one.mayFail && other.mayFail)
    case .not(let other):
      let other = other.verdict(on: block, clock)
      return Verdict(mayHold: other.mayFail, mayFail: other.mayHold)
    case .kinds(let kinds): return kinds.verdict(on: block)
    case .rings(let rings):
      let isWanted = rings.contains(block.ring)
      return Verdict(mayHold: isWanted, mayFail: !isWanted)
    case .streams(let streams): return Verdict(mayHold: streams.mayIntersect(block))
    case .time(let comparison, let wanted):
      let first = clock.nanoseconds(sinceStart: block.ticks.lowerBound)
      let last = clock.nanoseconds(sinceStart: block.ticks.upperBound)
      return Self.verdict(on: first...max(first, last), comparison, wanted)
    case .event(let event):
      return Verdict(mayHold: block.index(of: event) != nil, mayFail: true)
    case .step, .subscription, .work, .reason, .value, .truncated: return Verdict()
    }
  }

  private static func verdict(
    on times: ClosedRange<Int64>, _ comparison: Condition.Comparison, _ wanted: Int64
  ) -> Verdict {
    let (first, last) = (times.lowerBound, times.upperBound)
    switch comparison {
    case .less: return Verdict(mayHold: first < wanted, mayFail: last >= wanted)
    case .lessOrEqual: return Verdict(mayHold: first <= wanted, mayFail: last > wanted)
    case .greater: return Verdict(mayHold: last > wanted, mayFail: first <= wanted)
    case .greaterOrEqual: return Verdict(mayHold: last >= wanted, mayFail: first < wanted)
    case .equal: return Verdict(mayHold: times.contains(wanted))
    case .unequal: return Verdict(mayFail: times.contains(wanted))
    case .matches: return Verdict()
    }
  }
}

/// A test of the kind.
struct KindTest {
  private let wanted: [Bool]
  private let bits: UInt64
  private let unwanted: UInt64
  /// Set if the reason of an end decides as well.
  let selection: KindSelection?

  init(_ selection: KindSelection) {
    self.init(selection.needsReasons ? selection : nil) { selection.contains($0) }
  }

  init(_ selection: KindSelection? = nil, isWanted: (UInt8) -> Bool) {
    self.selection = selection
    wanted = (0...255).map { isWanted(UInt8($0)) }
    // Summaries have a bit for each of the first 64 kinds.
    let bits = wanted.prefix(64).enumerated().reduce(0 as UInt64) {
      $1.element ? $0 | 1 << UInt64($1.offset) : $0
    }
    self.bits = wanted.dropFirst(64).contains(true) ? .max : bits
    unwanted = selection == nil ? ~bits : .max
  }

  func contains(_ kind: UInt8) -> Bool { wanted[Int(kind)] }

  func verdict(on block: BlockSummary) -> PreparedTest.Verdict {
    PreparedTest.Verdict(
      mayHold: block.kinds.bits & bits != 0, mayFail: block.kinds.bits & unwanted != 0)
  }
}

/// A test of the stream, or of the scheduler in records about work.
struct StreamTest {
  private var streams: IdentifierSet
  private var bitmap = StreamSet()
  private let schedulers: Set<UInt32>

  private static let hops = KindSet(
    bits: RecordKind.allCases.filter(\.isHop).reduce(0) { $0 | 1 << UInt64($1.rawValue) })

  init(_ streams: some Sequence<UInt32>, schedulers: some Sequence<UInt32>) {
    self.streams = IdentifierSet([])
    for stream in streams {
      self.streams.insert(stream)
      bitmap.insert(stream)
    }
    self.schedulers = Set(schedulers)
  }

  @inline(__always)
  func contain(_ stream: UInt32, kind: UInt8) -> Bool {
    let isHop = kind < 64 && Self.hops.mayContain(kind)
    return isHop ? schedulers.contains(stream) : streams.contains(stream)
  }

  func mayIntersect(_ block: BlockSummary) -> Bool {
    bitmap.mayIntersect(block.streams)
      || !schedulers.isEmpty && block.kinds.mayIntersect(Self.hops)
  }
}

/// A test of the reason of an end, of an absorbed value, of a wait or of the end of a task's run.
struct ReasonTest {
  let comparison: Condition.Comparison
  let wanted: String
  let pattern: NamePattern?

  func holds(_ columns: ColumnPointers, _ index: Int) -> Bool {
    guard
      let reason = ReasonNames.name(
        kind: columns.kinds[index], payload: columns.payloadKinds[index],
        word: columns.words[index])
    else { return comparison == .unequal }
    if let pattern { return pattern.matches(reason) }
    return comparison.holds(isSame: reason == wanted)
  }
}
