internal import VarveAnalysis
internal import VarveFormat
internal import VarveProbe

extension ViewerEventAnswers {
  /// What was known of each stream at a moment: its last value, and how many of its subscriptions were
  /// open.
  func state(_ question: ViewerQuestion) -> ViewerAnswer {
    let at = snapshot.first + min(question.number("at") ?? .max, .max - snapshot.first)
    let (newest, more) = lastValues(until: at)
    let open = openSubscriptions(at: at)
    let lookup = EventLookup(snapshot.reader)
    // In the order of blocks, so that each is decoded once.
    var rows = newest.sorted { $0.value.name < $1.value.name }.compactMap {
      stream, last -> (lane: Int, json: String)? in
      guard let lane = snapshot.lanes[.stream(stream)], let event = lookup[last.name] else {
        return nil
      }
      let count = open.map { ",\"open\":\(max($0[lane], 0))" } ?? ""
      return (lane, "{\"lane\":\(lane)\(count),\(text.members(event, bytes: 200))}")
    }
    let known = Set(rows.map(\.lane))
    for (lane, count) in (open ?? []).enumerated() where count > 0 && !known.contains(lane) {
      rows.append((lane, "{\"lane\":\(lane),\"open\":\(count),\"event\":null,\"value\":null}"))
    }
    return list(
      "rows", rows.sorted { $0.lane < $1.lane }.map(\.json), more: more || open == nil)
  }

  private func lastValues(
    until at: UInt64
  ) -> ([UInt32: (tick: UInt64, name: EventName)], more: Bool) {
    let reader = snapshot.reader
    var newest: [UInt32: (tick: UInt64, name: EventName)] = [:]
    let late = reader.blocks.indices.filter { reader.blocks[$0].ticks.lowerBound <= at }
      .sorted { reader.blocks[$0].ticks.upperBound > reader.blocks[$1].ticks.upperBound }
    var columns = EventColumns()
    var (patience, more) = (patience, false)
    for block in late {
      let summary = reader.blocks[block]
      guard summary.kinds.mayContain(RecordKind.value.rawValue) else { continue }
      // Streams whose values are newer than the whole block need not be looked for in it.
      guard
        snapshot.lanes.all.contains(where: { lane in
          guard case .stream(let id) = lane, summary.streams.mayContain(id) else { return false }
          return (newest[id]?.tick ?? 0) < summary.ticks.upperBound
        })
      else { continue }
      more = patience.isOver()
      guard !more else { break }
      guard
        (try? reader.decode(block, into: &columns, columns: [.ticks, .kinds, .streams])) != nil
      else { continue }
      for index in columns.ticks.indices.reversed() where columns.ticks[index] <= at {
        guard columns.kinds[index] == RecordKind.value.rawValue else { continue }
        let (stream, tick) = (columns.streams[index], columns.ticks[index])
        if newest[stream].map({ $0.tick < tick }) ?? true {
          newest[stream] = (tick, columns.name(index))
        }
      }
    }
    return (newest, more)
  }

  /// How many subscriptions of each lane were open; nil if that takes too long. What was counted before
  /// says how many were open at a moment that is not far, and the events from there on are counted.
  private func openSubscriptions(at tick: UInt64) -> [Int]? {
    let reader = snapshot.reader
    let known = snapshot.pyramid?.tallies?.subscriptions(before: tick - snapshot.first)
    var open = known?.open ?? []
    open += repeatElement(0, count: max(snapshot.lanes.all.count - open.count, 0))
    let from = snapshot.first + (known?.from ?? 0)
    guard from <= tick else { return open }
    var columns = EventColumns()
    var patience = patience
    for (block, summary) in reader.blocks.enumerated()
    where summary.ticks.overlaps(from...tick)
      && (summary.kinds.mayContain(RecordKind.subscribed.rawValue)
        || summary.kinds.mayContain(RecordKind.ended.rawValue))
    {
      guard !patience.isOver() else { return nil }
      guard
        (try? reader.decode(block, into: &columns, columns: [.ticks, .kinds, .streams])) != nil
      else { continue }
      for index in columns.ticks.indices where (from...tick).contains(columns.ticks[index]) {
        let change: Int
        switch RecordKind(rawValue: columns.kinds[index]) {
        case .subscribed: change = 1
        case .ended: change = -1
        default: continue
        }
        if let lane = snapshot.lanes[.stream(columns.streams[index])] { open[lane] += change }
      }
    }
    return open
  }
}
