internal import VarveAnalysis
internal import VarveFormat
internal import VarveProbe

/// The figures of a range of time: for each lane how many events there were, the gaps between its
/// values, and the values where they are numbers.
struct ViewerStatistics {
  private let snapshot: ViewerSnapshot

  init(_ snapshot: ViewerSnapshot) { self.snapshot = snapshot }

  /// What was counted of one lane.
  private struct Lane {
    var count = 0
    var values = 0
    var failed = 0
    var lastValue: UInt64?
    var gaps: NumberSample
    var numbers: NumberSample

    init(oneOf lanes: Int) {
      gaps = NumberSample(oneOf: lanes * 2)
      numbers = gaps
    }
  }

  func run(_ question: ViewerQuestion, _ messages: ViewerMessages) -> ViewerAnswer {
    guard let (selection, wanted) = snapshot.selection(question),
      var query = try? EventQuery(
        selection, in: snapshot.reader, columns: [.ticks, .kinds, .streams, .payloads])
    else {
      messages.done("{\"count\":0,\"rows\":[]}")
      return .sent
    }
    let total = snapshot.reader.blocks.reduce(UInt64(0)) {
      $0 + (query.filter.mayMatch($1) ? UInt64($1.count) : 0)
    }
    var progress = ViewerProgress(messages, of: total)
    let isWanted = snapshot.lanes.all.indices.map { wanted?.contains($0) ?? true }
    var lanes = [Lane](
      repeating: Lane(oneOf: isWanted.count { $0 }), count: isWanted.count)
    let finder = ViewerLaneFinder(snapshot.lanes)
    var clock = TickConverter(snapshot.reader.time)
    var (read, counted): (UInt64, UInt64) = (0, 0)
    query.run { page in
      page.forEachRun { entries, columns, _ in
        for entry in entries {
          let index = Int(entry.index)
          let kind = columns.kinds[index]
          let lane = finder.lane(kind: kind, id: columns.streams[index], ring: columns.ring)
          guard lane >= 0, isWanted[lane] else { continue }
          counted += 1
          lanes[lane].count += 1
          if kind == RecordKind.failed.rawValue { lanes[lane].failed += 1 }
          guard kind == RecordKind.value.rawValue else { continue }
          lanes[lane].values += 1
          let now = UInt64(bitPattern: clock.nanoseconds(sinceStart: columns.ticks[index]))
          if let last = lanes[lane].lastValue { lanes[lane].gaps.add(Double(now &- last)) }
          lanes[lane].lastValue = now
          let payload = PayloadKind(rawValue: columns.payloadKinds[index])
          if let number = PayloadNumber.of(payload, columns.words[index]) {
            lanes[lane].numbers.add(number)
          }
        }
      }
      read += UInt64(page.due.count)
      return progress.goesOn(read)
    }
    send(lanes, counted, messages)
    return .sent
  }

  /// Sends the rows of the busiest lanes, which are all unless there are very many.
  private func send(_ lanes: [Lane], _ counted: UInt64, _ messages: ViewerMessages) {
    let used = lanes.indices.filter { lanes[$0].count > 0 }
    let busiest = used.sorted { (lanes[$1].count, $0) < (lanes[$0].count, $1) }
      .prefix(Self.mostRows).sorted()
    // Some at once: each message is a packet.
    for start in stride(from: 0, to: busiest.count, by: Self.rowsAtOnce) {
      guard messages.isWanted() else { return }
      let end = min(start + Self.rowsAtOnce, busiest.count)
      messages.rows(busiest[start..<end].map { row($0, lanes[$0]) })
    }
    messages.done("{\"count\":\(counted),\"lanes\":\(used.count)}")
  }

  /// More rows than a page shows.
  private static let mostRows = 1_000
  private static let rowsAtOnce = 50

  private func row(_ lane: Int, _ figures: Lane) -> String {
    """
    {"lane":\(lane),"count":\(figures.count),"values":\(figures.values),\
    "failed":\(figures.failed),"gaps":\(figures.gaps.json ?? "null"),\
    "numbers":\(figures.numbers.json ?? "null")}
    """
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
