internal import VarveAnalysis
internal import VarveFormat
internal import VarveMarbles
internal import VarveProbe

/// The columns of a line and their widths; writes one line.
final class TextLine {
  private let fields: EventFields
  private let style: OutputStyle
  private let cells: EventCells
  private let payload: PayloadText
  /// The thread, the stream and the kind of lines: a cell of three cells, because copying each by
  /// itself takes 1.06 times the instructions.
  private let middles = CellCache()
  private let eventWidth: Int
  private let widthBeforeValue: Int
  private let hasExtras: Bool
  /// Whether lines are cut as a whole, because not even the columns before the value fit.
  private let cutsWholly: Bool
  /// Whether kinds, for which there is no column, stand before the values.
  private let tellsKinds: Bool
  /// Whether times are short, for lack of room.
  let hasShortTimes: Bool
  /// The width that values ask for where there is much room.
  private static let wideValue = 60
  /// The width down to which values shorten.
  private static let leastValue = 8
  private static let mostBytes = 5 * CellCache.longest + 512
  private static let extras: EventFields = [.operation, .subscription, .cause, .scheduler]

  init(
    fields: EventFields, style: OutputStyle, eventWidth: Int, time: TimeColumn, cells: EventCells
  ) {
    self.style = style
    self.cells = cells
    payload = PayloadText(cells: cells, ascii: style.ascii)
    self.eventWidth = eventWidth
    var columns = Self.columns(eventWidth: eventWidth, timeWidth: time.width, cells)
      .filter { fields.contains($0.field) && ($0.field != .place || cells.placeWidth > 0) }
    var hasShortTimes = false
    if let width = style.width {
      let all = columns
      columns = Self.fitted(all, fields, in: width)
      if fields.contains(.time), !columns.contains(where: { $0.field == .time }),
        let short = Self.withShortTimes(all, time, in: width)
      {
        (columns, hasShortTimes) = (short, true)
      }
      cells.narrow { field in columns.first { $0.field == field }?.fit.width }
    }
    self.hasShortTimes = hasShortTimes
    let shown = columns.reduce(into: EventFields()) { $0.formUnion($1.field) }
    self.fields = shown
    tellsKinds = fields.contains(.kind) && !shown.contains(.kind)
    widthBeforeValue = columns.filter { $0.field != .value }.reduce(0) { $0 + $1.fit.width + 2 }
    hasExtras = !fields.isDisjoint(with: Self.extras)
    let least = shown.contains(.value) ? Self.leastValue : -2
    let needed = widthBeforeValue + least
    cutsWholly = style.cutsLines && style.width.map { needed > $0 } ?? false
  }
}

extension TextLine {
  private typealias Column = (field: EventFields, fit: ColumnFit.Column)

  /// Returns the columns that a terminal has room for. Default columns that leave no room for others
  /// are dropped. Columns of a list that somebody wrote, and those that were added, stay.
  private static func fitted(
    _ columns: [Column], _ fields: EventFields, in width: Int
  ) -> [Column] {
    let isList = !fields.isSuperset(of: .usual)
    let fits = columns.map { column in
      var fit = column.fit
      if isList { fit.rank = nil }
      return fit
    }
    return zip(columns, ColumnFit.widths(fits, in: width)).compactMap { column, width in
      width.map { (column.field, ColumnFit.Column.whole($0)) }
    }
  }

  /// Returns columns with short times, for which others yield more than they do for the usual ones;
  /// nil if even that leaves no room.
  private static func withShortTimes(
    _ columns: [Column], _ time: TimeColumn, in width: Int
  ) -> [Column]? {
    guard let short = time.shortened else { return nil }
    let briefer = columns.compactMap { column -> Column? in
      switch column.field {
      case .step, .kind: nil
      case .time: (.time, .whole(short.width))
      // Names that begin with a process would lose what tells them apart.
      case .thread where column.fit.width <= 12: (.thread, .text(column.fit.width, readable: 8))
      case .stream: (.stream, .text(column.fit.width, readable: 14))
      case .value: (.value, .text(column.fit.width, readable: 12))
      default: column
      }
    }
    let widths = ColumnFit.widths(briefer.map(\.fit), in: width)
    let isReadable = zip(briefer, widths).allSatisfy { $1 ?? 0 >= $0.fit.readable }
    guard isReadable else { return nil }
    return zip(briefer, widths).compactMap { column, width in
      width.map { (column.field, ColumnFit.Column.whole($0)) }
    }
  }

  /// The columns and how they yield to each other in a narrow terminal: values shorten first, then
  /// names; then the step, the kind and the time go. The event and the place always stay.
  private static func columns(
    eventWidth: Int, timeWidth: Int, _ cells: EventCells
  ) -> [Column] {
    [
      (.event, .whole(eventWidth)), (.time, .whole(timeWidth, rank: 2)),
      (.step, .whole(StepColumn.width, rank: 0)),
      (.thread, .text(cells.threadWidth, readable: 16, least: 8)),
      (.stream, .text(cells.streamWidth, readable: 20, least: 8)),
      (.place, .whole(cells.placeWidth)), (.kind, .whole(cells.kindWidth, rank: 1)),
      (.operation, .text(cells.operationWidth, readable: 16, least: 8)),
      (.subscription, .whole(cells.subscriptionWidth)), (.cause, .whole(eventWidth)),
      (.scheduler, .text(cells.schedulerWidth, readable: 20, least: 8)),
      (.value, .text(wideValue, readable: 16, least: leastValue)),
    ]
  }
}

// MARK: - One line

extension TextLine {
  /// Returns the columns that remain for the ordinals of a thread's events.
  func ordinalWidth(ofRing ring: UInt32) -> Int {
    eventWidth - EventName.thread(ring).utf8.count - 2
  }

  /// Writes a line. `scheduler` is that of the running work.
  @inline(__always)
  func write(
    _ block: ColumnPointers, _ index: Int, _ moment: inout TextMoment,
    scheduler: UInt32, to pen: inout Pen
  ) {
    let text = block.text(index)
    // Five cells, and the numbers.
    pen.reserve(Self.mostBytes + PayloadText.mostBytes(text.count))
    if block.payloadKinds[index] == PayloadKind.stream.rawValue {
      let fed = UInt32(truncatingIfNeeded: block.words[index])
      pen.extend(by: cells.name(ofStream: fed).utf8.count)
    }
    // No part of a line that is to be cut may leave the buffer before its end is known.
    if cutsWholly { pen.extend(by: 2 * Self.mostBytes + PayloadText.mostBytes(text.count)) }
    let (start, refills) = (pen.at, pen.refills)
    writeHead(block, index, &moment, to: &pen)
    writeMiddle(block, index, to: &pen)
    if hasExtras { writeExtras(block, index, scheduler: scheduler, to: &pen) }
    writeValue(block, index, text: text, to: &pen)
    if cutsWholly, pen.refills == refills { cutLine(from: start, &pen) }
  }

  /// Cuts the line written since `start`, whose columns do not fit.
  @inline(never)
  private func cutLine(from start: UnsafeMutablePointer<UInt8>, _ pen: inout Pen) {
    let written = UnsafeBufferPointer(start: start, count: pen.at - start - 1)
    let line = style.fitted(String(decoding: written, as: UTF8.self))
    pen.at = start
    pen.put(text: line)
    pen.put(0x0a)
  }

  /// Writes the event's name, its time, and the step since the line above.
  @inline(__always)
  private func writeHead(
    _ block: ColumnPointers, _ index: Int, _ moment: inout TextMoment, to pen: inout Pen
  ) {
    let colours = style.colours
    if colours { pen.put("\u{1b}[2m") }
    if fields.contains(.event) {
      let name = block.name(index)
      pen.put(spaces: moment.ordinalWidth - Pen.digits(of: name.sequence))
      pen.put(UInt8(ascii: "#"))
      pen.put(name)
      pen.put("  ")
    }
    let ticks = block.ticks[index]
    let now = moment.clock.nanoseconds(sinceStart: ticks)
    if fields.contains(.time) {
      if colours { pen.put("\u{1b}[0m") }
      moment.column.write(now, ticks: ticks, to: &pen)
      if colours { pen.put("\u{1b}[2m") }
      pen.put("  ")
    }
    if fields.contains(.step) {
      if let previous = moment.previous {
        StepColumn.write(UInt64(max(now &- previous, 0)), ascii: style.ascii, to: &pen)
      } else {
        pen.put(spaces: StepColumn.width)
      }
      pen.put("  ")
    }
    moment.previous = now
    if colours { pen.put("\u{1b}[0m") }
  }

  /// Writes the thread, the stream or scheduler, and the kind.
  @inline(__always)
  private func writeMiddle(_ block: ColumnPointers, _ index: Int, to pen: inout Pen) {
    let (ring, stream, kind) = (block.ring, block.streams[index], block.kinds[index])
    middles.write(UInt64(ring) << 32 | UInt64(stream), kind, to: &pen) { pen in
      if fields.contains(.thread) { cells.write(.thread, ring, to: &pen) }
      if fields.contains(.stream) {
        cells.write(Hops.contains(kind) ? .scheduler : .stream, stream, to: &pen)
      }
      if fields.contains(.place) {
        cells.write(.place, Hops.contains(kind) ? 0 : stream, to: &pen)
      }
      if fields.contains(.kind) { cells.write(.kind, UInt32(kind), to: &pen) }
    }
  }

  /// Writes the columns that are shown only on request.
  @inline(never)
  private func writeExtras(
    _ block: ColumnPointers, _ index: Int, scheduler: UInt32,
    to pen: inout Pen
  ) {
    if fields.contains(.scheduler) { cells.write(.running, scheduler, to: &pen) }
    if fields.contains(.operation) {
      let stream = Hops.contains(block.kinds[index]) ? 0 : block.streams[index]
      cells.write(.operation, stream, to: &pen)
    }
    if fields.contains(.subscription) {
      pen.put(decimal: block.subscriptions[index], width: cells.subscriptionWidth)
      pen.put("  ")
    }
    guard fields.contains(.cause) else { return }
    if let cause = block.nearestCause(index) {
      pen.put(cause, width: eventWidth)
    } else {
      pen.put(spaces: eventWidth)
    }
    pen.put("  ")
  }

  /// Writes the payload and the end of the line.
  @inline(__always)
  private func writeValue(
    _ block: ColumnPointers, _ index: Int, text: UnsafeBufferPointer<UInt8>, to pen: inout Pen
  ) {
    let start = pen.at
    if fields.contains(.value) {
      if tellsKinds, let kind = RecordKind(rawValue: block.kinds[index]), kind != .value {
        pen.put(text: kind.name)
        pen.put(" ")
      }
      if Hops.contains(block.kinds[index]) {
        pen.put("hop ")
        pen.put(decimal: block.subscriptions[index])
        if Self.isOfTask(block.payloadKinds[index]) {
          pen.put(", ")
          payload.write(
            kind: block.kinds[index], payload: block.payloadKinds[index], word: block.words[index],
            text: text, to: &pen)
        }
      } else {
        if Self.isOfTask(kind: block.kinds[index]), block.subscriptions[index] != 0 {
          pen.put("task ")
          pen.put(decimal: block.subscriptions[index])
          pen.put(" ")
        }
        payload.write(
          kind: block.kinds[index], payload: block.payloadKinds[index], word: block.words[index],
          text: text, to: &pen)
      }
      if tellsKinds {
        while pen.at > start, (pen.at - 1).pointee == 0x20 { pen.at -= 1 }
      }
      if style.cutsLines, let width = style.width {
        cut(from: start, to: width - widthBeforeValue, &pen)
      }
    }
    if pen.at == start {
      while !pen.output.isAtStart(pen), (pen.at - 1).pointee == 0x20 { pen.at -= 1 }
    }
    pen.put(0x0a)
  }

  private static func isOfTask(_ payload: UInt8) -> Bool {
    payload == PayloadKind.task.rawValue || payload == PayloadKind.awaited.rawValue
  }

  private static func isOfTask(kind: UInt8) -> Bool {
    switch RecordKind(rawValue: kind) {
    case .taskCreated, .taskCancelled, .taskFailed, .taskFailureRead, .errorThrown: true
    default: false
    }
  }

  /// Cuts the text written since `start` to a number of columns.
  @inline(never)
  private func cut(from start: UnsafeMutablePointer<UInt8>, to width: Int, _ pen: inout Pen) {
    let count = pen.at - start
    // Requested columns may leave no room at all; others leave a sign that there is a value.
    let room = max(width, hasExtras ? 8 : 2)
    guard count > room else { return }
    let text = String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
    let cut = DisplayWidth.cut(text, to: room, ellipsis: style.ascii ? ".." : "…")
    pen.at = start
    pen.put(text: cut)
  }
}
