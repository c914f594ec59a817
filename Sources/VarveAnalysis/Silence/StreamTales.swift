internal import VarveFormat
internal import VarveProbe

/// Reads what the streams above an asked one did, in one pass over their events.
struct StreamTales {
  private(set) var tales: [UInt32: StreamTale] = [:]
  private(set) var damage: [TraceFileError] = []
  /// The number of values of the asked stream in the period asked for, and the last of them.
  private(set) var valuesInPeriod: UInt64 = 0

  private let asked: UInt32
  private let upstream: Upstream
  private let facts: SilenceFacts
  /// The tick of the asked stream's last value: what came later has been stopped since.
  private let lastTick: UInt64?
  /// Inner streams that run, by edge: the flattening that they feed, and the number of values that
  /// the inner stream had delivered.
  private var running: [UInt64: (flattening: UInt32, values: UInt64)] = [:]

  private static let mostRunning = 65_536

  init<Source: EventSource>(
    of asked: UInt32, _ upstream: Upstream, in facts: SilenceFacts, _ source: Source,
    until: TimeExpression?, lastTick: UInt64?
  ) throws(SelectionError) {
    self.asked = asked
    self.upstream = upstream
    self.facts = facts
    self.lastTick = lastTick
    var selection = Selection()
    selection.streams = Set(upstream.members.map(\.stream))
    selection.until = until
    selection.kinds = KindSelection([
      .subscribed, .ended, .value, .failed, .completed, .interrupted, .absorbed,
    ])
    var query = try EventQuery(
      selection, in: source, columns: [.ticks, .kinds, .streams, .subscriptions, .payloads, .causes]
    )
    query.run { page in
      page.forEach { batch, index in note(batch, index) }
      return true
    }
    damage = query.damage
  }

  subscript(stream: UInt32) -> StreamTale { tales[stream] ?? StreamTale() }

  private mutating func note(_ batch: EventBatch, _ index: Int) {
    let columns = batch.columns
    guard let kind = RecordKind(rawValue: columns.kinds[index]) else { return }
    let stream = columns.streams[index]
    let moment = EventMoment(name: columns.name(index), ticks: columns.ticks[index])
    let isSince = lastTick.map { moment.ticks > $0 } ?? true
    let word = columns.words[index]
    switch kind {
    case .value:
      noteValue(stream, moment, isSince)
    case .absorbed:
      guard let reason = AbsorptionReason(rawValue: UInt8(truncatingIfNeeded: word)) else { return }
      tales[stream, default: StreamTale()].swallow(
        reason, columns.causes(of: index).last, at: moment, isSince: isSince)
    case .failed, .completed, .interrupted:
      let causes = columns.causes(of: index)
      tales[stream, default: StreamTale()].end = StreamTale.End(
        kind: kind, moment: moment, causes: causes)
      if kind == .failed { tales[stream]?.fail(moment.name) }
    case .subscribed:
      noteObservation(stream, moment, columns.subscriptions[index], SubscriptionPayload(word: word))
    case .ended:
      let reason = EndReason(rawValue: UInt8(truncatingIfNeeded: word))
      noteEnd(
        stream, moment, columns.subscriptions[index], reason, stack: UInt32(word >> 32),
        hasCause: columns.backs[index] != 0)
    default:
      return
    }
  }

  private mutating func noteValue(_ stream: UInt32, _ moment: EventMoment, _ isSince: Bool) {
    tales[stream, default: StreamTale()].values += 1
    if isSince { tales[stream]?.since += 1 }
    tales[stream]?.lastValue = moment
    tales[stream]?.ticks.append(moment.ticks)
    if tales[stream]?.firstObserved == nil {
      tales[stream]?.unobserved += 1
      tales[stream]?.lastUnobserved = moment
    }
    if let replay = tales[stream]?.replay, !replay.isOver {
      if replay.before == arrived(at: stream) {
        tales[stream]?.replay?.delivered += 1
      } else {
        tales[stream]?.replay?.isOver = true
      }
    }
  }

  /// Returns the number of values that have arrived at a stream that replays them.
  private func arrived(at stream: UInt32) -> UInt64 {
    var stream = stream
    for _ in 0..<8 {
      guard let parent = facts.inputs(of: stream).first(where: { $0.position != nil }) else { break }
      stream = parent.stream
      if facts.is(stream, .hot) { break }
    }
    return tales[stream]?.values ?? 0
  }

  private mutating func noteObservation(
    _ stream: UInt32, _ moment: EventMoment, _ edge: UInt64, _ payload: SubscriptionPayload
  ) {
    let isOnWay = payload.stream != 0 && upstream.contains(payload.stream)
    var tale = tales[stream] ?? StreamTale()
    if payload.stream == 0 {
      tale.outsideStack = payload.stack
    }
    if isOnWay || payload.stream == 0 {
      if tale.firstObserved == nil {
        tale.firstObserved = moment
        // An operator of a signal observes its input when it is made.
        tale.observerStack =
          payload.stack != 0 ? payload.stack : facts.definition(payload.stream)?.stack ?? 0
      }
      tale.began = moment
      if !facts.is(stream, .hot) { tale.end = nil }
      tale.edgeEnd = nil
    }
    if isOnWay, facts.replaysValues(stream) {
      tale.replay = (arrived(at: stream), 0, moment, false)
    } else {
      tale.replay?.isOver = true
    }
    tales[stream] = tale
    guard isOnWay, facts.is(payload.stream, .makesStreams),
      facts.definition(payload.stream)?.parents.contains(stream) != true
    else { return }
    tales[payload.stream, default: StreamTale()].runs += 1
    if let givenUp = tales[payload.stream]?.wasGivenUp {
      tales[payload.stream]?.givenUp += 1
      tales[payload.stream]?.lastGivenUp = givenUp
      tales[payload.stream]?.wasGivenUp = nil
    }
    if running.count < Self.mostRunning { running[edge] = (payload.stream, tale.values) }
  }

  private mutating func noteEnd(
    _ stream: UInt32, _ moment: EventMoment, _ edge: UInt64, _ reason: EndReason?, stack: UInt32,
    hasCause: Bool
  ) {
    if stack != 0 || reason == .disposed {
      tales[stream, default: StreamTale()].edgeEnd = StreamTale.End(
        kind: .ended, moment: moment, causes: [], stack: stack)
    }
    guard let run = running.removeValue(forKey: edge), hasCause else { return }
    if reason == .interrupted || reason == .disposed, tales[stream]?.values ?? 0 == run.values {
      tales[run.flattening, default: StreamTale()].wasGivenUp = moment
    }
  }
}
