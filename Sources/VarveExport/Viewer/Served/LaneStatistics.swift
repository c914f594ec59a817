internal import VarveAnalysis
internal import VarveFormat
internal import VarveProbe

/// What was counted of one lane.
struct LaneStatistics: ~Copyable {
  var count = 0
  var values = 0
  var failed = 0
  /// When the first and the last value came, in nanoseconds; the last is nil without values.
  private var firstValue: Int64 = 0
  private var lastValue: Int64?
  private var gaps: NumberSample
  private var numbers: NumberSample
  /// How long subscriptions of a stream lasted, or work of a scheduler ran.
  private var durations: NumberSample

  /// Nothing yet; beside other lanes.
  init(oneOf lanes: Int) {
    gaps = NumberSample(oneOf: lanes * 3)
    numbers = NumberSample(oneOf: lanes * 3)
    durations = NumberSample(oneOf: lanes * 3)
  }

  mutating func addDuration(_ nanoseconds: Int64) { durations.add(Double(nanoseconds)) }

  @inline(__always)
  mutating func addValue(at now: Int64, _ number: Double?) {
    values &+= 1
    if let lastValue { gaps.add(Double(now &- lastValue)) } else { firstValue = now }
    lastValue = now
    if let number { numbers.add(number) }
  }

  /// Adds the gap to what was counted of a later part of the time.
  mutating func addGap(to later: borrowing LaneStatistics) {
    guard let lastValue, later.lastValue != nil else { return }
    gaps.add(Double(later.firstValue &- lastValue))
  }

  /// The figures as the page shows them, with those of a later part of the time.
  func row(_ lane: Int, _ later: borrowing LaneStatistics) -> String {
    """
    {"lane":\(lane),"count":\(count + later.count),"values":\(values + later.values),\
    "failed":\(failed + later.failed),\
    "gaps":\(NumberDistribution(gaps, later.gaps).json ?? "null"),\
    "durations":\(NumberDistribution(durations, later.durations).json ?? "null"),\
    "numbers":\(NumberDistribution(numbers, later.numbers).json ?? "null")}
    """
  }
}

/// What is counted of all lanes in a part of the time, by one thread.
///
/// Safety: one thread counts, and hands it over to another when it is done.
final class LanesStatistics: @unchecked Sendable {
  /// The number of events counted.
  private(set) var counted: UInt64 = 0
  let lanes: UnsafeMutableBufferPointer<LaneStatistics>

  private let finder: ViewerLaneFinder
  private let isWanted: [Bool]
  private var clock: TickConverter
  /// What has begun and not ended, and what ended and began before this part of the time: at how many
  /// nanoseconds, by its ID, doubled, and one more for work.
  private var begun: [UInt64: (lane: Int, at: Int64)] = [:]
  private var ended: [UInt64: Int64] = [:]
  /// A trace whose other halves are missing may have any number of either: so many are kept.
  private static let mostOpen = 1 << 20

  init(_ snapshot: ViewerSnapshot, wanted: Set<Int>?) {
    let count = snapshot.lanes.all.count
    isWanted = (0..<count).map { wanted?.contains($0) ?? true }
    finder = ViewerLaneFinder(snapshot.lanes)
    clock = TickConverter(snapshot.reader.time)
    lanes = .allocate(capacity: count)
    let beside = isWanted.count { $0 }
    for lane in 0..<count {
      (lanes.baseAddress! + lane).initialize(to: LaneStatistics(oneOf: beside))
    }
  }

  deinit {
    lanes.deinitialize()
    lanes.deallocate()
  }

  /// Counts the events of a page.
  func count(_ page: EventPage) {
    guard let lanes = lanes.baseAddress else { return }
    let isWanted = isWanted
    var (clock, counted) = (clock, counted)
    page.forEachRun { entries, columns in
      for entry in entries {
        let index = Int(entry.index)
        let kind = columns.kinds[index]
        let lane = finder.lane(kind: kind, id: columns.streams[index], ring: columns.ring)
        guard lane >= 0, isWanted[lane] else { continue }
        counted &+= 1
        lanes[lane].count &+= 1
        switch RecordKind(rawValue: kind) {
        case .value:
          let payload = PayloadKind(rawValue: columns.payloadKinds[index])
          lanes[lane].addValue(
            at: clock.nanoseconds(sinceStart: columns.ticks[index]),
            PayloadNumber.of(payload, columns.words[index]))
        case .failed:
          lanes[lane].failed &+= 1
        case .subscribed, .ended, .hopBegan, .hopEnded:
          note(
            kind, columns.subscriptions[index], lane,
            at: clock.nanoseconds(sinceStart: columns.ticks[index]))
        default:
          break
        }
      }
    }
    (self.clock, self.counted) = (clock, counted)
  }

  /// Notes that a subscription or a piece of work begins or ends. What began before the range is not
  /// known to have lasted so or so long.
  private func note(_ kind: UInt8, _ id: UInt64, _ lane: Int, at now: Int64) {
    let begins = kind == RecordKind.subscribed.rawValue || kind == RecordKind.hopBegan.rawValue
    let isWork = kind == RecordKind.hopBegan.rawValue || kind == RecordKind.hopEnded.rawValue
    let one = id &<< 1 | (isWork ? 1 : 0)
    if begins {
      if begun.count < Self.mostOpen { begun[one] = (lane, now) }
    } else if let begin = begun.removeValue(forKey: one) {
      lanes[begin.lane].addDuration(now &- begin.at)
    } else if ended.count < Self.mostOpen {
      ended[one] = now
    }
  }

  /// Adds how long that lasted which began in this part of the time, and ended in a later one.
  func addDurations(to later: LanesStatistics) {
    for (one, begin) in begun {
      guard let end = later.ended[one] else { continue }
      lanes[begin.lane].addDuration(end &- begin.at)
    }
  }
}

/// Finds the lane of an event by its columns.
struct ViewerLaneFinder {
  private let lanes: TileLanes
  private let isHop = (0...255).map { RecordKind(rawValue: UInt8($0))?.isHop ?? false }

  init(_ lanes: TileLanes) { self.lanes = lanes }

  /// Returns the number of a lane; -1 if there is none.
  func lane(kind: UInt8, id: UInt32, ring: UInt32) -> Int {
    let isHop = isHop[Int(kind)]
    let table = isHop ? lanes.ofSchedulers : lanes.ofStreams
    // Small numbers, other than 0 for no stream, are in a table.
    if Int(id) < table.count, isHop || id != 0 { return Int(table[Int(id)]) }
    let lane: TileLanes.Lane = isHop ? .scheduler(id) : id == 0 ? .thread(ring) : .stream(id)
    return lanes[lane] ?? -1
  }
}
