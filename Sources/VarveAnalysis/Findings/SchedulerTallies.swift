internal import VarveFormat
internal import VarveProbe

/// How often a stream delivered values in the work of each scheduler.
struct SchedulerTallies {
  /// The values that came in the work of one scheduler; 0 for values outside all work.
  struct Tally {
    let scheduler: UInt32
    var count: UInt64 = 0
    let first: EventMoment
    var last: EventMoment
  }

  /// The maximum number of schedulers told apart.
  private static let most = 8

  private(set) var tallies: [Tally] = []

  mutating func note(_ moment: EventMoment, on scheduler: UInt32) {
    let known = tallies.firstIndex { $0.scheduler == scheduler }
    if known == nil, tallies.count == Self.most { return }
    if known == nil { tallies.append(Tally(scheduler: scheduler, first: moment, last: moment)) }
    let place = known ?? tallies.count - 1
    tallies[place].count += 1
    tallies[place].last = moment
  }
}

/// The work that each thread is running, told by the beginnings and ends of work.
struct RunningWork {
  /// The schedulers of the work, innermost last, by ring.
  private var running: [UInt32: [UInt32]] = [:]

  mutating func note(_ event: FindingEvent) {
    switch event.kind {
    case .hopBegan: running[event.name.ring, default: []].append(event.stream)
    case .hopEnded: _ = running[event.name.ring]?.popLast()
    default: break
    }
  }

  /// The scheduler of the innermost work that a thread is running; 0 if it runs none.
  func scheduler(on ring: UInt32) -> UInt32 { running[ring]?.last ?? 0 }
}
