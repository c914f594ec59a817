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
  private static let mostBytes = 5 * CellCache.longest + 512
  private static let extras: EventFields = [.operation, .subscription, .cause, .scheduler]

  init(
    fields: EventFields, style: OutputStyle, eventWidth: Int, timeWidth: Int, cells: EventCells
  ) {
    self.style = style
    self.cells = cells
    payload = PayloadText(cells: cells, ascii: style.ascii)
    self.eventWidth = eventWidth
    var fields = fields
    func widthBeforeValue() -> Int {
      let widths: [(EventFields, Int)] = [
        (.event, eventWidth), (.time, timeWidth), (.step, StepColumn.width),
        (.thread, cells.threadWidth), (.stream, cells.streamWidth), (.kind, cells.kindWidth),
        (.operation, cells.operationWidth), (.subscription, 8), (.cause, eventWidth),
        (.scheduler, cells.schedulerWidth),
      ]
      return widths.filter { fields.contains($0.0) }.reduce(0) { $0 + $1.1 + 2 }
    }
    // Default columns that leave no room for the value are dropped. Requested columns stay.
    if let width = style.width, fields == .usual {
      for field in [EventFields.step, .thread, .event] where widthBeforeValue() + 16 > width {
        fields.remove(field)
      }
    }
    self.fields = fields
    self.widthBeforeValue = widthBeforeValue()
    hasExtras = !fields.isDisjoint(with: Self.extras)
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
    _ block: ColumnPointers, _ batch: EventBatch, _ index: Int, _ moment: inout TextMoment,
    scheduler: UInt32, to pen: inout Pen
  ) {
    let text = block.text(index)
    // Five cells, and the numbers.
    pen.reserve(Self.mostBytes + PayloadText.mostBytes(text.count))
    if block.payloadKinds[index] == PayloadKind.stream.rawValue {
      let fed = UInt32(truncatingIfNeeded: block.words[index])
      pen.extend(by: cells.name(ofStream: fed).utf8.count)
    }
    writeHead(block, index, &moment, to: &pen)
    writeMiddle(block, index, to: &pen)
    if hasExtras { writeExtras(block, batch, index, scheduler: scheduler, to: &pen) }
    writeValue(block, index, text: text, to: &pen)
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
      if fields.contains(.kind) { cells.write(.kind, UInt32(kind), to: &pen) }
    }
  }

  /// Writes the columns that are shown only on request.
  @inline(never)
  private func writeExtras(
    _ block: ColumnPointers, _ batch: EventBatch, _ index: Int, scheduler: UInt32,
    to pen: inout Pen
  ) {
    if fields.contains(.scheduler) { cells.write(.running, scheduler, to: &pen) }
    if fields.contains(.operation) {
      let stream = Hops.contains(block.kinds[index]) ? 0 : block.streams[index]
      cells.write(.operation, stream, to: &pen)
    }
    if fields.contains(.subscription) {
      pen.put(decimal: block.subscriptions[index], width: 8)
      pen.put("  ")
    }
    guard fields.contains(.cause) else { return }
    if let cause = block.nearestCause(index, batch) {
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
      if Hops.contains(block.kinds[index]) {
        pen.put("hop ")
        pen.put(decimal: block.subscriptions[index])
      } else {
        payload.write(
          kind: block.kinds[index], payload: block.payloadKinds[index], word: block.words[index],
          text: text, to: &pen)
      }
      if let width = style.width { cut(from: start, to: width - widthBeforeValue, &pen) }
    }
    if pen.at == start {
      while !pen.output.isAtStart(pen), (pen.at - 1).pointee == 0x20 { pen.at -= 1 }
    }
    pen.put(0x0a)
  }

  /// Cuts the text written since `start` to a number of columns.
  @inline(never)
  private func cut(from start: UnsafeMutablePointer<UInt8>, to width: Int, _ pen: inout Pen) {
    let count = pen.at - start
    let room = max(width, 8)
    guard count > room else { return }
    let text = String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
    let cut = DisplayWidth.cut(text, to: room, ellipsis: style.ascii ? ".." : "…")
    pen.at = start
    pen.put(text: cut)
  }
}
