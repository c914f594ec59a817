internal import VarveAnalysis
internal import VarveFormat
internal import VarveProbe

/// The figures of a range of time: for each lane how many events there were, the gaps between its
/// values, the values where they are numbers, and how long its subscriptions lasted, or its work ran.
///
/// Two threads count, each a half of the range.
struct ViewerStatistics {
  private let snapshot: ViewerSnapshot

  init(_ snapshot: ViewerSnapshot) { self.snapshot = snapshot }

  /// How far both threads are together.
  private struct Reading {
    var progress: ViewerProgress
    var read: UInt64 = 0
    var isStopped = false

    mutating func goesOn(after events: Int) -> Bool {
      read += UInt64(events)
      if !isStopped { isStopped = !progress.goesOn(read) }
      return !isStopped
    }
  }

  func run(_ question: ViewerQuestion, _ messages: ViewerMessages) -> ViewerAnswer {
    guard let (selection, wanted) = snapshot.selection(question), let ticks = selection.ticks else {
      messages.done("{\"count\":0,\"rows\":[]}")
      return .sent
    }
    let halves = self.halves(of: ticks)
    let total = snapshot.reader.blocks.reduce(UInt64(0)) {
      $0 + ($1.ticks.overlaps(ticks) ? UInt64($1.count) : 0)
    }
    let reading = Lock(Reading(progress: ViewerProgress(messages, of: total)))
    let parts = halves.map { _ in LanesStatistics(snapshot, wanted: wanted) }
    Halves.run { half in
      guard var own = snapshot.selection(question)?.0 else { return }
      own.ticks = halves[half]
      guard
        var query = try? EventQuery(
          own, in: snapshot.reader, columns: [.ticks, .kinds, .streams, .subscriptions, .payloads])
      else { return }
      query.run { page in
        parts[half].count(page)
        return reading.withLock { $0.goesOn(after: page.due.count) }
      }
    }
    send(parts[0], parts[1], messages)
    return .sent
  }

  /// Splits a period where as many events are before as after, as far as the headers of blocks tell.
  private func halves(of ticks: ClosedRange<UInt64>) -> [ClosedRange<UInt64>] {
    let blocks = snapshot.reader.blocks.filter { $0.ticks.overlaps(ticks) }
      .sorted { $0.ticks.lowerBound < $1.ticks.lowerBound }
    var rest = blocks.reduce(0) { $0 + $1.count } / 2
    let middle = blocks.first { block in
      rest -= block.count
      return rest < 0
    }
    let border = min(max(middle?.ticks.lowerBound ?? 0, ticks.lowerBound), ticks.upperBound)
    // Of a single moment, or of one block, all is in the first part.
    guard border > ticks.lowerBound else { return [ticks, .max...(.max)] }
    return [ticks.lowerBound...border - 1, border...ticks.upperBound]
  }

  /// Sends the rows of the busiest lanes, which are all unless there are very many.
  private func send(
    _ earlier: LanesStatistics, _ later: LanesStatistics, _ messages: ViewerMessages
  ) {
    func count(_ lane: Int) -> Int { earlier.lanes[lane].count + later.lanes[lane].count }
    let used = earlier.lanes.indices.filter { count($0) > 0 }
    let busiest = used.sorted { (count($1), $0) < (count($0), $1) }.prefix(Self.mostRows).sorted()
    earlier.addDurations(to: later)
    // Some at once: each message is a packet.
    for start in stride(from: 0, to: busiest.count, by: Self.rowsAtOnce) {
      guard messages.isWanted() else { return }
      let end = min(start + Self.rowsAtOnce, busiest.count)
      messages.rows(
        busiest[start..<end].map { lane in
          earlier.lanes[lane].addGap(to: later.lanes[lane])
          return earlier.lanes[lane].row(lane, later.lanes[lane])
        })
    }
    messages.done("{\"count\":\(earlier.counted + later.counted),\"lanes\":\(used.count)}")
  }

  /// More rows than a page shows.
  private static let mostRows = 1_000
  private static let rowsAtOnce = 50
}
