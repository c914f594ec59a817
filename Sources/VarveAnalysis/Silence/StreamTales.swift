internal import VarveFormat
internal import VarveProbe

/// Reads what the streams above an asked one did, in one pass over their events.
struct StreamTales {
  /// One for each member of `upstream`.
  private var tales: [StreamTale]
  private(set) var damage: [TraceFileError] = []

  private let upstream: Upstream
  private let facts: SilenceFacts
  /// The tick of the asked stream's last value: what came later has been stopped since.
  private let lastTick: UInt64?
  /// Inner streams that run, by edge: the flattening that they feed, and the number of values that
  /// the inner stream had delivered.
  private var running: [UInt64: (flattening: Int, values: UInt64)] = [:]

  private let isHot: [Bool]
  private let replays: [Bool]
  /// The same as in `upstream`, for each event.
  private var positions = StreamSlots()
  private var lastStream: UInt32 = 0
  private var lastPosition = 0

  private static let mostRunning = 65_536

  init<Source: EventSource>(
    _ upstream: Upstream, in facts: SilenceFacts, _ source: Source,
    until: TimeExpression?, lastTick: UInt64?
  ) throws(SelectionError) {
    self.upstream = upstream
    self.facts = facts
    self.lastTick = lastTick
    tales = upstream.members.map { _ in StreamTale() }
    isHot = upstream.members.map { facts.is($0.stream, .hot) }
    replays = upstream.members.map { facts.replaysValues($0.stream) }
    for (position, member) in upstream.members.enumerated() {
      positions.add(member.stream, slot: position)
    }
    var selection = Selection()
    selection.streams = Set(upstream.members.map(\.stream))
    selection.until = until
    selection.kinds = KindSelection([
      .subscribed, .ended, .value, .failed, .completed, .interrupted, .absorbed,
    ])
    var query = try EventQuery(
      selection, in: source,
      columns: [.ticks, .kinds, .streams, .subscriptions, .words, .causes],
      payloadsOf: KindSelection([.subscribed, .ended, .absorbed]))
    query.run { page in
      page.forEachRun { entries, columns in
        for entry in entries { note(columns, Int(entry.index)) }
      }
      return true
    }
    damage = query.damage
  }

  subscript(stream: UInt32) -> StreamTale {
    upstream.positions[stream].map { tales[$0] } ?? StreamTale()
  }

  private mutating func note(_ columns: ColumnPointers, _ index: Int) {
    let stream = columns.streams[index]
    if stream != lastStream || lastStream == 0 {
      guard let position = positions.find(stream) else { return }
      (lastStream, lastPosition) = (stream, position)
    }
    guard let kind = RecordKind(rawValue: columns.kinds[index]) else { return }
    let position = lastPosition
    let moment = EventMoment(name: columns.name(index), ticks: columns.ticks[index])
    let isSince = lastTick.map { moment.ticks > $0 } ?? true
    switch kind {
    case .value:
      noteValue(position, moment, isSince)
    case .absorbed:
      guard
        let reason = AbsorptionReason(rawValue: UInt8(truncatingIfNeeded: columns.words[index]))
      else { return }
      var value: EventName?
      columns.forEachCause(of: index) { value = $0 }
      tales[position].swallow(reason, value, at: moment, isSince: isSince)
    case .failed, .completed, .interrupted:
      var causes: [EventName] = []
      columns.forEachCause(of: index) { causes.append($0) }
      tales[position].end = StreamTale.End(kind: kind, moment: moment, causes: causes)
      if kind == .failed { tales[position].fail(moment.name) }
    case .subscribed:
      noteObservation(
        position, moment, columns.subscriptions[index],
        SubscriptionPayload(word: columns.words[index]))
    case .ended:
      let word = columns.words[index]
      noteEnd(
        position, moment, columns.subscriptions[index],
        EndReason(rawValue: UInt8(truncatingIfNeeded: word)), stack: UInt32(word >> 32),
        hasCause: columns.backs[index] != 0)
    default:
      return
    }
  }

  private mutating func noteValue(_ position: Int, _ moment: EventMoment, _ isSince: Bool) {
    tales[position].noteValue(moment, isHot: isHot[position], isSince: isSince)
    guard replays[position], let replay = tales[position].replay, !replay.isOver else { return }
    if replay.before == arrived(at: position) {
      tales[position].replay?.delivered += 1
    } else {
      tales[position].replay?.isOver = true
    }
  }

  /// The maximum number of streams between one that replays values and the source of these.
  private static let mostBetween = 8

  /// Returns the number of values that have arrived at a stream that replays them.
  private func arrived(at position: Int) -> UInt64 {
    var stream = upstream.members[position].stream
    for _ in 0..<Self.mostBetween {
      guard let parent = facts.inputs(of: stream).first(where: { $0.position != nil }) else {
        break
      }
      stream = parent.stream
      if facts.is(stream, .hot) { break }
    }
    return self[stream].values
  }

  private mutating func noteObservation(
    _ position: Int, _ moment: EventMoment, _ edge: UInt64, _ payload: SubscriptionPayload
  ) {
    let stream = upstream.members[position].stream
    let observer = payload.stream == 0 ? nil : upstream.positions[payload.stream]
    if payload.stream == 0 { tales[position].outsideStack = payload.stack }
    if observer != nil || payload.stream == 0 {
      if tales[position].firstObserved == nil {
        tales[position].firstObserved = moment
        // An operator of a signal observes its input when it is made.
        tales[position].observerStack =
          payload.stack != 0 ? payload.stack : facts.definition(payload.stream)?.stack ?? 0
      }
      if observer != nil, tales[position].observers.count < StreamTale.mostObservers,
        tales[position].observers[payload.stream] == nil
      {
        tales[position].observers[payload.stream] = moment
      }
      tales[position].began = moment
      if !isHot[position] { tales[position].end = nil }
      tales[position].edgeEnd = nil
    }
    if replays[position], observer != nil {
      tales[position].replay = (arrived(at: position), 0, moment, false)
    } else {
      tales[position].replay?.isOver = true
    }
    guard let observer, facts.is(payload.stream, .makesStreams),
      facts.definition(payload.stream)?.parents.contains(stream) != true
    else { return }
    tales[observer].runs += 1
    if let givenUp = tales[observer].wasGivenUp {
      tales[observer].givenUp += 1
      tales[observer].lastGivenUp = givenUp
      tales[observer].wasGivenUp = nil
    }
    if let cutOff = tales[observer].wasCutOff {
      tales[observer].cutOff += 1
      tales[observer].lastCutOff = cutOff
      tales[observer].wasCutOff = nil
    }
    if running.count < Self.mostRunning { running[edge] = (observer, tales[position].values) }
  }

  private mutating func noteEnd(
    _ position: Int, _ moment: EventMoment, _ edge: UInt64, _ reason: EndReason?, stack: UInt32,
    hasCause: Bool
  ) {
    if stack != 0 || reason == .disposed {
      tales[position].edgeEnd = StreamTale.End(
        kind: .ended, moment: moment, causes: [], stack: stack)
    }
    guard let run = running.removeValue(forKey: edge), hasCause else { return }
    let values = tales[position].values - run.values
    switch reason {
    case .interrupted, .disposed:
      if values == 0 {
        tales[run.flattening].wasGivenUp = moment
      } else {
        tales[run.flattening].wasCutOff = moment
        tales[run.flattening].longestCut = max(tales[run.flattening].longestCut, values)
      }
    case .completed:
      tales[run.flattening].longestWhole = max(tales[run.flattening].longestWhole, values)
    default: break
    }
  }
}
