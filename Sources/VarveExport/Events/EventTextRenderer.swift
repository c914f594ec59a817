public import VarveAnalysis
public import VarveFormat
internal import VarveProbe

/// Writes one line per event, in columns, for people. The form may change.
///
/// A line is assembled in the output's buffer from cells that were laid out in advance. No string
/// is created for it unless it contains a floating-point number.
public final class EventTextRenderer: EventRenderer {
  private let output: ByteOutput
  private let line: TextLine
  private let running: RunningSchedulers?
  private var moment: TextMoment
  private var losses: LossLines?
  private let style: OutputStyle
  private let threads: ThreadNames
  private let time: TraceTime

  /// Prepares to write the events of a query. `symbols` finds the places of operators; with
  /// `showsLosses`, lines of their own say where events are missing.
  public init(
    source: some EventSource, filter: EventFilter, pid: UInt32, fields: EventFields = .usual,
    time: TimeForm = .elapsed, style: OutputStyle = .plain, symbols: Symbolizer? = nil,
    showsLosses: Bool = false, output: ByteOutput
  ) {
    self.output = output
    self.style = style
    self.time = source.time
    losses = showsLosses ? LossLines(source, filter) : nil
    threads = ThreadNames(source.definitions.threads, pid: pid)
    running = fields.contains(.scheduler) ? RunningSchedulers(in: source) : nil
    let column = TimeColumn(time, span: TraceSpan(of: source), started: source.started)
    // At a terminal, whose lines are laid out for its width, the place is never left out.
    let fields = fields == .usual && style.width != nil ? fields.union(.place) : fields
    line = TextLine(
      fields: time == .delta ? fields.subtracting(.time).union(.step) : fields, style: style,
      eventWidth: source.widestEventName, timeWidth: column.width,
      cells: EventCells(
        source: source, filter: filter, pid: pid, style: style,
        showsPlaces: fields.contains(.place), symbols: symbols))
    moment = TextMoment(clock: TickConverter(source.time), column: column)
  }

  /// Returns the trace columns that the requested fields need.
  public static func columns(for fields: EventFields) -> ColumnSet {
    // Hops are identified by their number, which is stored where streams have their subscription.
    let always: ColumnSet = [.ticks, .kinds, .streams, .payloads, .subscriptions]
    return fields.contains(.cause) ? always.union(.causes) : always
  }

  /// Does nothing: the lines explain themselves.
  public func begin() {}

  /// Writes the losses after the last event.
  public func end() {
    guard let rest = losses?.takeRest() else { return }
    var pen = output.pen()
    write(rest, to: &pen)
    output.finish(&pen)
  }

  /// The work that the scheduler column does not reflect.
  public var passedOver: PassedOver { running?.passedOver ?? PassedOver() }

  /// Measures the first step from the other renderer's last line, and repeats no loss.
  public func goOn(after other: any EventRenderer) {
    guard let other = other as? EventTextRenderer else { return }
    moment.previous = other.moment.previous
    if let earlier = other.losses { losses?.goOn(after: earlier) }
  }

  /// Forgets the last line: no step is measured from it.
  public func startAnew() { moment.previous = nil }

  /// Writes the selected events of a page.
  public func render(_ page: EventPage) {
    var pen = output.pen()
    var moment = moment
    page.forEachRun { entries, block in
      var rest = entries
      // As in the form for machines: losses are rare.
      while let next = losses?.next, next < .max,
        let place = rest.firstIndex(where: { block.ticks[Int($0.index)] >= next })
      {
        write(UnsafeBufferPointer(rebasing: rest[..<place]), of: block, &moment, to: &pen)
        write(losses?.take(before: block.ticks[Int(rest[place].index)]) ?? [], to: &pen)
        rest = UnsafeBufferPointer(rebasing: rest[place...])
      }
      write(rest, of: block, &moment, to: &pen)
    }
    self.moment = moment
    output.finish(&pen)
  }

  /// Writes a line for each loss.
  private func write(_ losses: [TraceLoss], to pen: inout Pen) {
    for loss in losses {
      let mark = style.ascii ? ".. " : "… "
      let sentence = TraceWarnings.sentence(loss, threads, time)
      pen.write(style.fitted(mark + sentence) + "\n")
    }
  }

  /// Writes lines. Inlined into the closure that calls it, a line would need a third more
  /// instructions, because the pen could change with every byte.
  @inline(never)
  private func write(
    _ entries: UnsafeBufferPointer<EventPage.Entry>, of block: ColumnPointers,
    _ moment: inout TextMoment, to pen: inout Pen
  ) {
    moment.ordinalWidth = line.ordinalWidth(ofRing: block.ring)
    for entry in entries {
      let index = Int(entry.index)
      let scheduler = running?.scheduler(
        ring: block.ring, sequence: block.firstSequence + UInt64(index))
      line.write(block, index, &moment, scheduler: scheduler ?? 0, to: &pen)
    }
  }
}

/// The state of the time columns after the last line.
struct TextMoment {
  var clock: TickConverter
  var column: TimeColumn
  var previous: Int64?
  /// The width of the ordinals of the current thread's events.
  var ordinalWidth = 0
}
