public import VarveAnalysis
public import VarveFormat
internal import VarveProbe

/// Writes one line per event, in columns, for people. The form may change.
///
/// A line is assembled in the output's buffer from cells that were laid out in advance. No string
/// is created for it unless it contains a floating-point number.
public final class EventTextRenderer: EventRenderer {
  private let output: ByteOutput
  private let layout: TextLayout
  private let cells: EventCells
  private let running: RunningSchedulers?
  private var moment: TextMoment
  private let middles = LineMiddles()

  /// Prepares to write the events of a query.
  public init(
    source: some EventSource, filter: EventFilter, pid: UInt32, fields: EventFields = .usual,
    time: TimeForm = .elapsed, style: OutputStyle = .plain, output: ByteOutput
  ) {
    self.output = output
    cells = EventCells(source: source, filter: filter, pid: pid, style: style)
    running = fields.contains(.scheduler) ? RunningSchedulers(in: source) : nil
    let column = TimeColumn(time, span: TraceSpan(of: source), started: source.started)
    layout = TextLayout(
      fields: time == .delta ? fields.subtracting(.time).union(.step) : fields, style: style,
      eventWidth: source.widestEventName, timeWidth: column.width, cells: cells)
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

  /// Does nothing.
  public func end() {}

  /// The work that the scheduler column does not reflect.
  public var passedOver: PassedOver { running?.passedOver ?? PassedOver() }

  /// Measures the first step from the other renderer's last line.
  public func goOn(after other: any EventRenderer) {
    moment.previous = (other as? EventTextRenderer)?.moment.previous
  }

  /// Writes the selected events of a page.
  public func render(_ page: EventPage) {
    var pen = output.pen()
    var moment = moment
    cells.lend { cells in
      page.withPointers { entries, blocks in
        let line = TextLine(layout: layout, cells: cells)
        // Usually a few hundred consecutive events lie in the same block.
        var position = 0
        while position < entries.count {
          let batch = Int(entries[position].batch)
          var end = position + 1
          while end < entries.count, entries[end].batch == entries[position].batch { end += 1 }
          write(
            UnsafeBufferPointer(rebasing: entries[position..<end]), of: blocks[batch],
            page.batches[batch], line, &moment, to: &pen)
          position = end
        }
      }
    }
    self.moment = moment
    output.finish(&pen)
  }

  private func write(
    _ entries: UnsafeBufferPointer<EventPage.Entry>, of block: ColumnPointers, _ batch: EventBatch,
    _ line: TextLine, _ moment: inout TextMoment, to pen: inout Pen
  ) {
    let fixed = layout.mostBytes
    for entry in entries {
      let index = Int(entry.index)
      let text = block.text(index)
      pen.reserve(fixed + PayloadText.mostBytes(text.count))
      line.writeHead(block, index, &moment, to: &pen)
      line.writeMiddle(block, index, middles, to: &pen)
      if layout.hasExtras {
        let cause =
          layout.fields.contains(.cause) ? block.nearestCause(index, batch) : nil
        let scheduler = running?.scheduler(
          ring: block.ring, sequence: batch.columns.firstSequence + UInt64(index))
        line.writeExtras(block, index, cause: cause, scheduler: scheduler ?? 0, to: &pen)
      }
      line.writeValue(block, index, text: text, to: &pen)
    }
  }
}

/// The state of the time columns after the last line.
struct TextMoment {
  var clock: TickConverter
  var column: TimeColumn
  var previous: Int64?
}

/// The columns of a line and their widths.
struct TextLayout {
  private(set) var fields: EventFields
  let style: OutputStyle
  let eventWidth: Int
  let timeWidth: Int
  let streamWidth: Int
  let threadWidth: Int
  let kindWidth: Int
  let operationWidth: Int
  let schedulerWidth: Int
  let mostBytes: Int
  let hasExtras: Bool

  init(
    fields: EventFields, style: OutputStyle, eventWidth: Int, timeWidth: Int, cells: EventCells
  ) {
    self.fields = fields
    self.style = style
    self.eventWidth = eventWidth
    self.timeWidth = timeWidth
    streamWidth = cells.streamWidth
    threadWidth = cells.threadWidth
    kindWidth = cells.kindWidth
    operationWidth = cells.operationWidth
    schedulerWidth = cells.schedulerWidth
    mostBytes = 256 + cells.mostBytes
    hasExtras = !fields.isDisjoint(with: [.operation, .subscription, .cause, .scheduler])
    makeRoom()
  }

  /// Drops default columns if they leave no room for the value. Requested columns stay.
  private mutating func makeRoom() {
    guard let width = style.width, fields == .usual else { return }
    for field in [EventFields.step, .thread, .event] where widthBeforeValue + 16 > width {
      fields.remove(field)
    }
  }

  /// The width of the columns before the value.
  var widthBeforeValue: Int {
    let widths: [(EventFields, Int)] = [
      (.event, eventWidth), (.time, timeWidth), (.step, StepColumn.width),
      (.thread, threadWidth), (.stream, streamWidth), (.kind, kindWidth),
      (.operation, operationWidth), (.subscription, 8), (.cause, eventWidth),
      (.scheduler, schedulerWidth),
    ]
    return widths.filter { fields.contains($0.0) }.reduce(0) { $0 + $1.1 + 2 }
  }
}
