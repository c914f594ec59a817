internal import VarveAnalysis
internal import VarveExport
internal import VarveFormat
internal import VarveProbe

/// The lines that are stepped through, read where they are needed: the index of the blocks says where.
final class TraceSteps: StepSource {
  /// The number of lines of a piece, unless more have one tick.
  private static let pieceLength = 1_000
  /// The number of lines that are searched at a time when it goes backward.
  private static let searchLength = 50_000
  /// The most lines of one tick. More would not fit into memory, and no clock is so coarse.
  private static let mostOfOneTick = 1_000_000

  private let selection: Selection
  private let reader: TraceReader
  private let filter: EventFilter
  private var form: ReplayForm
  private let gathered: LineGatherer
  private var renderer: EventTextRenderer
  private var converter: TickConverter
  /// Whether the user has had enough of a search.
  var isStopped: () -> Bool = { false }

  /// The number of all lines; nil if it is not known before all were read.
  let count: Int?
  /// The blocks that were passed over.
  private(set) var damage: [TraceFileError] = []
  /// What was passed over because there was too much to remember.
  private(set) var passedOver = PassedOver()

  init(
    _ selection: Selection, in reader: TraceReader, _ form: ReplayForm, _ gathered: LineGatherer
  ) throws {
    self.selection = selection
    self.reader = reader
    self.form = form
    self.gathered = gathered
    filter = try EventFilter(selection, in: reader)
    renderer = form.text(reader, filter)
    converter = TickConverter(reader.time)
    let isEverything = try EventChoice(selection, in: reader).isEverything
    count = isEverything && reader.damage.isEmpty ? Int(clamping: reader.events) : nil
  }

  /// Returns what has the lines: all of them if the first or the last events were chosen, as many as
  /// the user says.
  func source() throws -> any StepSource {
    guard selection.head != nil || selection.tail != nil else { return self }
    return GatheredSteps(try lines(selection))
  }

  /// Returns what has the lines, laid out for another width of the terminal.
  func source(width: Int?) throws -> any StepSource {
    form.style.width = width
    renderer = form.text(reader, filter)
    return try source()
  }

  /// Returns the first lines from a tick on; nil if there are none.
  func piece(from tick: UInt64) throws -> StepPiece? {
    try piece(tick ... .max, isForward: true, length: Self.pieceLength)
  }

  /// Returns the last lines up to a tick; nil if there are none.
  func piece(upTo tick: UInt64) throws -> StepPiece? {
    try piece(0...tick, isForward: false, length: Self.pieceLength)
  }

  /// Returns the lines at one end of a range, with all that have the tick of the last of them.
  private func piece(
    _ ticks: ClosedRange<UInt64>, isForward: Bool, length: Int
  ) throws -> StepPiece? {
    var length = length
    // The first line tells the step from the one before it.
    if isForward, ticks.lowerBound > 0, var before = narrowed(to: 0...(ticks.lowerBound - 1)) {
      before.tail = 1
      try read(before) { _ in true }
    }
    while var wanted = narrowed(to: ticks) {
      wanted.head = isForward ? length + 1 : nil
      wanted.tail = isForward ? nil : length + 1
      if !isForward { renderer.startAnew() }
      var lines = try self.lines(wanted)
      guard let far = isForward ? lines.last?.tick : lines.first?.tick else { return nil }
      let isAll = lines.count <= length
      if !isAll { lines.removeAll { $0.tick == far } }
      if lines.isEmpty {
        guard length < Self.mostOfOneTick else {
          throw CommandEnd(
            .wrongUsage, "too many events have one time; choose some with --thread or -n")
        }
        length *= 8
        continue
      }
      return StepPiece(
        lines, isFirst: isForward ? ticks.lowerBound == 0 : isAll,
        isLast: isForward ? isAll : ticks.upperBound == .max)
    }
    return nil
  }

  /// Returns the selection within a range of ticks; nil if they have nothing in common.
  private func narrowed(to ticks: ClosedRange<UInt64>) -> Selection? {
    var narrowed = selection
    guard let own = selection.ticks else {
      narrowed.ticks = ticks
      return narrowed
    }
    guard own.overlaps(ticks) else { return nil }
    narrowed.ticks = own.clamped(to: ticks)
    return narrowed
  }

  private func lines(_ wanted: Selection) throws -> [Stepper.Line] {
    var lines: [Stepper.Line] = []
    try read(wanted) {
      lines += $0
      return true
    }
    return lines
  }

  /// Reads lines page by page; `body` takes them.
  private func read(_ wanted: Selection, _ body: ([Stepper.Line]) -> Bool) throws {
    var query = try EventQuery(wanted, in: reader, columns: form.columns)
    query.run { page in
      renderer.render(page)
      form.output.flush()
      var texts = gathered.take().makeIterator()
      var lines: [Stepper.Line] = []
      page.forEach { batch, index in
        let tick = batch.columns.ticks[index]
        lines.append(
          Stepper.Line(
            text: texts.next() ?? "", event: batch.columns.name(index), tick: tick,
            time: converter.nanoseconds(sinceStart: tick),
            isFailure: batch.columns.kinds[index] == RecordKind.failed.rawValue))
      }
      return body(lines)
    }
    note(query)
  }

  private func note(_ query: EventQuery<TraceReader>) {
    damage += query.damage
    passedOver = passedOver.merged(query.passedOver)
  }
}

// MARK: - Searches

extension TraceSteps {
  /// Returns the tick of the first line that is sought, from a tick on; nil if there is none.
  func tick(ofFirst sought: Sought, from tick: UInt64) throws -> UInt64? {
    if case .failure = sought { return try failure(in: tick ... .max, isFirst: true) }
    guard let wanted = narrowed(to: tick ... .max) else { return nil }
    var found: UInt64?
    var isOver = false
    try read(wanted) { lines in
      found = lines.first(where: sought.matches)?.tick
      isOver = isStopped()
      return found == nil && !isOver
    }
    if isOver, found == nil { throw Stepper.SearchStopped() }
    return found
  }

  /// Returns the tick of the last line that is sought, up to a tick; nil if there is none.
  func tick(ofLast sought: Sought, upTo tick: UInt64) throws -> UInt64? {
    if case .failure = sought { return try failure(in: 0...tick, isFirst: false) }
    var end = tick
    while let piece = try piece(0...end, isForward: false, length: Self.searchLength) {
      if let found = piece.lines.last(where: sought.matches) { return found.tick }
      guard !piece.isFirst, piece.lines[0].tick > 0 else { return nil }
      if isStopped() { throw Stepper.SearchStopped() }
      end = piece.lines[0].tick - 1
    }
    return nil
  }

  /// Returns the tick of a failure. Blocks without failures are not read.
  private func failure(in ticks: ClosedRange<UInt64>, isFirst: Bool) throws -> UInt64? {
    guard selection.kinds.contains(RecordKind.failed.rawValue), var wanted = narrowed(to: ticks)
    else { return nil }
    wanted.kinds = KindSelection([.failed])
    wanted.head = isFirst ? 1 : nil
    wanted.tail = isFirst ? nil : 1
    var query = try EventQuery(wanted, in: reader, columns: .ticks)
    var found: UInt64?
    query.run { page in
      page.forEach { batch, index in found = batch.columns.ticks[index] }
      return true
    }
    note(query)
    return found
  }
}
