internal import VarveAnalysis
internal import VarveExport
internal import VarveFormat
internal import VarvePlatform

/// Shows the events of a trace while it is being recorded, across all its files, until the
/// recording ends. If another recording has begun in its place by then, continues with that one.
struct FollowRun {
  /// The number of events shown.
  private(set) var count: UInt64 = 0
  /// The blocks that were passed over.
  private(set) var damage: [TraceFileError] = []
  /// The parts of the trace that were left out because there was too much to remember.
  private(set) var passedOver = PassedOver()

  private var selection: Selection
  private let form: ReplayForm
  private var follower = TraceFollower()
  private var last: (any EventRenderer)?

  private static let period = Duration.milliseconds(100)
  /// The age from which events are shown, in nanoseconds. Younger ones wait for the next pass,
  /// because the threads are not read all at once.
  private static let settling: UInt64 = 2_000_000

  init(_ selection: Selection, _ form: ReplayForm) {
    self.selection = selection
    self.form = form
  }

  /// The system's monotonic clock, which recorders use too.
  static var now: UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
  }

  /// Follows a trace that was opened after `moment`.
  mutating func run(from opened: TraceReader, at moment: UInt64) throws {
    var trace = GrowingTrace(opened)
    var moment = moment
    while form.output.isOpen, selection.head != 0 {
      let limit = trace.isOver ? nil : settled(trace.latest, at: moment)
      try show(follower.take(trace.parts, upTo: limit))
      trace.close(where: follower.hasTakenAll)
      form.output.flush()
      if trace.isOver {
        guard let next = successor(of: trace) else { break }
        trace = GrowingTrace(next)
        follower = TraceFollower()
        continue
      }
      Sleep.sleep(Self.period)
      moment = Self.now
      try refresh(&trace)
    }
    last?.end()
    try StandardOutput.close(form.output)
  }

  private mutating func show(_ fresh: FreshEvents) throws {
    guard !fresh.blocks.isEmpty || last == nil else { return }
    var query = try EventQuery(selection, in: fresh, columns: form.columns)
    // New names may have appeared, so the parts of the lines are laid out again.
    let renderer = form.renderer(fresh, query.filter)
    if let last { renderer.goOn(after: last) } else { renderer.begin() }
    let output = form.output
    query.run { page in
      renderer.render(page)
      return output.isOpen
    }
    last = renderer
    count += query.count
    damage += query.damage
    passedOver = passedOver + query.passedOver
    goOn(after: query.count)
  }

  /// Removes what was already shown from the selection.
  private mutating func goOn(after shown: UInt64) {
    selection.tail = nil
    if let head = selection.head { selection.head = max(0, head - Int(clamping: shown)) }
    switch selection.since {
    // Limits given by the trace's length or by an event were resolved in the first pass.
    case .beforeEnd, .part, .event: selection.since = nil
    case .sinceStart, .wall, nil: break
    }
  }

  /// Returns the tick up to which nothing new can appear.
  private func settled(_ reader: TraceReader, at moment: UInt64) -> UInt64? {
    guard reader.header.clock != .byHand else { return nil }
    let since = Int64(clamping: moment) - Int64(clamping: reader.header.anchor.monotonic)
    return reader.time.ticks(sinceStart: max(0, since - Int64(Self.settling)))
  }

  private func refresh(_ trace: inout GrowingTrace) throws(CommandEnd) {
    do {
      try trace.refresh()
    } catch {
      throw CommandEnd(.unreadable, error.description)
    }
  }

  /// Returns the recording that has begun in the place of this one.
  private func successor(of trace: GrowingTrace) -> TraceReader? {
    guard let next = try? TraceReader(path: trace.path),
      next.header.id != trace.latest.header.id
    else { return nil }
    return next
  }
}
