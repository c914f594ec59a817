public import VarveFormat
public import VarveProbe

/// The history of everything in a trace: streams, observations, and work on schedulers. It is built
/// in one pass over all events; its memory is bounded and grows with the number of things, not
/// events.
///
/// Questions about a whole trace are answered from it: why a stream is silent, what leaked, what a
/// program was doing when it died.
public struct TraceHistory: Sendable {
  /// What a history tells of: the less, the sooner it is read.
  public enum Scope: Sendable {
    /// Everything.
    case everything
    /// Streams, their observations, and of work only what never began.
    case streams
    /// Observations, without the values that were delivered during them.
    case observations
    /// What was left at the end: observations, of which pairs of streams tell only how many there
    /// were, work that never began or did not return, and the last events of each thread.
    case ending
  }

  /// What each stream did.
  public private(set) var streams: [StreamAccount] = []
  /// The observations of streams.
  public private(set) var subscriptions: SubscriptionHistory
  /// Work on schedulers.
  public private(set) var hops: HopHistory
  /// The last events of each thread, by ring, oldest first.
  public private(set) var lastEvents: [UInt32: [EventName]] = [:]
  /// The first failures.
  public private(set) var failures: [EventName] = []
  /// When the program was taken down: the first of the observations ended that `main` left behind,
  /// or the owner of everything, after the last thing that the program did. Nil if nothing was.
  ///
  /// What ends from then on is no symptom: questions about what was open, queued, or silent are
  /// about the time before.
  public private(set) var takingDown: EventMoment?
  /// Damaged blocks that were passed over.
  public private(set) var damage: [TraceFileError] = []
  /// What was passed over because it would have taken too much memory.
  public var passedOver: PassedOver { walk.passedOver }
  /// For each thread that was running work at the end, the ordinal of the first event that began
  /// some of it; nil if that is not known, as of a part of a trace.
  var firstRunning: [UInt32: UInt64]? {
    isWhole && (scope == .everything || scope == .ending) ? hops.firstRunning : nil
  }
  /// Whether all events were read.
  private let isWhole: Bool
  /// The number of events read.
  public private(set) var events: UInt64 = 0

  /// The tick of `takingDown`, if the trace ends soon after: what ended long before the program did
  /// was not taken down with it.
  private var takenDownFrom: UInt64?
  /// The greatest tick of an event.
  private(set) var lastTick: UInt64 = 0

  private let walk: TraceWalk
  private let defined: [UInt32: StreamDefinition]
  private var slots = StreamSlots()
  private var lastStream: UInt32 = 0
  private var lastSlot = 0
  private var tails: [RingTail] = []
  private var tailOfRing: [UInt32: Int] = [:]
  private var lastTail = 0
  private var clock: TickConverter
  /// What the history tells of.
  public let scope: Scope
  /// When the program did something last: delivered, observed, or began work.
  private var lastAction: UInt64 = 0
  /// The same of the events that are being read; 0 if they did nothing.
  private var action: UInt64 = 0
  /// The main thread's rings.
  private let mainRings: Set<UInt32>
  /// The number of ticks that other threads may go on while the main thread takes everything down.
  private let longestTakingDown: UInt64

  /// The same, in nanoseconds.
  private static let longestTakingDown: Int64 = 100_000_000

  /// The maximum number of failures kept.
  private static let mostFailures = 1_000

  /// Reads a trace, or a part of it.
  ///
  /// - Parameters:
  ///   - source: the trace.
  ///   - selection: the part to read. It should select by time only, because a stream's fate
  ///     depends on other streams.
  ///   - scope: what the history is to tell of.
  ///   - progress: called with the number of events read so far.
  /// - Throws: a `SelectionError` whenever the selection names an event that is not there.
  public init<Source: EventSource>(
    _ source: Source, _ selection: Selection = Selection(), scope: Scope = .everything,
    progress: (UInt64) -> Void = { _ in }
  ) throws(SelectionError) {
    self.scope = scope
    isWhole = selection.since == nil && selection.until == nil && selection.ticks == nil
    clock = TickConverter(source.time)
    walk = TraceWalk(source)
    defined = source.definitions.streams
    subscriptions = SubscriptionHistory(walk, countsPairs: scope == .ending)
    hops = HopHistory(walk)
    mainRings = Set(
      source.definitions.threads.values.filter { $0.systemID == UInt64(source.pid) }.map(\.ring))
    longestTakingDown =
      source.time.ticks(sinceStart: Self.longestTakingDown) &- source.time.ticks(sinceStart: 0)
    var selection = selection
    if scope == .ending { try readLastEvents(selection, in: source) }
    if !notesActions {
      let actions = try NewestEvents(selection.with(Self.actions), in: source, most: 1)
      lastAction = actions.lastTick
      for (ring, last) in actions.ofRings { tails[tail(of: ring)].lastAction = last[0].ticks }
      subscriptions.goOn(endedBefore: lastAction - min(lastAction, longestTakingDown))
      selection.kinds = scope == .ending ? Self.beginningsAndEnds : Self.observationKinds
    }
    var query = try EventQuery(
      selection, in: source, columns: [.ticks, .kinds, .streams, .subscriptions, .words],
      payloadsOf: notesActions ? Self.kindsWithPayloads : Self.observationKinds,
      thin: scope == .ending ? { batch, _ in FinishedWork.fold(batch) } : nil)
    query.run { page in
      page.forEachRun { entries, columns in
        if scope == .ending {
          noteLeft(entries, of: columns)
        } else {
          note(entries, of: columns)
        }
      }
      events += UInt64(page.due.count)
      progress(events)
      return true
    }
    events = query.count
    damage += query.damage.filter { error in !damage.contains { $0.offset == error.offset } }
    if notesActions {
      for tail in tails { lastEvents[tail.ring] = tail.inOrder }
    }
    takingDown = subscriptions.takeDown { [lastAction, mainRings, tails, tailOfRing] ended in
      guard ended.ticks <= lastAction else { return true }
      let tail = tailOfRing[ended.ring].map { tails[$0] }
      return mainRings.contains(ended.ring) && ended.ticks > tail?.lastAction ?? 0
    }
    if let begin = takingDown?.ticks {
      let end = max(lastTick, source.time.lastTick)
      takenDownFrom = end - begin <= longestTakingDown ? begin : nil
    }
    subscriptions.finish()
    hops.finish(takenDownFrom: takenDownFrom)
  }

  /// Whether the program's last actions are noted with the events, and not found before.
  private var notesActions: Bool { scope == .everything || scope == .streams }

  /// Reads the last events of each thread.
  private mutating func readLastEvents(
    _ selection: Selection, in source: some EventSource
  ) throws(SelectionError) {
    let newest = try NewestEvents(selection, in: source, most: RingTail.kept)
    lastEvents = newest.ofRings.mapValues { $0.map(\.name) }
    lastTick = newest.lastTick
    damage = newest.damage
  }

  /// The kinds of events by which a program is seen to do something.
  private static let actions = KindSelection([.value, .subscribed, .hopBegan])
  private static let observationKinds = KindSelection([.subscribed, .ended])
  /// The kinds of events that tell what was left at the end.
  private static let beginningsAndEnds = KindSelection([
    .subscribed, .ended, .hopScheduled, .hopBegan, .hopEnded, .hopCancelled,
  ])

  /// The kinds of events whose payloads `note` reads.
  private static let kindsWithPayloads = KindSelection([
    .absorbed, .subscribed, .ended, .hopScheduled, .hopBegan, .hopEnded, .hopCancelled,
  ])

  /// Returns whether something happened while the program was taken down, right before its end.
  /// What was disposed of or interrupted then does not explain the time before.
  func isTakenDown(_ moment: EventMoment) -> Bool {
    takenDownFrom.map { moment.ticks >= $0 } ?? false
  }

  /// Returns the account of a stream; nil when it has no events.
  public func stream(_ id: UInt32) -> StreamAccount? { slots.find(id).map { streams[$0] } }

  private mutating func note(
    _ entries: UnsafeBufferPointer<EventPage.Entry>, of columns: ColumnPointers
  ) {
    keep(entries, of: columns)
    for entry in entries {
      let index = Int(entry.index)
      if columns.kinds[index] == RecordKind.value.rawValue {
        noteValue(columns, index)
      } else {
        note(columns, index)
      }
    }
    guard action > 0 else { return }
    lastAction = action
    tails[lastTail].lastAction = action
    subscriptions.goOn(endedBefore: action - min(action, longestTakingDown))
    action = 0
  }

  /// Notes beginnings and ends. Where `others` is 1 for a beginning of work, that has ended, too.
  private mutating func noteLeft(
    _ entries: UnsafeBufferPointer<EventPage.Entry>, of columns: ColumnPointers
  ) {
    for entry in entries {
      let index = Int(entry.index)
      let number = columns.subscriptions[index]
      if !columns.others.isEmpty, columns.others[index] != 0 {
        hops.noteFinished(number)
        continue
      }
      guard let kind = RecordKind(rawValue: columns.kinds[index]) else { continue }
      let (stream, words) = (columns.streams[index], columns.words)
      let moment = EventMoment(name: columns.name(index), ticks: columns.ticks[index])
      switch kind {
      case .subscribed:
        guard slot(stream) != nil else { continue }
        subscriptions.begin(
          number, from: stream, to: UInt32(truncatingIfNeeded: words[index]), at: moment, values: 0)
      case .ended:
        let reason = EndReason(rawValue: UInt8(truncatingIfNeeded: words[index]))
        subscriptions.end(number, reason, at: moment, values: 0)
      default: hops.noteLeft(kind, number, on: stream, at: moment, orRuns: true)
      }
    }
  }

  @inline(__always)
  private mutating func noteValue(_ columns: ColumnPointers, _ index: Int) {
    let ticks = columns.ticks[index]
    action = ticks
    lastTick = max(lastTick, ticks)
    guard let slot = slot(columns.streams[index]) else { return }
    streams[slot].noteValue(EventMoment(name: columns.name(index), ticks: ticks))
  }

  private mutating func note(_ columns: ColumnPointers, _ index: Int) {
    let name = columns.name(index)
    let ticks = columns.ticks[index]
    lastTick = max(lastTick, ticks)
    guard let kind = RecordKind(rawValue: columns.kinds[index]) else { return }
    let stream = columns.streams[index]
    let moment = EventMoment(name: name, ticks: ticks)
    switch kind {
    case .failed, .completed, .interrupted:
      if let slot = slot(stream) { streams[slot].noteEnd(kind, moment) }
      if kind == .failed, failures.count < Self.mostFailures { failures.append(name) }
    case .absorbed:
      guard let slot = slot(stream),
        let reason = AbsorptionReason(rawValue: UInt8(truncatingIfNeeded: columns.words[index]))
      else { return }
      streams[slot].noteAbsorbed(reason, walk)
    case .subscribed:
      if notesActions { action = ticks }
      noteObservation(columns, index, moment)
    case .ended:
      let reason = EndReason(rawValue: UInt8(truncatingIfNeeded: columns.words[index]))
      let values = notesActions ? slot(stream).map { streams[$0].values } ?? 0 : 0
      subscriptions.end(columns.subscriptions[index], reason, at: moment, values: values)
    case .hopScheduled, .hopBegan, .hopEnded, .hopCancelled:
      if kind == .hopBegan { action = ticks }
      noteWork(kind, columns, index, moment)
    case .assembled:
      _ = slot(stream)
    case .value, .log, .mark, .skipped, .sent, .waitBegan, .waitEnded, .read, .taskCreated,
      .taskCancelled, .taskFailed, .taskFailureRead, .hopSampled, .errorThrown:
      break
    }
  }

  private mutating func noteWork(
    _ kind: RecordKind, _ columns: ColumnPointers, _ index: Int, _ moment: EventMoment
  ) {
    let (hop, scheduler) = (columns.subscriptions[index], columns.streams[index])
    guard scope == .everything else {
      return hops.noteLeft(kind, hop, on: scheduler, at: moment, orRuns: false)
    }
    let time = clock.nanoseconds(sinceStart: moment.ticks)
    let hasCause = columns.payloadKinds[index] == PayloadKind.cause.rawValue
    hops.note(
      kind, hop, on: scheduler, at: moment, time: time,
      cause: hasCause ? HopPayload(word: columns.words[index]) : nil)
  }

  private mutating func noteObservation(
    _ columns: ColumnPointers, _ index: Int, _ moment: EventMoment
  ) {
    let stream = columns.streams[index]
    guard let slot = slot(stream) else { return }
    subscriptions.begin(
      columns.subscriptions[index], from: stream,
      to: UInt32(truncatingIfNeeded: columns.words[index]), at: moment,
      values: streams[slot].values)
    streams[slot].subscriptions += 1
  }

  /// Returns the index of a stream's account; nil when there are too many streams that the trace
  /// does not define.
  private mutating func slot(_ stream: UInt32) -> Int? {
    if stream == lastStream, !streams.isEmpty { return lastSlot }
    if let known = slots.find(stream) {
      lastSlot = known
    } else {
      guard defined[stream] != nil || walk.admitUndefinedStream() else { return nil }
      lastSlot = streams.count
      slots.add(stream, slot: lastSlot)
      streams.append(StreamAccount(stream: stream))
    }
    lastStream = stream
    return lastSlot
  }

  /// Adds events of one block to the last events of its ring.
  private mutating func keep(
    _ entries: UnsafeBufferPointer<EventPage.Entry>, of columns: ColumnPointers
  ) {
    if lastTail >= tails.count || tails[lastTail].ring != columns.ring {
      lastTail = tail(of: columns.ring)
    }
    guard notesActions, let first = entries.first, let last = entries.last else { return }
    if Int(last.index - first.index) == entries.count - 1 {
      tails[lastTail].add(
        columns.name(Int(first.index)).sequence...columns.name(Int(last.index)).sequence)
    } else {
      // Those before would be replaced at once.
      for entry in entries.suffix(RingTail.kept) {
        let sequence = columns.name(Int(entry.index)).sequence
        tails[lastTail].add(sequence...sequence)
      }
    }
  }

  private mutating func tail(of ring: UInt32) -> Int {
    if let known = tailOfRing[ring] { return known }
    tailOfRing[ring] = tails.count
    tails.append(RingTail(ring: ring))
    return tails.count - 1
  }
}

/// The last events of one thread.
private struct RingTail: Sendable {
  let ring: UInt32
  /// When the thread did something last.
  var lastAction: UInt64 = 0
  /// The sequence numbers of events that follow each other, the oldest first: each stands for one or
  /// more, so that as many as are kept are enough.
  private var stretches: [ClosedRange<UInt64>] = []

  /// The number of events kept.
  static let kept = 16

  init(ring: UInt32) { self.ring = ring }

  mutating func add(_ sequences: ClosedRange<UInt64>) {
    if let last = stretches.last, last.upperBound &+ 1 == sequences.lowerBound {
      stretches[stretches.count - 1] = last.lowerBound...sequences.upperBound
      return
    }
    if stretches.count == Self.kept { stretches.removeFirst() }
    stretches.append(sequences)
  }

  /// The events, oldest first.
  var inOrder: [EventName] {
    let last = stretches.map { $0.suffix(Self.kept) }.joined().suffix(Self.kept)
    return last.map { EventName(ring: ring, sequence: $0) }
  }
}

/// An event and its time.
public struct EventMoment: Sendable, Hashable {
  /// The event.
  public var name: EventName
  /// When it happened.
  public var ticks: UInt64

  /// The thread incarnation that it happened on.
  public var ring: UInt32 { name.ring }
}

/// What one stream did.
public struct StreamAccount: Sendable {
  /// The stream.
  public var stream: UInt32
  /// The number of values that it delivered.
  public private(set) var values: UInt64 = 0
  /// The first value.
  public private(set) var firstValue: EventMoment?
  /// The last value.
  public private(set) var lastValue: EventMoment?
  /// Its first end.
  public private(set) var firstEnd: (kind: RecordKind, moment: EventMoment)?
  /// The numbers of values that it absorbed, by reason.
  public private(set) var absorbed: [AbsorptionReason: UInt64] = [:]
  /// The number of times it was observed.
  public internal(set) var subscriptions: UInt64 = 0

  /// Creates an account with no events.
  public init(stream: UInt32) { self.stream = stream }

  mutating func noteValue(_ moment: EventMoment) {
    values += 1
    if firstValue == nil { firstValue = moment }
    lastValue = moment
  }

  mutating func noteEnd(_ kind: RecordKind, _ moment: EventMoment) {
    if firstEnd == nil { firstEnd = (kind, moment) }
  }

  mutating func noteAbsorbed(_ reason: AbsorptionReason, _ walk: TraceWalk) {
    if let place = absorbed.index(forKey: reason) {
      absorbed.values[place] += 1
    } else if walk.take(Self.reasonBytes, or: .absorbed) {
      absorbed[reason] = 1
    }
  }

  /// The memory to count values absorbed for one reason, in bytes.
  private static let reasonBytes = 160

  /// The total number of values that it absorbed.
  public var absorbedValues: UInt64 { absorbed.values.reduce(0, +) }
}
