internal import VarveAnalysis
internal import VarveMarbles
internal import VarveProbe

/// The hops between schedulers that lead to what lanes show.
///
/// A hop is work that was given to a scheduler by code that ran on another one, or on another
/// thread without one. What it delivers first on a lane was brought there by it, unless a lane that
/// feeds this one has delivered in the same work: then nothing changed between the two.
struct LaneHops {
  /// Where code ran.
  enum Side: Hashable {
    case scheduler(UInt32), thread(UInt32)
  }

  /// The hops that led to a stream, from one side to one scheduler.
  struct Way: Hashable {
    /// The stream, as an index in the order of the flow.
    var stream: Int
    var from: Side
    var to: UInt32
  }

  /// What is known about a way.
  struct Tally {
    var count = 0
    /// The longest time from giving the work to delivering something.
    var longest: UInt64 = 0
    /// The event that was delivered after it.
    var tag = LaneTag()
  }

  /// Work that was given to a scheduler.
  private struct Given {
    var tick: UInt64
    var from: Side
  }

  /// Work that a thread does.
  private struct Run {
    var hop: UInt64
    var scheduler: UInt32
    /// Who gave it; nil if that is not known, or if it stayed where it was.
    var given: Given?
    /// The streams that have delivered in it, a bit for each.
    var streams: UInt64 = 0
  }

  private(set) var tallies: [Way: Tally] = [:]
  private var waiting: WalkTable<UInt64, Given>
  /// The work of each thread, outermost first.
  private var runs: [[Run]] = []
  private var slots = StreamSlots()
  /// The streams above each, a bit for each.
  private let above: [UInt64]

  /// The memory that waiting work takes, in bytes.
  private static let givenBytes = 96
  /// The greatest depth of work within work. The outermost is forgotten.
  private static let deepest = 64

  init(_ flow: StreamFlow, _ walk: TraceWalk) {
    waiting = WalkTable(walk, bytes: Self.givenBytes, of: .work)
    above = Self.above(flow.nodes)
  }

  private static func above(_ nodes: [StreamFlow.Node]) -> [UInt64] {
    var bits: [UInt32: UInt64] = [:]
    for (index, node) in nodes.enumerated().prefix(64) { bits[node.stream] = 1 << UInt64(index) }
    var above = nodes.map { node in node.parents.reduce(0) { $0 | bits[$1, default: 0] } }
    // What feeds a stream usually precedes it; a circle takes another round.
    for _ in above.indices {
      let last = above
      for index in above.indices {
        for parent in above.indices.prefix(64) where above[index] & 1 << UInt64(parent) != 0 {
          above[index] |= above[parent]
        }
      }
      if above == last { break }
    }
    return above
  }

  // MARK: - What happens

  /// Work was given to a scheduler on a thread.
  mutating func give(_ hop: UInt64, on ring: UInt32, at tick: UInt64) {
    let last = slots.find(ring).flatMap { runs[$0].last }
    let from = last.map { Side.scheduler($0.scheduler) } ?? .thread(ring)
    waiting.set(Given(tick: tick, from: from), for: hop)
  }

  /// Work will not be done.
  mutating func cancel(_ hop: UInt64) { waiting.removeValue(forKey: hop) }

  /// A thread begins work.
  mutating func begin(_ hop: UInt64, of scheduler: UInt32, on ring: UInt32) {
    let given = waiting.removeValue(forKey: hop)
    let isMoved =
      switch given?.from {
      case .scheduler(let from): from != scheduler
      case .thread(let from): from != ring
      case nil: false
      }
    let slot = slots.find(ring) ?? add(ring)
    if runs[slot].count == Self.deepest { runs[slot].removeFirst() }
    runs[slot].append(Run(hop: hop, scheduler: scheduler, given: isMoved ? given : nil))
  }

  /// A thread ends work, with all that began in it.
  mutating func end(_ hop: UInt64, on ring: UInt32) {
    guard let slot = slots.find(ring),
      let index = runs[slot].lastIndex(where: { $0.hop == hop })
    else { return }
    runs[slot].removeSubrange(index...)
  }

  private mutating func add(_ ring: UInt32) -> Int {
    slots.add(ring, slot: runs.count)
    runs.append([])
    return runs.count - 1
  }

  /// Returns whether a thread does work that came from elsewhere.
  func isMoved(on ring: UInt32) -> Bool {
    slots.find(ring).flatMap { runs[$0].last?.given } != nil
  }

  /// A stream delivers something. Returns the tick at which the work was given that brought it
  /// there; nil if it was not brought.
  mutating func deliver(_ stream: Int, on ring: UInt32) -> UInt64? {
    guard let slot = slots.find(ring), let run = runs[slot].last, let given = run.given,
      stream < 64, run.streams & 1 << UInt64(stream) == 0
    else { return nil }
    runs[slot][runs[slot].count - 1].streams |= 1 << UInt64(stream)
    return run.streams & above[stream] == 0 ? given.tick : nil
  }

  /// Counts what was delivered.
  mutating func count(_ stream: Int, on ring: UInt32, after wait: UInt64, tag: LaneTag) {
    guard let slot = slots.find(ring), let run = runs[slot].last, let given = run.given else {
      return
    }
    let way = Way(stream: stream, from: given.from, to: run.scheduler)
    let isFirst = tallies[way] == nil
    tallies[way, default: Tally()].count += 1
    if isFirst || wait > tallies[way]?.longest ?? 0 {
      tallies[way]?.longest = wait
      tallies[way]?.tag = tag
    }
  }
}
