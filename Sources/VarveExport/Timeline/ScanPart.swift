internal import VarveAnalysis
internal import VarveFormat
internal import VarveProbe

/// What one thread finds out in the first pass over the events of a timeline, from blocks in any
/// order.
final class ScanPart {
  /// An event's place in the order of all.
  struct Moment: Comparable {
    var tick: UInt64
    var ring: UInt32
    var sequence: UInt64

    static func < (one: Moment, other: Moment) -> Bool {
      (one.tick, one.ring, one.sequence) < (other.tick, other.ring, other.sequence)
    }
  }

  /// The facts about one stream.
  struct Tally {
    var values = 0
    var ends = 0
    var runs: UInt64 = 0
    var lastValue: Moment?
    var lastEnd: Moment?
    /// The index of the last value and the last end in the current block, plus 1.
    var valueHere = 0
    var endHere = 0

    mutating func leave(_ columns: ColumnPointers) {
      if valueHere > 0 {
        lastValue = Self.later(lastValue, columns, valueHere - 1)
        valueHere = 0
      }
      if endHere > 0 {
        lastEnd = Self.later(lastEnd, columns, endHere - 1)
        endHere = 0
      }
    }

    private static func later(
      _ known: Moment?, _ columns: ColumnPointers, _ index: Int
    ) -> Moment {
      let name = columns.name(index)
      let moment = Moment(tick: columns.ticks[index], ring: name.ring, sequence: name.sequence)
      return known.map { max($0, moment) } ?? moment
    }
  }

  private(set) var tallies: [Tally]
  /// How often each parent was attached to a stream.
  private(set) var starts: [StreamEdge: Int] = [:]
  private(set) var times: BusyTicks
  private let lanes: ScannedLanes

  init(_ lanes: ScannedLanes, _ time: TraceTime) {
    self.lanes = lanes
    times = BusyTicks(time)
    tallies = Array(repeating: Tally(), count: lanes.count)
  }

  /// Looks at events of a block, or at all of them if `rows` is nil.
  func look(at columns: ColumnPointers, _ rows: UnsafeBufferPointer<UInt32>?) {
    var times = BusyTicks.none
    swap(&times, &self.times)
    times.begin()
    tallies.withUnsafeMutableBufferPointer { tallies in
      lanes.slots.dense.withUnsafeBufferPointer { dense in
        let block = Block(columns: columns, tallies: tallies, dense: dense)
        if let rows {
          for row in rows { look(Int(row), block, &times) }
        } else {
          for index in 0..<columns.kinds.count { look(index, block, &times) }
        }
        for slot in tallies.indices { tallies[slot].leave(columns) }
      }
    }
    times.end()
    swap(&times, &self.times)
  }

  /// What is used for every event of a block.
  private struct Block {
    let columns: ColumnPointers
    let tallies: UnsafeMutableBufferPointer<Tally>
    let dense: UnsafeBufferPointer<UInt32>
  }

  @inline(__always)
  private func look(_ index: Int, _ block: Block, _ times: inout BusyTicks) {
    let stream = block.columns.streams[index]
    let kind = block.columns.kinds[index]
    if kind == RecordKind.value.rawValue {
      guard let slot = slot(stream, block.dense) else { return }
      times.note(block.columns.ticks[index])
      block.tallies[slot].values &+= 1
      block.tallies[slot].valueHere = index &+ 1
      block.tallies[slot].runs |= block.columns.subscriptions[index]
    } else {
      lookApart(index, stream, RecordKind(rawValue: kind), block, &times)
    }
  }

  @inline(__always)
  private func slot(_ stream: UInt32, _ dense: UnsafeBufferPointer<UInt32>) -> Int? {
    guard Int(stream) < dense.count else { return lanes.slots.find(stream) }
    let slot = dense[Int(stream)]
    return slot == .max ? nil : Int(slot)
  }

  @inline(never)
  private func lookApart(
    _ index: Int, _ stream: UInt32, _ kind: RecordKind?, _ block: Block, _ times: inout BusyTicks
  ) {
    let tick = block.columns.ticks[index]
    switch kind {
    case .failed, .completed, .interrupted:
      guard let slot = slot(stream, block.dense) else { return }
      times.note(tick)
      block.tallies[slot].ends += 1
      block.tallies[slot].endHere = index + 1
      block.tallies[slot].runs |= block.columns.subscriptions[index]
    case .subscribed:
      let fed = UInt32(truncatingIfNeeded: block.columns.words[index])
      guard fed != 0, lanes.watches(stream) else { return }
      let slot = slot(fed, block.dense)
      if let slot, lanes.parents[slot].contains(stream) {
        starts[StreamEdge(from: stream, to: fed), default: 0] += 1
      }
      if slot != nil || self.slot(stream, block.dense) != nil { times.note(tick) }
    default: return
    }
  }
}

/// The streams that may get a lane, and what is looked up of them.
struct ScannedLanes: Sendable {
  private(set) var slots = StreamSlots()
  private(set) var parents: [[UInt32]] = []
  private var watched = StreamSlots()

  var count: Int { parents.count }

  /// - Parameters:
  ///   - lanes: the streams.
  ///   - watched: the streams whose events are looked at; nil for all.
  init(_ lanes: Set<UInt32>, watched: Set<UInt32>, _ definitions: [UInt32: StreamDefinition]) {
    for lane in lanes {
      slots.add(lane, slot: parents.count)
      parents.append(definitions[lane]?.parents ?? [])
    }
    for stream in watched { self.watched.add(stream, slot: 0) }
  }

  func watches(_ stream: UInt32) -> Bool { watched.find(stream) != nil }
}
