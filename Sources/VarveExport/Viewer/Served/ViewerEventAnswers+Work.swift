internal import VarveAnalysis
internal import VarveFormat
internal import VarveProbe

extension ViewerEventAnswers {
  /// Work of schedulers, threads and tasks that went on in a range. Before the trace has been read that
  /// far for what goes on for long, only what began in the range, or as long before it. If the question tells
  /// how many ticks a pixel has, what is narrower becomes one.
  func slices(_ question: ViewerQuestion) -> ViewerAnswer {
    guard let (period, wanted) = snapshot.selection(question), let ticks = period.ticks else {
      return list("slices", [], more: false)
    }
    let limit = question.count("limit", most: Self.mostEvents) ?? 5_000
    let end = min(ticks.upperBound, snapshot.reader.lastTick)
    let relative =
      ticks.lowerBound - snapshot.first...max(ticks.lowerBound, end) - snapshot.first
    let pixel = question.number("pixel") ?? 0
    var slices = ViewerSlices(from: relative.lowerBound, pixel: pixel)
    var start = ticks.lowerBound - min(ticks.upperBound - ticks.lowerBound, ticks.lowerBound)
    if let work = snapshot.work, work.knows(ticks.lowerBound) {
      let (from, spells) = work.work(before: ticks.lowerBound) ?? (0, [])
      start = from
      slices = ViewerSlices(from: relative.lowerBound, pixel: pixel, spells, work.samples)
    }
    let (last, more) = read(
      start...ticks.upperBound, seen: ticks.lowerBound, into: &slices, most: limit * 2)
    slices.noteWaiting(snapshot.tasks, from: snapshot.first, among: snapshot.lanes)
    if let last {
      let first = min(start, last)
      addLong(
        to: &slices, until: relative.upperBound,
        read: first - min(first, snapshot.first)...last - min(last, snapshot.first), limit)
    }
    let (list, areAll, areMerged) = slices.finish(
      among: wanted, most: limit, until: relative.upperBound)
    return .json(
      "{\"slices\":[\n\(list)\n],\"more\":\(more || !areAll),\"merged\":\(areMerged)}")
  }

  /// Reads the events of a range, as many as there is time and room for; returns the last one's tick, if
  /// there are more. For those before what is seen there is more time: else nothing would be.
  private func read(
    _ ticks: ClosedRange<UInt64>, seen: UInt64, into slices: inout ViewerSlices, most: Int
  ) -> (last: UInt64?, more: Bool) {
    var selection = Selection()
    selection.ticks = ticks
    selection.kinds = KindSelection(WorkEvent.kinds)
    let columns = WorkEvent.columns.union(.causes)
    guard var query = try? EventQuery(selection, in: snapshot.reader, columns: columns) else {
      return (nil, false)
    }
    var lanes = WorkLanes(snapshot.lanes, thread: text.thread)
    var (last, more): (UInt64, Bool) = (0, false)
    var (patience, before) = (patience, AnswerPatience())
    query.deliversNothing = true
    query.run { page in
      let isOver = patience.isOver()
      let isLate = before.isOver()
      more = isOver && (last >= seen || isLate)
      page.forEach { batch, index in
        guard !more else { return }
        let event = WorkEvent(batch, index, hasCauses: true)
        guard let places = lanes.places(of: event) else { return }
        let ticks = batch.columns.ticks[index]
        slices.note(event, tick: ticks - min(ticks, snapshot.first), places)
        last = ticks
        more = slices.count >= most
      }
      return !more
    }
    return (more ? last : nil, more)
  }

  /// Where not all could be read, what goes on for long is known all the same, and when what was read
  /// and is not over will be.
  private func addLong(
    to slices: inout ViewerSlices, until end: UInt64, read: ClosedRange<UInt64>, _ limit: Int
  ) {
    guard let work = snapshot.work, work.isDone, read.upperBound < end else { return }
    let ends = work.ends(read)
    slices.know { ends[$0] ?? read.upperBound }
    for spell in work.longest(read.upperBound + 1...end, most: limit / 2) { slices.draw(spell) }
  }

  /// Where in the program stacks are: of each that is known, the line and its function.
  func lines(_ question: ViewerQuestion, _ names: ViewerNames) -> ViewerAnswer {
    let words = snapshot.words(names.symbols)
    let stacks = (question["stacks"] ?? "").split(separator: ",").prefix(200)
    return .json(words.linesJSON(of: stacks.compactMap { UInt32($0) }))
  }
}

extension TraceWords {
  /// The innermost lines of stacks in the program's own code, by the numbers of the stacks.
  func linesJSON(of stacks: some Sequence<UInt32>) -> String {
    stacks.reduce(JSONMembers()) { object, stack in
      guard let own = ownFrames(stack).first else { return object }
      return object.adding(
        String(stack),
        JSONMembers().adding("place", JSONText.quoted(own.place))
          .adding("function", JSONText.quoted(own.function)).text)
    }.text
  }
}
