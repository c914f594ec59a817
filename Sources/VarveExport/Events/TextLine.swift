internal import VarveAnalysis
internal import VarveFormat
internal import VarveMarbles
internal import VarveProbe

/// Writes the columns of one line.
struct TextLine {
  let layout: TextLayout
  let cells: EventCells.Reader

  /// Writes the event's name, its time, and the step since the line above.
  @inline(__always)
  func writeHead(
    _ block: ColumnPointers, _ index: Int, _ moment: inout TextMoment, to pen: inout Pen
  ) {
    let fields = layout.fields
    let colours = layout.style.colours
    if colours { pen.put("\u{1b}[2m") }
    if fields.contains(.event) {
      pen.put(block.name(index), width: layout.eventWidth)
      pen.put(gap: ())
    }
    let ticks = block.ticks[index]
    let now = moment.clock.nanoseconds(sinceStart: ticks)
    if fields.contains(.time) {
      if colours { pen.put("\u{1b}[0m") }
      moment.column.write(now, ticks: ticks, to: &pen)
      if colours { pen.put("\u{1b}[2m") }
      pen.put(gap: ())
    }
    if fields.contains(.step) {
      let step = UInt64(max(now &- (moment.previous ?? now), 0))
      let isFirst = moment.previous == nil
      StepColumn.write(step, isFirst: isFirst, ascii: layout.style.ascii, to: &pen)
      pen.put(gap: ())
    }
    moment.previous = now
    if colours { pen.put("\u{1b}[0m") }
  }

  /// Writes the thread, the stream and the kind.
  @inline(__always)
  func writeMiddle(_ block: ColumnPointers, _ index: Int, _ known: LineMiddles, to pen: inout Pen) {
    let stream = block.streams[index]
    let kind = block.kinds[index]
    known.put(ring: block.ring, stream: stream, kind: kind, to: &pen) { pen in
      writeThread(block.ring, to: &pen)
      writeStream(stream, kind: kind, to: &pen)
      writeKind(kind, to: &pen)
    }
  }

  private func writeThread(_ ring: UInt32, to pen: inout Pen) {
    guard layout.fields.contains(.thread) else { return }
    if !cells.threads.write(ring, to: &pen) {
      let start = pen.at
      pen.put("ring ")
      pen.put(thread: ring)
      pad(layout.threadWidth - (pen.at - start), to: &pen)
    }
    pen.put(gap: ())
  }

  /// Writes the name of the stream or scheduler.
  private func writeStream(_ stream: UInt32, kind: UInt8, to pen: inout Pen) {
    guard layout.fields.contains(.stream) else { return }
    if Hops.contains(kind) {
      if !cells.schedulers.write(stream, to: &pen) {
        writeUnknown("scheduler ", stream, layout.streamWidth, to: &pen)
      }
    } else if !cells.streams.write(stream, to: &pen) {
      writeUnknown(stream == 0 ? "" : "stream ", stream, layout.streamWidth, to: &pen)
    }
    pen.put(gap: ())
  }

  private func writeKind(_ kind: UInt8, to pen: inout Pen) {
    guard layout.fields.contains(.kind) else { return }
    if !cells.kinds.write(UInt32(kind), to: &pen) {
      writeUnknown("kind", UInt32(kind), layout.kindWidth, to: &pen)
    }
    pen.put(gap: ())
  }

  /// Writes the payload and the end of the line.
  @inline(__always)
  func writeValue(
    _ block: ColumnPointers, _ index: Int, text: UnsafeBufferPointer<UInt8>, to pen: inout Pen
  ) {
    let start = pen.at
    let kind = block.kinds[index]
    if layout.fields.contains(.value) {
      if Hops.contains(kind) {
        pen.put("hop ")
        pen.put(decimal: block.subscriptions[index])
      } else if block.payloadKinds[index] == PayloadKind.integer.rawValue {
        pen.put(decimal: Int64(bitPattern: block.words[index]))
      } else {
        PayloadText(names: cells.names, ascii: layout.style.ascii).write(
          kind: kind, payload: block.payloadKinds[index], word: block.words[index], text: text,
          to: &pen)
      }
      if let width = layout.style.width {
        cut(from: start, to: width - layout.widthBeforeValue, &pen)
      }
    }
    if pen.at == start {
      while !pen.output.isAtStart(pen), (pen.at - 1).pointee == 0x20 { pen.at -= 1 }
    }
    pen.put(0x0a)
  }
}

// MARK: - Rare parts

extension TextLine {
  /// Writes the columns that are shown only on request.
  func writeExtras(
    _ block: ColumnPointers, _ index: Int, cause: EventName?, scheduler: UInt32, to pen: inout Pen
  ) {
    if layout.fields.contains(.scheduler) {
      if !cells.running.write(scheduler, to: &pen) { pad(layout.schedulerWidth, to: &pen) }
      pen.put(gap: ())
    }
    if layout.fields.contains(.operation) {
      let stream = Hops.contains(block.kinds[index]) ? 0 : block.streams[index]
      if !cells.operations.write(stream, to: &pen) {
        writeUnknown("", 0, layout.operationWidth, to: &pen)
      }
      pen.put(gap: ())
    }
    if layout.fields.contains(.subscription) {
      pen.put(decimal: block.subscriptions[index], width: 8)
      pen.put(gap: ())
    }
    guard layout.fields.contains(.cause) else { return }
    if let cause {
      pen.put(cause, width: layout.eventWidth)
    } else {
      pad(layout.eventWidth, to: &pen)
    }
    pen.put(gap: ())
  }

  @inline(never)
  private func writeUnknown(_ word: StaticString, _ number: UInt32, _ width: Int, to pen: inout Pen)
  {
    let start = pen.at
    pen.put(word)
    if number > 0 { pen.put(decimal: UInt64(number)) }
    pad(width - (pen.at - start), to: &pen)
  }

  private func pad(_ count: Int, to pen: inout Pen) {
    for _ in 0..<max(count, 0) { pen.put(0x20) }
  }

  /// Cuts the text written since `start` to a number of columns.
  @inline(never)
  private func cut(from start: UnsafeMutablePointer<UInt8>, to width: Int, _ pen: inout Pen) {
    let count = pen.at - start
    let room = max(width, 8)
    guard count > room else { return }
    let text = String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
    let cut = DisplayWidth.cut(text, to: room, ellipsis: layout.style.ascii ? ".." : "…")
    pen.at = start
    pen.write(cut)
  }
}

extension Pen {
  /// Writes the space between two columns.
  @inline(__always)
  mutating func put(gap: Void) {
    UnsafeMutableRawPointer(at).storeBytes(of: 0x2020, as: UInt16.self)
    at += 2
  }
}
