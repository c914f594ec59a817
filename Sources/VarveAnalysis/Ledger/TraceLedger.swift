public import VarveFormat
public import VarveProbe

/// What became of everything in a trace: streams, observations of them, work on schedulers. One look
/// at every event; memory grows with what there is, not with what happened.
///
/// It is what questions about a whole trace are answered from: why something is silent, what leaked,
/// what a dead program was doing.
public struct TraceLedger: Sendable {
  /// What each stream did, by id.
  public private(set) var streams: [UInt32: StreamAccount] = [:]
  /// Who observes whom.
  public private(set) var edges = EdgeLedger()
  /// Work on schedulers.
  public private(set) var hops: HopLedger
  /// The last events of each thread, by ring, oldest first.
  public private(set) var lastEvents: [UInt32: [UInt64]] = [:]
  /// Failures, the first ones, by their numbers.
  public private(set) var failures: [UInt64] = []
  /// Damaged blocks that were passed over.
  public private(set) var damage: [TraceFileError] = []
  /// How many events were looked at.
  public private(set) var events: UInt64 = 0

  private var accounts: [StreamAccount] = []
  private var slots: [UInt32: Int] = [:]
  private var lastStream: UInt32 = 0
  private var lastSlot = 0
  private var tails: [RingTail] = []
  private var tailOfRing: [UInt32: Int] = [:]
  private var lastTail = 0
  private var clock: TickConverter

  /// So many failures are kept.
  private static let mostFailures = 1_000

  /// Looks at a trace, or at a part of it.
  ///
  /// - Parameters:
  ///   - source: the trace.
  ///   - selection: which part: times are looked at, and nothing else should be chosen, for a
  ///     stream's fate hangs on others.
  /// - Throws: a `SelectionError` whenever the selection names an event that is not there.
  public init<Source: EventSource>(_ source: Source, _ selection: Selection = Selection())
    throws(SelectionError)
  {
    clock = TickConverter(source.time)
    hops = HopLedger()
    var query = try EventQuery(
      selection, in: source, columns: [.ticks, .kinds, .streams, .subscriptions, .payloads])
    query.run { page in
      page.withPointers { entries, blocks in
        for entry in entries { note(blocks[Int(entry.batch)], Int(entry.index)) }
      }
      return true
    }
    events = query.count
    damage = query.damage
    for account in accounts { streams[account.stream] = account }
    for tail in tails { lastEvents[tail.ring] = tail.inOrder }
    hops.finish()
  }

  private mutating func note(_ columns: ColumnPointers, _ index: Int) {
    let number = columns.firstEvent + UInt64(index)
    let ticks = columns.ticks[index]
    keep(number, ring: columns.ring)
    guard let kind = RecordKind(rawValue: columns.kinds[index]) else { return }
    let stream = columns.streams[index]
    let word = columns.words[index]
    let moment = EventMoment(number: number, ticks: ticks, ring: columns.ring)
    switch kind {
    case .value:
      edges.goOn()
      accounts[slot(stream)].noteValue(moment)
    case .failed, .completed, .interrupted:
      accounts[slot(stream)].noteEnd(kind, moment)
      if kind == .failed, failures.count < Self.mostFailures { failures.append(number) }
    case .absorbed:
      let reason = AbsorptionReason(rawValue: UInt8(truncatingIfNeeded: word))
      accounts[slot(stream)].noteAbsorbed(reason, moment)
    case .subscribed:
      edges.goOn()
      let slot = slot(stream)
      edges.begin(
        columns.subscriptions[index], from: stream, to: UInt32(truncatingIfNeeded: word),
        at: moment, values: accounts[slot].values)
      accounts[slot].subscriptions += 1
    case .ended:
      let reason = EndReason(rawValue: UInt8(truncatingIfNeeded: word))
      edges.end(
        columns.subscriptions[index], reason, at: moment, values: accounts[slot(stream)].values)
    case .hopScheduled, .hopBegan, .hopEnded, .hopCancelled:
      if kind == .hopBegan { edges.goOn() }
      let time = clock.nanoseconds(sinceStart: ticks)
      let hasOrigin = columns.payloadKinds[index] == PayloadKind.origin.rawValue
      hops.note(
        kind, columns.subscriptions[index], on: stream, at: moment, time: time,
        origin: hasOrigin ? HopOrigin(word: word) : nil)
    case .assembled:
      accounts[slot(stream)].assembled = number
    case .log, .mark, .skipped:
      break
    }
  }

  private mutating func slot(_ stream: UInt32) -> Int {
    if stream == lastStream, !accounts.isEmpty { return lastSlot }
    lastStream = stream
    if let known = slots[stream] {
      lastSlot = known
    } else {
      lastSlot = accounts.count
      slots[stream] = lastSlot
      accounts.append(StreamAccount(stream: stream))
    }
    return lastSlot
  }

  /// Keeps the last events of each ring.
  private mutating func keep(_ number: UInt64, ring: UInt32) {
    if lastTail >= tails.count || tails[lastTail].ring != ring {
      if let known = tailOfRing[ring] {
        lastTail = known
      } else {
        lastTail = tails.count
        tailOfRing[ring] = lastTail
        tails.append(RingTail(ring: ring))
      }
    }
    tails[lastTail].add(number)
  }
}

/// The last events of one thread.
private struct RingTail: Sendable {
  let ring: UInt32
  private var numbers: [UInt64] = []
  private var oldest = 0

  /// So many are kept.
  private static let kept = 16

  init(ring: UInt32) { self.ring = ring }

  mutating func add(_ number: UInt64) {
    if numbers.count < Self.kept {
      numbers.append(number)
    } else {
      numbers[oldest] = number
      oldest = (oldest + 1) % Self.kept
    }
  }

  /// The oldest first.
  var inOrder: [UInt64] { Array(numbers[oldest...] + numbers[..<oldest]) }
}

/// An event's number, its time and its thread.
public struct EventMoment: Sendable, Hashable {
  /// The event.
  public var number: UInt64
  /// When it happened.
  public var ticks: UInt64
  /// The thread incarnation that it happened on.
  public var ring: UInt32
}

/// What one stream did.
public struct StreamAccount: Sendable {
  /// The stream.
  public var stream: UInt32
  /// Values that it delivered.
  public private(set) var values: UInt64 = 0
  /// The first of them.
  public private(set) var firstValue: EventMoment?
  /// The last of them.
  public private(set) var lastValue: EventMoment?
  /// How often it ended, by kind.
  public private(set) var ends: [RecordKind: UInt64] = [:]
  /// Its first end.
  public private(set) var firstEnd: (kind: RecordKind, moment: EventMoment)?
  /// Values that it swallowed, by reason.
  public private(set) var absorbed: [AbsorptionReason: UInt64] = [:]
  /// The last value that it swallowed.
  public private(set) var lastAbsorbed: EventMoment?
  /// How often it was observed.
  public internal(set) var subscriptions: UInt64 = 0
  /// The record of its making, if that was recorded.
  public internal(set) var assembled: UInt64?

  /// Nothing yet.
  public init(stream: UInt32) { self.stream = stream }

  mutating func noteValue(_ moment: EventMoment) {
    values += 1
    if firstValue == nil { firstValue = moment }
    lastValue = moment
  }

  mutating func noteEnd(_ kind: RecordKind, _ moment: EventMoment) {
    ends[kind, default: 0] += 1
    if firstEnd == nil { firstEnd = (kind, moment) }
  }

  mutating func noteAbsorbed(_ reason: AbsorptionReason?, _ moment: EventMoment) {
    if let reason { absorbed[reason, default: 0] += 1 }
    lastAbsorbed = moment
  }

  /// How many values it swallowed.
  public var absorbedValues: UInt64 { absorbed.values.reduce(0, +) }
}
